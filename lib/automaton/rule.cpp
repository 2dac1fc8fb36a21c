#include <algorithm>
#include <array>

#include "guard.hpp"
#include "rule_tables.hpp"

namespace strew {
namespace {

using automaton::kCaves;
using automaton::kLife;

constexpr std::array<NamedRule, 10> kNamed = {{
    {"day-and-night", kDayAndNight, "B3678/S34678: organic blobs; the rule of forests"},
    {"life", kLife, "B3/S23: Conway's Life"},
    {"caves", kCaves, "B5678/S45678: caves; the majority of nine, also called vote"},
    {"highlife", {0b001001000, 0b000001100}, "B36/S23: Life with a replicator"},
    {"anneal", {0b111010000, 0b111101000}, "B4678/S35678: slowly annealing blobs"},
    {"diamoeba", {0b111101000, 0b111100000}, "B35678/S5678: large diamonds with ragged sides"},
    {"maze", {0b000001000, 0b000111110}, "B3/S12345: mazes"},
    {"seeds", {0b000000100, 0}, "B2/S: nothing survives, everything explodes"},
    {"replicator", {0b010101010, 0b010101010}, "B1357/S1357: every pattern copies itself"},
    {"coral", {0b000001000, 0b111110000}, "B3/S45678: slow coral"},
}};

struct Part {
  std::uint16_t bits = 0;
  bool given = false;
};

Status fault(std::string_view text, std::size_t at, const std::string& what) {
  std::string message = "\"" + std::string(text) + "\": " + what + " at character " + std::to_string(at + 1);
  message += "; expected a rule such as B3678/S34678, or a name such as day-and-night";
  return invalid_argument(std::move(message), "rule");
}

/// Digits 0 to 8 from `at` on, none twice.
Status read_digits(std::string_view text, std::size_t& at, Part& part) {
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') {
    const auto bit = static_cast<std::uint16_t>(1U << (text[at] - '0'));
    if (text[at] == '9') {
      return fault(text, at, "9 neighbours, but a cell has only 8,");
    }
    if ((part.bits & bit) != 0) {
      return fault(text, at, std::string("the digit ") + text[at] + " a second time");
    }
    part.bits = static_cast<std::uint16_t>(part.bits | bit);
    ++at;
  }
  part.given = true;
  return {};
}

Result<ParsedRule> parse(std::string_view text) {
  for (const NamedRule& named : kNamed) {
    if (text == named.name) {
      return ParsedRule{named.rule, {}};
    }
  }
  if (text == "vote") {
    return ParsedRule{kCaves, {}};
  }
  Part birth;
  Part survival;
  std::size_t at = 0;
  if (text.empty()) {
    return fault(text, 0, "nothing");
  }
  const bool letters = text.find_first_of("bBsS") != std::string_view::npos;
  if (!letters && text.find_first_not_of("0123456789/") != std::string_view::npos) {
    std::vector<std::string_view> names;
    names.reserve(std::size(kNamed));
    for (const NamedRule& named : kNamed) {
      names.push_back(named.name);
    }
    const std::string_view near = nearest_name(text, names);
    if (!near.empty()) {
      return invalid_argument(
          "\"" + std::string(text) + "\" is no rule; did you mean " + std::string(near) + "?", "rule");
    }
  }
  if (!letters) {
    STREW_RETURN_IF_ERROR(read_digits(text, at, survival));
    if (at == text.size() || text[at] != '/') {
      return fault(text, at, at == text.size() ? "no '/'" : std::string("'") + text[at] + "'");
    }
    ++at;
    STREW_RETURN_IF_ERROR(read_digits(text, at, birth));
    if (at != text.size()) {
      return fault(text, at, std::string("'") + text[at] + "'");
    }
    const AutomatonRule rule{birth.bits, survival.bits};
    return ParsedRule{
        rule, "\"" + std::string(text) + "\" without letters is read as survival/birth: " + to_string(rule)};
  }
  while (at < text.size()) {
    const char letter = text[at];
    const bool is_birth = letter == 'B' || letter == 'b';
    const bool is_survival = letter == 'S' || letter == 's';
    if (!is_birth && !is_survival) {
      return fault(text, at, std::string("'") + letter + "'");
    }
    Part& part = is_birth ? birth : survival;
    if (part.given) {
      return fault(text, at, std::string("the part ") + letter + " a second time");
    }
    ++at;
    STREW_RETURN_IF_ERROR(read_digits(text, at, part));
    if (at < text.size() && text[at] == '/') {
      ++at;
      if (at == text.size()) {
        return fault(text, at, "the end");
      }
    }
  }
  if (!birth.given || !survival.given) {
    return fault(text, text.size(), birth.given ? "no S part" : "no B part");
  }
  return ParsedRule{{birth.bits, survival.bits}, {}};
}

template <class Value, std::size_t kCount>
Result<Value> from_name(std::string_view name, const std::array<std::string_view, kCount>& names,
                        const std::string& where) {
  std::string list;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (name == names[i]) {
      return static_cast<Value>(i);
    }
    list += (i == 0 ? "" : i + 1 == kCount ? " or " : ", ") + std::string(names[i]);
  }
  return invalid_argument("is \"" + std::string(name) + "\"; expected " + list, where);
}

constexpr std::array<std::string_view, 3> kBorders = {"dead", "alive", "periodic"};
constexpr std::array<std::string_view, 5> kVariants = {"best", "ref", "swar", "hwy", "xsimd"};

}  // namespace

Result<ParsedRule> parse_rule(std::string_view text) {
  return guarded([&]() { return parse(text); });
}

std::string to_string(const AutomatonRule& rule) {
  std::string text = "B";
  for (int n = 0; n <= 8; ++n) {
    if (((rule.birth >> n) & 1) != 0) {
      text += static_cast<char>('0' + n);
    }
  }
  text += "/S";
  for (int n = 0; n <= 8; ++n) {
    if (((rule.survival >> n) & 1) != 0) {
      text += static_cast<char>('0' + n);
    }
  }
  return text;
}

std::span<const NamedRule> named_rules() noexcept {
  return kNamed;
}

std::string_view to_string(Border border) noexcept {
  return kBorders[static_cast<std::size_t>(border)];
}
Result<Border> parse_border(std::string_view name) {
  return guarded([&]() { return from_name<Border>(name, kBorders, "border"); });
}
std::string_view to_string(AutomatonVariant variant) noexcept {
  return kVariants[static_cast<std::size_t>(variant)];
}
Result<AutomatonVariant> parse_variant(std::string_view name) {
  return guarded([&]() { return from_name<AutomatonVariant>(name, kVariants, "variant"); });
}

}  // namespace strew
