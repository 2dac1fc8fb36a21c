// Typed reading of JSON values with the place of every value in the message.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "strew/snapmesh.hpp"

namespace strew::kit_file {

using Json = nlohmann::json;

/// An object of a document and how messages call it.
struct ObjectAt {
  const Json& value;
  std::string where;

  [[nodiscard]] const Json* find(std::string_view key) const {
    const auto at = value.find(key);
    return at == value.end() || at->is_null() ? nullptr : &*at;
  }
  [[nodiscard]] std::string place(std::string_view key) const {
    return where.empty() ? std::string(key) : where + ": " + std::string(key);
  }
};

[[nodiscard]] Status check_object(const Json& value, const std::string& where);
/// Leave `out` untouched when the key is absent.
[[nodiscard]] Status read_number(const ObjectAt& object, std::string_view key, double& out);
[[nodiscard]] Status read_whole(const ObjectAt& object, std::string_view key, std::int32_t& out);
[[nodiscard]] Status read_flag(const ObjectAt& object, std::string_view key, bool& out);
[[nodiscard]] Status read_text(const ObjectAt& object, std::string_view key, std::string& out);
[[nodiscard]] Status read_vector(const ObjectAt& object, std::string_view key, snap::Vec3& out);
[[nodiscard]] Status read_quaternion(const ObjectAt& object, std::string_view key, snap::Quat& out);
[[nodiscard]] Status require(const ObjectAt& object, std::string_view key);
/// Refuses keys that are not in `known`, with the nearest one suggested.
[[nodiscard]] Status refuse_others(const ObjectAt& object, std::initializer_list<std::string_view> known);

/// Calls read(ObjectAt) for each object of the list at `key`, if there is one; messages call an item `one`
/// and its name, or its number.
template <class Read>
Status each(const ObjectAt& object, std::string_view key, std::string_view one, const Read& read) {
  const Json* const list = object.find(key);
  if (list == nullptr) {
    return {};
  }
  if (!list->is_array()) {
    return invalid_argument("expected a list", object.place(key));
  }
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Json& item = (*list)[i];
    std::string where = object.where.empty() ? std::string() : object.where + ", ";
    const bool named = item.is_object() && item.contains("name") && item["name"].is_string();
    where +=
        std::string(one) + " " + (named ? "\"" + item["name"].get<std::string>() + "\"" : std::to_string(i));
    STREW_RETURN_IF_ERROR(check_object(item, where));
    STREW_RETURN_IF_ERROR(read(ObjectAt{item, where}));
  }
  return {};
}

}  // namespace strew::kit_file
