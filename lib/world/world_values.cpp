// Single values of a world file: descriptions for messages, variables, bounded numbers.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "number_text.hpp"
#include "world_read.hpp"

namespace strew::world_file {
namespace {

constexpr std::size_t kLongestQuote = 60;

bool is_name_character(char c, bool first) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || (!first && c >= '0' && c <= '9');
}

bool is_variable_name(std::string_view name) {
  if (name.empty() || !is_name_character(name[0], true)) {
    return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) { return is_name_character(c, false); });
}

std::optional<std::string> lookup(const std::string& name, const Scope& scope) {
  if (const auto found = scope.definitions.find(name); found != scope.definitions.end()) {
    return found->second;
  }
  if (const char* value = std::getenv(name.c_str()); value != nullptr) {
    return std::string(value);
  }
  return std::nullopt;
}

template <class T>
bool parse_whole(const std::string& text, T& out) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && stop == end;
}

std::string bounds_text(const Field& field) {
  const bool low = std::isfinite(field.minimum);
  const bool high = std::isfinite(field.maximum);
  const std::string above =
      std::string(field.above_minimum ? "above " : "at least ") + number_text(field.minimum);
  if (low && high) {
    return above + " and at most " + number_text(field.maximum);
  }
  return low ? above : "at most " + number_text(field.maximum);
}

}  // namespace

std::string in_quotes(std::string_view text) {
  std::string result = "\"";
  if (text.size() <= kLongestQuote) {
    result += text;
  } else {
    // Cut before a continuation byte, so that the message stays UTF-8.
    std::size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
      --end;
    }
    result += std::string(text.substr(0, end)) + "...";
  }
  return result + "\"";
}

std::string describe(const Json& value) {
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::number_integer:
      return std::to_string(value.get<std::int64_t>());
    case Json::value_t::number_unsigned:
      return std::to_string(value.get<std::uint64_t>());
    case Json::value_t::number_float:
      return number_text(value.get<double>());
    case Json::value_t::string:
      return "the text " + in_quotes(value.get_ref<const std::string&>());
    case Json::value_t::array:
      return value.empty() ? "an empty array" : "an array";
    default:
      return "an object";
  }
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates,
                       std::string fallback) {
  const std::string_view nearest = nearest_name(word, candidates);
  return nearest.empty() ? std::move(fallback) : "; did you mean " + in_quotes(nearest) + "?";
}

Result<std::string> expand(const std::string& text, const Scope& scope, const std::string& path) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t open = text.find("${", at);
    if (open == std::string::npos) {
      return result + text.substr(at);
    }
    const std::size_t close = text.find('}', open);
    const std::string name = close == std::string::npos ? "" : text.substr(open + 2, close - open - 2);
    if (!is_variable_name(name)) {
      return invalid_argument("has \"${\" without a variable name and \"}\" after it in " + in_quotes(text) +
                                  "; write ${NAME} with letters, digits and underscores",
                              path);
    }
    const std::optional<std::string> value = lookup(name, scope);
    if (!value) {
      return invalid_argument("uses ${" + name + "}, which is not defined; give -D " + name +
                                  "=VALUE, or set the environment variable " + name,
                              path);
    }
    result += text.substr(at, open - at) + *value;
    at = close + 1;
  }
}

Result<Json> expand_value(const Json& value, const Scope& scope, const std::string& path) {
  if (!value.is_string()) {
    return value;
  }
  const auto& text = value.get_ref<const std::string&>();
  STREW_ASSIGN(std::string expanded, expand(text, scope, path));
  if (text.find("${") != std::string::npos) {
    std::int64_t whole = 0;
    std::uint64_t large = 0;
    double real = 0;
    if (parse_whole(expanded, whole)) {
      return Json(whole);
    }
    if (parse_whole(expanded, large)) {
      return Json(large);
    }
    if (parse_whole(expanded, real) && std::isfinite(real)) {
      return Json(real);
    }
  }
  return Json(std::move(expanded));
}

Result<double> number_at(const Json& value, const Scope& scope, const std::string& path, const Field& field) {
  STREW_ASSIGN(const Json expanded, expand_value(value, scope, path));
  if (!expanded.is_number()) {
    return invalid_argument("is " + describe(expanded) + "; expected a finite number", path);
  }
  const double number = expanded.get<double>();
  if (number < field.minimum || number > field.maximum || (field.above_minimum && number == field.minimum)) {
    return invalid_argument("is " + number_text(number) + "; must be " + bounds_text(field), path);
  }
  return number;
}

Result<std::string> text_at(const Json& value, const Scope& scope, const std::string& path) {
  if (!value.is_string()) {
    return invalid_argument("is " + describe(value) + "; expected text in quotes", path);
  }
  STREW_ASSIGN(std::string text, expand(value.get_ref<const std::string&>(), scope, path));
  if (text.empty()) {
    return invalid_argument("is empty; give some text", path);
  }
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; })) {
    return invalid_argument("has a control character, such as a line break; write it without", path);
  }
  return text;
}

}  // namespace strew::world_file
