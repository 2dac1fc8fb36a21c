#include "json_reader.hpp"

#include <cmath>

#include "strew/strategy.hpp"

namespace strew::kit_file {
namespace {

std::string found(const Json& value) {
  std::string text = value.dump();
  if (text.size() > 60) {
    text = text.substr(0, 57) + "...";
  }
  return ", found " + text;
}

template <std::size_t N>
Status read_numbers(const ObjectAt& object, std::string_view key, double (&out)[N]) {
  const Json* const value = object.find(key);
  if (value == nullptr) {
    return {};
  }
  bool good = value->is_array() && value->size() == N;
  for (std::size_t i = 0; good && i < N; ++i) {
    good = (*value)[i].is_number();
  }
  if (!good) {
    return invalid_argument("expected " + std::to_string(N) + " numbers" + found(*value), object.place(key));
  }
  for (std::size_t i = 0; i < N; ++i) {
    out[i] = (*value)[i].template get<double>();
  }
  return {};
}

}  // namespace

Status check_object(const Json& value, const std::string& where) {
  return value.is_object() ? Status() : invalid_argument("expected an object" + found(value), where);
}

Status read_number(const ObjectAt& object, std::string_view key, double& out) {
  const Json* const value = object.find(key);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_number()) {
    return invalid_argument("expected a number" + found(*value), object.place(key));
  }
  out = value->get<double>();
  return {};
}

Status read_whole(const ObjectAt& object, std::string_view key, std::int32_t& out) {
  double number = out;
  STREW_RETURN_IF_ERROR(read_number(object, key, number));
  if (!(number >= -2147483648.0 && number <= 2147483647.0) || number != std::floor(number)) {
    return invalid_argument("expected a whole number" + found(*object.find(key)), object.place(key));
  }
  out = static_cast<std::int32_t>(number);
  return {};
}

Status read_flag(const ObjectAt& object, std::string_view key, bool& out) {
  const Json* const value = object.find(key);
  if (value == nullptr) {
    return {};
  }
  if (value->is_boolean()) {
    out = value->get<bool>();
    return {};
  }
  if (value->is_number_integer() && (*value == 0 || *value == 1)) {
    out = *value == 1;
    return {};
  }
  return invalid_argument("expected true or false" + found(*value), object.place(key));
}

Status read_text(const ObjectAt& object, std::string_view key, std::string& out) {
  const Json* const value = object.find(key);
  if (value == nullptr) {
    return {};
  }
  if (!value->is_string()) {
    return invalid_argument("expected text" + found(*value), object.place(key));
  }
  out = value->get<std::string>();
  return {};
}

Status read_vector(const ObjectAt& object, std::string_view key, snap::Vec3& out) {
  double numbers[3] = {out.x, out.y, out.z};
  STREW_RETURN_IF_ERROR(read_numbers(object, key, numbers));
  out = {numbers[0], numbers[1], numbers[2]};
  return {};
}

Status read_quaternion(const ObjectAt& object, std::string_view key, snap::Quat& out) {
  double numbers[4] = {out.x, out.y, out.z, out.w};
  STREW_RETURN_IF_ERROR(read_numbers(object, key, numbers));
  out = {numbers[0], numbers[1], numbers[2], numbers[3]};
  return {};
}

Status require(const ObjectAt& object, std::string_view key) {
  return object.find(key) != nullptr ? Status() : invalid_argument("must be given", object.place(key));
}

Status refuse_others(const ObjectAt& object, std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : object.value.items()) {
    bool fine = false;
    for (const std::string_view name : known) {
      fine = fine || name == key;
    }
    if (!fine) {
      const std::string_view near = nearest_name(key, std::span(known.begin(), known.size()));
      return invalid_argument(
          "unknown key" +
              (near.empty() ? std::string("; remove it") : "; did you mean \"" + std::string(near) + "\"?"),
          object.place(key));
    }
  }
  return {};
}

}  // namespace strew::kit_file
