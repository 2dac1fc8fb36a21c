#include "world_read.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "number_text.hpp"

namespace strew::world_file {
namespace {

std::string list_names(std::span<const std::string_view> names) {
  std::string result;
  for (const std::string_view name : names) {
    result += (result.empty() ? "" : ", ") + std::string(name);
  }
  return result;
}

Status check_order(double minimum, double maximum, const std::string& path) {
  if (minimum > maximum) {
    return invalid_argument("minimum " + number_text(minimum) + " is above maximum " + number_text(maximum),
                            path);
  }
  return {};
}

bool is_whole(double value) {
  return std::trunc(value) == value;
}

}  // namespace

Result<ObjectReader> ObjectReader::open(const Json& value, std::string path, const ObjectInfo& info,
                                        const Scope& scope) {
  if (!value.is_object()) {
    return invalid_argument(
        "is " + describe(value) + "; expected an object {...} (" + std::string(info.name) + ")",
        path.empty() ? "the document" : path);
  }
  std::vector<std::string_view> known;
  known.reserve(info.fields.size());
  for (const Field& field : info.fields) {
    known.push_back(field.key);
  }
  for (const auto& item : value.items()) {
    if (std::find(known.begin(), known.end(), item.key()) == known.end()) {
      return invalid_argument("is not a key of " + std::string(info.name) +
                                  suggestion(item.key(), known, "; known keys: " + list_names(known)),
                              key_path(path, item.key()));
    }
  }
  for (const Field& field : info.fields) {
    if (field.required && !value.contains(field.key)) {
      return invalid_argument(
          "is missing; " + std::string(info.name) + " needs it (" + std::string(field.description) + ")",
          key_path(path, field.key));
    }
  }
  return ObjectReader(value, std::move(path), info, scope);
}

const Json* ObjectReader::find(std::string_view key) const {
  const auto found = value_->find(key);
  return found == value_->end() ? nullptr : &*found;
}

const Field& ObjectReader::field(std::string_view key) const {
  return *std::find_if(info_->fields.begin(), info_->fields.end(),
                       [key](const Field& f) { return f.key == key; });
}

Status ObjectReader::number(std::string_view key, double& out) const {
  if (const Json* value = find(key)) {
    STREW_ASSIGN(out, number_at(*value, *scope_, path(key), field(key)));
  }
  return {};
}

Status ObjectReader::integer(std::string_view key, std::int32_t& out) const {
  double number = out;
  STREW_RETURN_IF_ERROR(this->number(key, number));
  if (!is_whole(number)) {
    return invalid_argument("is " + number_text(number) + "; expected a whole number", path(key));
  }
  out = static_cast<std::int32_t>(number);
  return {};
}

Status ObjectReader::seed(std::string_view key, std::uint64_t& out) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return {};
  }
  STREW_ASSIGN(const Json expanded, expand_value(*value, *scope_, path(key)));
  const bool negative =
      expanded.is_number_integer() && !expanded.is_number_unsigned() && expanded.get<std::int64_t>() < 0;
  if (!expanded.is_number_integer() || negative) {
    return invalid_argument(
        "is " + describe(expanded) + "; expected a whole number from 0 to 18446744073709551615", path(key));
  }
  out = expanded.get<std::uint64_t>();
  return {};
}

Status ObjectReader::flag(std::string_view key, bool& out) const {
  const Json* value = find(key);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_boolean()) {
    return invalid_argument("is " + describe(*value) + "; expected true or false", path(key));
  }
  out = value->get<bool>();
  return {};
}

Status ObjectReader::text(std::string_view key, std::string& out) const {
  if (const Json* value = find(key)) {
    STREW_ASSIGN(out, text_at(*value, *scope_, path(key)));
  }
  return {};
}

