// Damaged text is refused or read, and never more than that.
#include <gtest/gtest.h>

#include "minimal_world.hpp"

namespace strew {
namespace {

/// A refusal says why; an acceptance carries its canonical text.
void expect_settled(const std::string& text) {
  const auto result = parse_world(text, ".");
  if (result.ok()) {
    ASSERT_FALSE(result.value().canonical_json.empty());
  } else {
    ASSERT_FALSE(result.status().message.empty());
    ASSERT_NE(result.status().code, StatusCode::kInternal) << result.status().text();
  }
}

TEST(Corruption, EveryTruncatedPrefix) {
  const std::string text = world_example();
  const std::size_t end = text.find_last_of('}');
  for (std::size_t length = 0; length <= end; ++length) {
    const auto result = parse_world(text.substr(0, length), ".");
    ASSERT_FALSE(result.ok()) << length;
    ASSERT_TRUE(result.status().where.starts_with("line ")) << result.status().text();
  }
}

TEST(Corruption, EverySingleByteChanged) {
  const std::string text = world_example();
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const char byte : {'\0', '"', '{', '}', '[', ',', '9', '-', 'n', '\\', '\n', '\x80', '\xFF'}) {
      std::string damaged = text;
      damaged[i] = byte;
      expect_settled(damaged);
    }
  }
}

TEST(Corruption, EveryByteRemovedOrDoubled) {
  const std::string text = world_example();
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::string damaged = text;
    damaged.erase(i, 1);
    expect_settled(damaged);
    damaged = text;
    damaged.insert(i, 1, text[i]);
    expect_settled(damaged);
  }
}

/// Every value replaced by every kind of value.
TEST(Corruption, EveryValueOfAnotherType) {
  const strew_test::Json world = strew_test::full_world();
  const strew_test::Json flat = world.flatten();
  const auto others =
      strew_test::Json::parse(R"([null, true, -1, 1e300, 0.5, 18446744073709551615, "", "x", "${",
                                                  "nan", [], [null, null], [[]], {}, {"a": 1}])");
  for (const auto& item : flat.items()) {
    for (strew_test::Json::json_pointer pointer(item.key()); !pointer.empty(); pointer.pop_back()) {
      for (const auto& other : others) {
        strew_test::Json damaged = world;
        damaged[pointer] = other;
        expect_settled(damaged.dump());
      }
    }
  }
}

}  // namespace
}  // namespace strew
