#include <gtest/gtest.h>

#include "strew/automaton.hpp"

namespace strew {
namespace {

TEST(AutomatonRule, ReadsTheUsualSpellings) {
  for (const char* text : {"B3678/S34678", "b3678s34678", "S34678/B3678", "B8763/S87643", "day-and-night"}) {
    const auto parsed = parse_rule(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(parsed.value().rule, kDayAndNight) << text;
    EXPECT_EQ(parsed.value().note, "") << text;
  }
  EXPECT_EQ(to_string(kDayAndNight), "B3678/S34678");
  EXPECT_EQ(to_string(parse_rule("B/S").value().rule), "B/S");
}

TEST(AutomatonRule, SurvivalBirthIsTakenWithANote) {
  const auto parsed = parse_rule("23/3");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(to_string(parsed.value().rule), "B3/S23");
  EXPECT_NE(parsed.value().note.find("survival/birth"), std::string::npos);
}

TEST(AutomatonRule, NamesAgreeWithTheirMeanings) {
  for (const NamedRule& named : named_rules()) {
    const auto parsed = parse_rule(named.name);
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value().rule, named.rule);
    EXPECT_EQ(named.meaning.substr(0, named.meaning.find(':')), to_string(named.rule));
  }
}

TEST(AutomatonRule, EveryRuleReadsBack) {
  for (std::uint32_t bits = 0; bits < (1U << 18); bits += 131) {
    const AutomatonRule rule{static_cast<std::uint16_t>(bits & 0x1FFU),
                             static_cast<std::uint16_t>(bits >> 9)};
    const auto parsed = parse_rule(to_string(rule));
    ASSERT_TRUE(parsed.ok());
    EXPECT_EQ(parsed.value().rule, rule);
  }
}

TEST(AutomatonRule, BadRulesAreRefusedWithTheirPlace) {
  const std::pair<const char*, const char*> cases[] = {
      {"B9/S23", "character 2"},  {"S", "no B part"}, {"B3", "no S part"},     {"", "nothing"},
      {"B33/S23", "character 3"}, {"B3/S2x", "'x'"},  {"B3/S23/B2", "second"}, {"3", "no '/'"},
      {"23/3/", "'/'"},           {"B3/", "the end"}, {"lief", "life"},        {"/", ""},
  };
  for (const auto& [text, says] : cases) {
    const auto parsed = parse_rule(text);
    if (std::string(text) == "/") {
      EXPECT_TRUE(parsed.ok());  // nothing survives, nothing is born
      continue;
    }
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().code, StatusCode::kInvalidArgument);
    EXPECT_EQ(parsed.status().where, "rule");
    EXPECT_NE(parsed.status().message.find(says), std::string::npos)
        << text << ": " << parsed.status().text();
  }
}

TEST(AutomatonRule, BordersAndVariantsByName) {
  EXPECT_EQ(parse_border("periodic").value(), Border::kPeriodic);
  EXPECT_NE(parse_border("torus").status().message.find("dead, alive or periodic"), std::string::npos);
  EXPECT_EQ(parse_variant("swar").value(), AutomatonVariant::kSwar);
  EXPECT_FALSE(parse_variant("gpu").ok());
}

}  // namespace
}  // namespace strew
