// ParameterSet and its check against a strategy's metadata.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "guard.hpp"
#include "number_text.hpp"
#include "strew/strategy.hpp"

namespace strew {
namespace {

std::string value_text(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? "true" : "false";
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return std::to_string(*integer);
  }
  if (const auto* real = std::get_if<double>(&value)) {
    return number_text(*real);
  }
  return "'" + std::get<std::string>(value) + "'";
}

std::string expectation(const ParameterInfo& info) {
  std::string text;
  switch (info.kind) {
    case ParameterKind::kBool:
      return "true or false";
    case ParameterKind::kChoice:
      text = "one of";
      for (const std::string_view choice : info.choices) {
        text += (choice == info.choices.front() ? " " : ", ") + std::string(choice);
      }
      return text;
    case ParameterKind::kReal:
    case ParameterKind::kInteger:
      text = info.kind == ParameterKind::kReal ? "a number" : "a whole number";
      text += " from " + number_text(info.minimum) + " to " + number_text(info.maximum);
      return info.unit.empty() ? text : text + " " + std::string(info.unit);
  }
  return text;
}

std::optional<double> parse_number(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc{} || parsed.ptr != end) {
    return std::nullopt;
  }
  return number;
}

std::optional<double> as_choice(const ParameterInfo& info, const ParameterValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    for (std::size_t i = 0; i < info.choices.size(); ++i) {
      if (info.choices[i] == *text) {
        return static_cast<double>(i);
      }
    }
  }
  return std::nullopt;
}

std::optional<double> as_bool(const ParameterValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) {
    return *flag ? 1.0 : 0.0;
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    if (*text == "true" || *text == "false") {
      return *text == "true" ? 1.0 : 0.0;
    }
  }
  return std::nullopt;
}

std::optional<double> as_number(const ParameterInfo& info, const ParameterValue& value) {
  std::optional<double> number;
  if (const auto* real = std::get_if<double>(&value)) {
    number = *real;
  } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    number = static_cast<double>(*integer);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    number = parse_number(*text);
  }
  if (!number || !(*number >= info.minimum && *number <= info.maximum)) {
    return std::nullopt;
  }
  if (info.kind == ParameterKind::kInteger && *number != std::floor(*number)) {
    return std::nullopt;
  }
  return number;
}

std::optional<double> accepted_value(const ParameterInfo& info, const ParameterValue& value) {
  switch (info.kind) {
    case ParameterKind::kChoice:
      return as_choice(info, value);
    case ParameterKind::kBool:
      return as_bool(value);
    case ParameterKind::kReal:
    case ParameterKind::kInteger:
      return as_number(info, value);
  }
  return std::nullopt;
}

Status unknown_parameter(const StrategyInfo& info, const std::string& name) {
  std::vector<std::string_view> known;
  for (const ParameterInfo& parameter : info.parameters) {
    known.push_back(parameter.name);
  }
  const std::string_view near = nearest_name(name, known);
  std::string message = "is not a parameter of " + std::string(info.id);
  if (!near.empty()) {
    message += "; did you mean '" + std::string(near) + "'?";
  } else {
    message += "; it has";
    for (const std::string_view parameter : known) {
      message += " " + std::string(parameter);
    }
  }
  return invalid_argument(std::move(message), name);
}

}  // namespace

void ParameterSet::set(std::string_view name, ParameterValue value) {
  for (Entry& entry : entries_) {
    if (entry.name == name) {
      entry.value = std::move(value);
      return;
    }
  }
  entries_.push_back({std::string(name), std::move(value)});
}

const ParameterValue* ParameterSet::find(std::string_view name) const noexcept {
  for (const Entry& entry : entries_) {
    if (entry.name == name) {
      return &entry.value;
    }
  }
  return nullptr;
}

Result<ResolvedParameters> ResolvedParameters::resolve(const StrategyInfo& info, const ParameterSet& given) {
  return guarded([&]() -> Result<ResolvedParameters> {
    ResolvedParameters resolved;
    for (const ParameterInfo& parameter : info.parameters) {
      const ParameterValue* value = given.find(parameter.name);
      if (value == nullptr) {
        if (parameter.required) {
          return invalid_argument(
              "must be given: " + std::string(parameter.meaning) + " (" + expectation(parameter) + ")",
              std::string(parameter.name));
        }
        resolved.slots_.push_back({parameter.name, parameter.default_value, false});
        continue;
      }
      const std::optional<double> accepted = accepted_value(parameter, *value);
      if (!accepted) {
        return invalid_argument("is " + value_text(*value) + "; expected " + expectation(parameter),
                                std::string(parameter.name));
      }
      resolved.slots_.push_back({parameter.name, *accepted, true});
    }
    for (const ParameterSet::Entry& entry : given.entries()) {
      bool known = false;
      for (const ParameterInfo& parameter : info.parameters) {
        known = known || parameter.name == entry.name;
      }
      if (!known) {
        return unknown_parameter(info, entry.name);
      }
    }
    return resolved;
  });
}

const ResolvedParameters::Slot& ResolvedParameters::slot(std::string_view name) const noexcept {
  static const Slot kAbsent{};
  for (const Slot& slot : slots_) {
    if (slot.name == name) {
      return slot;
    }
  }
  return kAbsent;
}

double ResolvedParameters::real(std::string_view name) const noexcept {
  return slot(name).value;
}
std::int64_t ResolvedParameters::integer(std::string_view name) const noexcept {
  return static_cast<std::int64_t>(slot(name).value);
}
bool ResolvedParameters::boolean(std::string_view name) const noexcept {
  return slot(name).value != 0;
}
std::size_t ResolvedParameters::choice(std::string_view name) const noexcept {
  return static_cast<std::size_t>(slot(name).value);
}
bool ResolvedParameters::given(std::string_view name) const noexcept {
  return slot(name).given;
}

}  // namespace strew
