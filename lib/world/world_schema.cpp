#include <cmath>
#include <cstdint>

#include "strew/world/world.hpp"
#include "world_fields.hpp"
#include "world_json.hpp"

namespace strew {
namespace {

using world_file::Field;
using world_file::FieldKind;
using world_file::Json;
using world_file::ObjectInfo;

Json reference(std::string_view name) {
  return {{"$ref", "#/$defs/" + std::string(name)}};
}

/// Whole bounds without ".0", as a person would write them.
Json bound(double value) {
  if (std::trunc(value) == value && std::fabs(value) < 1e15) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

Json number_schema(const Field& field, bool integer) {
  Json number = {{"type", integer ? "integer" : "number"}};
  if (std::isfinite(field.minimum)) {
    number[field.above_minimum ? "exclusiveMinimum" : "minimum"] = bound(field.minimum);
  }
  if (std::isfinite(field.maximum)) {
    number["maximum"] = bound(field.maximum);
  }
  return {{"anyOf", Json::array({number, reference("variable")})}};
}

Json two_of(const Json& item) {
  return {{"type", "array"}, {"items", item}, {"minItems", 2}, {"maxItems", 2}};
}

Json value_or_two(const Json& item) {
  return {{"anyOf", Json::array({item, two_of(item)})}};
}

Json or_null(Json item) {
  item["anyOf"].push_back({{"type", "null"}});
  return item;
}

Json field_schema(const Field& field) {
  switch (field.kind) {
    case FieldKind::kNumber:
      return number_schema(field, false);
    case FieldKind::kInteger:
      return number_schema(field, true);
    case FieldKind::kSeed:
      return {{"anyOf", Json::array({Json{{"type", "integer"}, {"minimum", 0}, {"maximum", UINT64_MAX}},
                                     reference("variable")})}};
    case FieldKind::kFlag:
      return {{"type", "boolean"}};
    case FieldKind::kText:
    case FieldKind::kPath:
      return {{"type", "string"}, {"minLength", 1}};
    case FieldKind::kPair:
    case FieldKind::kRange:
      return two_of(number_schema(field, false));
    case FieldKind::kOpenRange:
      return two_of(or_null(number_schema(field, false)));
    case FieldKind::kNumberOrRange:
      return value_or_two(number_schema(field, false));
    case FieldKind::kIntegerOrRange:
      return value_or_two(number_schema(field, true));
    case FieldKind::kObject:
      return reference(field.object->name);
    case FieldKind::kObjects: {
      Json list = {{"type", "array"}, {"items", reference(field.object->name)}};
      if (field.required) {
        list["minItems"] = 1;
      }
      return list;
    }
    case FieldKind::kOther:
      return Json::parse(field.schema);
  }
  return {};
}

/// The object's own schema; the objects below it are added to `definitions`.
Json object_schema(const ObjectInfo& info, Json& definitions) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Field& field : info.fields) {
    Json schema = field_schema(field);
    schema["description"] = field.description;
    if (!field.default_json.empty()) {
      schema["default"] = Json::parse(field.default_json);
    }
    properties[std::string(field.key)] = std::move(schema);
    if (field.required) {
      required.push_back(field.key);
    }
    if (field.object != nullptr && !definitions.contains(field.object->name)) {
      definitions[std::string(field.object->name)] = nullptr;  // an object may hold its own kind
      Json below = object_schema(*field.object, definitions);
      definitions[std::string(field.object->name)] = std::move(below);
    }
  }
  Json result = {{"type", "object"},
                 {"description", info.description},
                 {"properties", std::move(properties)},
                 {"additionalProperties", false}};
  if (!required.empty()) {
    result["required"] = std::move(required);
  }
  return result;
}

}  // namespace

std::string world_schema() {
  Json definitions = {
      {"variable",
       {{"type", "string"},
        {"pattern", R"(\$\{[A-Za-z_][A-Za-z0-9_]*\})"},
        {"description",
         "Text with a ${NAME}, replaced by a definition (-D NAME=VALUE) or an environment variable."}}}};
  Json schema = object_schema(world_file::world_object(), definitions);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "strew world file";
  schema["$defs"] = std::move(definitions);
  return schema.dump(2) + "\n";
}

}  // namespace strew
