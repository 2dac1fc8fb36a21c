// RLE patterns: round trips, files as others write them, faults with their place, mutated bytes.
#include <gtest/gtest.h>

#include "patterns.hpp"
#include "strew/automaton_rle.hpp"
#include "strew/random.hpp"

namespace strew {
namespace {

using strew_test::grid_of;
using strew_test::text_of;

TEST(Rle, ReadsAGliderAsGollyWritesIt) {
  const auto pattern = parse_rle("#C A glider.\nx = 3, y = 3, rule = B3/S23\nbob$2bo$3o!\n");
  ASSERT_TRUE(pattern.ok()) << pattern.status().text();
  // The first row of the file is the grid's last.
  EXPECT_EQ(text_of(pattern.value().cells), "xxx/..x/.x.");
  ASSERT_TRUE(pattern.value().rule.has_value());
  EXPECT_EQ(to_string(pattern.value().rule->rule), "B3/S23");
  EXPECT_FALSE(pattern.value().border.has_value());
}

TEST(Rle, ReadsHeadersAndRowsOfManyKinds) {
  EXPECT_EQ(text_of(parse_rle("x=4,y=2\n4b$.oA!").value().cells), ".xx./....");
  EXPECT_EQ(text_of(parse_rle("x = 2, y = 5\r\no4$bo\r\n!").value().cells), ".x/../../../x.");
  EXPECT_EQ(text_of(parse_rle("x = 2, y = 2, rule = 23/3\n!").value().cells), "../..");
  EXPECT_EQ(to_string(parse_rle("x = 2, y = 2, rule = 23/3\n!").value().rule->rule), "B3/S23");
}

TEST(Rle, BoundedGridsAreMadeInFull) {
  const auto middle = parse_rle("x = 1, y = 1, rule = B3/S23:T5,3\no!");
  ASSERT_TRUE(middle.ok());
  EXPECT_EQ(text_of(middle.value().cells), "...../..x../.....");
  EXPECT_EQ(middle.value().border, Border::kPeriodic);
  const auto placed = parse_rle("#CXRLE Pos=-2,0 Gen=7\nx = 2, y = 1, rule = B3/S23:P4,4\n2o!");
  ASSERT_TRUE(placed.ok()) << placed.status().text();
  EXPECT_EQ(text_of(placed.value().cells), "..../xx../..../....");
  EXPECT_EQ(placed.value().border, Border::kDead);
}

TEST(Rle, RoundTripsEveryGrid) {
  for (std::uint64_t i = 0; i < 40; ++i) {
    const auto width = static_cast<std::int64_t>(1 + mix64(i) % 200);
    const auto height = static_cast<std::int64_t>(1 + mix64(i + 99) % 30);
    const BitGrid grid = strew_test::random_grid(width, height, static_cast<double>(i % 11) / 10, i);
    const AutomatonRule rule{static_cast<std::uint16_t>(mix64(i) & 511U),
                             static_cast<std::uint16_t>(mix64(i) >> 9 & 511U)};
    const Border border = i % 2 == 0 ? Border::kDead : Border::kPeriodic;
    const auto text = format_rle(grid, rule, border);
    ASSERT_TRUE(text.ok());
    for (std::size_t at = 0; at < text.value().size();) {
      const std::size_t end = text.value().find('\n', at);
      EXPECT_LE(end - at, 70U);
      at = end + 1;
    }
    const auto back = parse_rle(text.value());
    ASSERT_TRUE(back.ok()) << back.status().text();
    EXPECT_TRUE(back.value().cells == grid);
    EXPECT_EQ(back.value().rule->rule, rule);
    EXPECT_EQ(back.value().border, border);
  }
}

TEST(Rle, AnAliveBorderIsRefused) {
  EXPECT_EQ(format_rle(grid_of("x"), kDayAndNight, Border::kAlive).status().where, "border");
}

TEST(Rle, FaultsAreRefusedWithTheirPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "line 1, column 1"},
      {"3o!", "expected 'x'"},
      {"x = 0, y = 3\n!", "whole number from 1"},
      {"x = 3, y = 99999999999\n!", "whole number from 1"},
      {"x = 3, y = 3\n3o", "truncated"},
      {"x = 3, y = 3\n3o$2", "truncated"},
      {"x = 3, y = 3\n4o!", "line 2, column 2: a run to column 4"},
      {"x = 3, y = 1\n3o$\no!", "line 3, column 1: row 2"},
      {"x = 3, y = 3\nbCb!", "'C' is no state"},
      {"x = 3, y = 3\n99999999999999999999o!", "whole number"},
      {"x = 3, y = 3, rule = B9/S\n!", "9 neighbours"},
      {"x = 3, y = 3, rule = LifeHistory\n!", "line 1"},
      {"x = 3, y = 3, rule = B3/S23:K5\n!", "expected P"},
      {"x = 3, y = 3, rule = B3/S23:T2,9\n!", "does not lie in"},
      {"x = 3, y = 3 z\n!", "the end of the header"},
      {"#CXRLE Pos=a,b\nx = 3, y = 3\n!", "expected Pos=x,y"},
      {"x = 2000000000, y = 2000000000\n!", "is more than"},
  };
  for (const auto& [text, says] : cases) {
    const auto pattern = parse_rle(text);
    ASSERT_FALSE(pattern.ok()) << text;
    EXPECT_EQ(pattern.status().code, StatusCode::kInvalidArgument) << text;
    EXPECT_NE(pattern.status().message.find(says), std::string::npos)
        << text << ": " << pattern.status().text();
  }
}

// Any bytes: a pattern or a fault, and a pattern reads back as itself. Sizes are kept small.
TEST(Rle, MutatedFilesAreReadOrRefused) {
  const std::string seed =
      "#CXRLE Pos=-3,-2\n#C x\nx = 7, y = 5, rule = B3678/S34678:T12,9\nbob2o$2bo2bo$3o!\n";
  const std::string alphabet = "0123456789bo$!xy=,ruleBSPT:#\n -.AC/";
  std::uint64_t random = 1;
  const auto draw = [&random](std::size_t bound) {
    random = mix64(random + 0x9E3779B97F4A7C15U);
    return static_cast<std::size_t>(random % bound);
  };
  int read = 0;
  for (int i = 0; i < 40000; ++i) {
    std::string text = seed;
    for (std::size_t edits = 1 + draw(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = draw(text.size());
      const char c = draw(20) == 0 ? static_cast<char>(draw(256)) : alphabet[draw(alphabet.size())];
      switch (draw(4)) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        case 2:
          text.erase(at, 1 + draw(3));
          break;
        default:
          text.resize(at);
      }
    }
    const auto pattern = parse_rle(text, 1U << 16);
    if (pattern.ok()) {
      ++read;
      const auto again = format_rle(pattern.value().cells, kDayAndNight, Border::kDead);
      ASSERT_TRUE(again.ok());
      ASSERT_TRUE(parse_rle(again.value()).value().cells == pattern.value().cells);
    } else {
      ASSERT_FALSE(pattern.status().message.empty());
    }
  }
  EXPECT_GT(read, 1000);
}

}  // namespace
}  // namespace strew