Status ObjectReader::two_ends(std::string_view key, bool single, const Json*& first,
                              const Json*& second) const {
  const Json& value = *find(key);
  if (value.is_array() && value.size() == 2) {
    first = &value[0];
    second = &value[1];
    return {};
  }
  if (single && !value.is_array() && !value.is_object() && !value.is_null()) {
    first = second = &value;
    return {};
  }
  const std::string found =
      value.is_array() && !value.empty() ? "an array of " + std::to_string(value.size()) : describe(value);
  return invalid_argument(
      "is " + found + "; expected " + (single ? "a number or " : "") + "an array of two numbers", path(key));
}

Status ObjectReader::pair(std::string_view key, double& first, double& second) const {
  if (!has(key)) {
    return {};
  }
  const Json* a = nullptr;
  const Json* b = nullptr;
  STREW_RETURN_IF_ERROR(two_ends(key, false, a, b));
  STREW_ASSIGN(first, number_at(*a, *scope_, index_path(path(key), 0), field(key)));
  STREW_ASSIGN(second, number_at(*b, *scope_, index_path(path(key), 1), field(key)));
  return {};
}

Status ObjectReader::open_range(std::string_view key, std::optional<Range>& out) const {
  if (!has(key)) {
    return {};
  }
  const Json* a = nullptr;
  const Json* b = nullptr;
  STREW_RETURN_IF_ERROR(two_ends(key, false, a, b));
  const Field& info = field(key);
  Range range{info.minimum, info.maximum};
  if (!a->is_null()) {
    STREW_ASSIGN(range.minimum, number_at(*a, *scope_, index_path(path(key), 0), info));
  }
  if (!b->is_null()) {
    STREW_ASSIGN(range.maximum, number_at(*b, *scope_, index_path(path(key), 1), info));
  }
  STREW_RETURN_IF_ERROR(check_order(range.minimum, range.maximum, path(key)));
  out = range;
  return {};
}

Status ObjectReader::range(std::string_view key, Range& out) const {
  if (!has(key)) {
    return {};
  }
  const Json* a = nullptr;
  const Json* b = nullptr;
  const Field& info = field(key);
  STREW_RETURN_IF_ERROR(two_ends(key, info.kind == FieldKind::kNumberOrRange, a, b));
  const bool single = a == b;
  STREW_ASSIGN(out.minimum, number_at(*a, *scope_, single ? path(key) : index_path(path(key), 0), info));
  STREW_ASSIGN(out.maximum, number_at(*b, *scope_, single ? path(key) : index_path(path(key), 1), info));
  return check_order(out.minimum, out.maximum, path(key));
}

Status ObjectReader::integer_range(std::string_view key, std::int32_t& minimum, std::int32_t& maximum) const {
  if (!has(key)) {
    return {};
  }
  const Json* a = nullptr;
  const Json* b = nullptr;
  STREW_RETURN_IF_ERROR(two_ends(key, true, a, b));
  const std::string first_path = a == b ? path(key) : index_path(path(key), 0);
  const std::string second_path = a == b ? path(key) : index_path(path(key), 1);
  STREW_ASSIGN(const double low, number_at(*a, *scope_, first_path, field(key)));
  STREW_ASSIGN(const double high, number_at(*b, *scope_, second_path, field(key)));
  if (!is_whole(low) || !is_whole(high)) {
    const bool first = !is_whole(low);
    return invalid_argument("is " + number_text(first ? low : high) + "; expected a whole number",
                            first ? first_path : second_path);
  }
  STREW_RETURN_IF_ERROR(check_order(low, high, path(key)));
  minimum = static_cast<std::int32_t>(low);
  maximum = static_cast<std::int32_t>(high);
  return {};
}

Result<ObjectReader> ObjectReader::child(std::string_view key) const {
  return open(*find(key), path(key), *field(key).object, *scope_);
}

Status ObjectReader::check_list(std::string_view key, const Json& list) const {
  if (!list.is_array()) {
    return invalid_argument("is " + describe(list) + "; expected an array [...] of " +
                                std::string(field(key).object->name) + " objects",
                            path(key));
  }
  if (list.empty() && field(key).required) {
    return invalid_argument("is an empty array; give at least one " + std::string(field(key).object->name),
                            path(key));
  }
  return {};
}

}  // namespace strew::world_file
