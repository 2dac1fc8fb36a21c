// Every key of a world file, once: the parser refuses what is not here, and the schema is printed from here.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace strew::world_file {

enum class FieldKind : std::uint8_t {
  kNumber,
  kInteger,
  kSeed,            ///< integer in [0, 2^64)
  kFlag,            ///< true or false
  kText,            ///< non-empty text
  kPath,            ///< non-empty text
  kPair,            ///< two independent numbers
  kOpenRange,       ///< [minimum, maximum], either end may be null
  kRange,           ///< [minimum, maximum]
  kNumberOrRange,   ///< kRange, or one number for both ends
  kIntegerOrRange,  ///< the same in integers
  kObject,          ///< an object of `object`
  kObjects,         ///< an array of at least one object of `object`
  kOther,           ///< described in full by `schema`
};

struct ObjectInfo;

struct Field {
  std::string_view key;
  FieldKind kind = FieldKind::kOther;
  std::string_view description;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool above_minimum = false;  ///< the minimum itself is refused
  bool required = false;
  std::string_view default_json =
      {};  ///< what an absent key means, as JSON; empty: something JSON cannot say
  const ObjectInfo* object = nullptr;  ///< of kObject and kObjects
  std::string_view schema = {};        ///< of kOther: JSON Schema without the description
};

struct ObjectInfo {
  std::string_view name;
  std::string_view description;
  std::span<const Field> fields;
};

/// The root; the other objects hang from it through Field::object.
[[nodiscard]] const ObjectInfo& world_object() noexcept;
[[nodiscard]] const ObjectInfo& constraints_object() noexcept;

}  // namespace strew::world_file
