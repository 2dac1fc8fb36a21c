#include <algorithm>
#include <cmath>
#include <vector>

#include "world_parts.hpp"

namespace strew::world_file {
namespace {

/// Refuses a name that an earlier item of the list has.
template <class Item>
Status check_unique(const std::vector<Item>& earlier, const std::string& name, const ObjectReader& reader) {
  const bool taken =
      std::any_of(earlier.begin(), earlier.end(), [&](const Item& item) { return item.name == name; });
  if (taken) {
    return invalid_argument("is " + in_quotes(name) + ", as an earlier one of the list; names must differ",
                            reader.path("name"));
  }
  return {};
}

/// Slots are called "layer/secondary", so a '/' inside either would make two slots look alike.
Status check_slot_name(const std::string& name, const ObjectReader& reader) {
  if (name.find('/') != std::string::npos) {
    return invalid_argument("is " + in_quotes(name) + "; names of layers and secondaries cannot hold a '/'",
                            reader.path("name"));
  }
  return {};
}

/// "nan", "-inf", "Infinity": never a value, whatever the parameter turns out to be.
bool reads_as_non_finite(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    text.erase(0, 1);
  }
  return text == "nan" || text == "inf" || text == "infinity";
}

Result<ParameterValue> parameter_at(const Json& raw, const Scope& scope, const std::string& path) {
  STREW_ASSIGN(const Json value, expand_value(raw, scope, path));
  if (value.is_boolean()) {
    return ParameterValue(value.get<bool>());
  }
  if (value.is_number_integer() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX)) {
    return ParameterValue(value.get<std::int64_t>());
  }
  if (value.is_number()) {
    // 6.0 and 6 are one configuration, so they must become one value. Beyond 2^53 a double is no exact count.
    const double number = value.get<double>();
    if (std::trunc(number) == number && std::fabs(number) <= 9007199254740992.0) {
      return ParameterValue(static_cast<std::int64_t>(number));
    }
    return ParameterValue(number);
  }
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    if (reads_as_non_finite(text)) {
      return invalid_argument("is " + describe(value) + "; a parameter must be finite, give a number", path);
    }
    return ParameterValue(text);
  }
  return invalid_argument("is " + describe(value) + "; expected a number, true, false or text", path);
}

Status read_parameters(const ObjectReader& reader, ParameterSet& out) {
  const Json* parameters = reader.find("parameters");
  if (parameters == nullptr) {
    return {};
  }
  const std::string path = reader.path("parameters");
  if (!parameters->is_object()) {
    return invalid_argument("is " + describe(*parameters) + "; expected an object such as {\"radius\": 4}",
                            path);
  }
  for (const auto& item : parameters->items()) {
    STREW_ASSIGN(ParameterValue value,
                 parameter_at(item.value(), reader.scope(), key_path(path, item.key())));
    out.set(item.key(), std::move(value));
  }
  return {};
}

/// `owner`: the full name of what they stand around; it keys their noise.
Status read_secondaries(const ObjectReader& parent, const Names& names, const std::string& owner, int depth,
                        std::vector<SecondarySpec>& out) {
  if (parent.has("secondaries") && depth > kMaxSecondaryDepth) {
    return invalid_argument("stand around secondaries that are " + std::to_string(kMaxSecondaryDepth) +
                                " levels deep, the most there may be; leave them out",
                            parent.path("secondaries"));
  }
  return parent.each("secondaries", [&](const ObjectReader& reader) -> Status {
    SecondarySpec secondary;
    STREW_RETURN_IF_ERROR(reader.text("name", secondary.name));
    STREW_RETURN_IF_ERROR(check_slot_name(secondary.name, reader));
    STREW_RETURN_IF_ERROR(check_unique(out, secondary.name, reader));
    STREW_RETURN_IF_ERROR(reader.integer_range("amount", secondary.amount_min, secondary.amount_max));
    STREW_RETURN_IF_ERROR(reader.range("ring_m", secondary.ring_m));
    if (secondary.ring_m.minimum == secondary.ring_m.maximum) {
      return invalid_argument("is a ring without area; make the minimum smaller than the maximum",
                              reader.path("ring_m"));
    }
    STREW_RETURN_IF_ERROR(reader.number("spacing_siblings_m", secondary.spacing_siblings_m));
    STREW_RETURN_IF_ERROR(reader.number("spacing_parents_m", secondary.spacing_parents_m));
    STREW_RETURN_IF_ERROR(reader.number("spacing_primaries_m", secondary.spacing_primaries_m));
    const std::string name = owner + "/" + secondary.name;
    const Json* constraints = reader.find("constraints");
    if (constraints != nullptr && *constraints != "inherit") {
      if (!constraints->is_object()) {
        return invalid_argument(
            "is " + describe(*constraints) + "; expected \"inherit\" or an object of constraints",
            reader.path("constraints"));
      }
      STREW_ASSIGN(const ObjectReader own, ObjectReader::open(*constraints, reader.path("constraints"),
                                                              constraints_object(), reader.scope()));
      STREW_RETURN_IF_ERROR(read_constraints(own, names, name, secondary.own_constraints.emplace()));
    }
    STREW_RETURN_IF_ERROR(read_species(reader, names, name, secondary.species));
    STREW_RETURN_IF_ERROR(read_secondaries(reader, names, name, depth + 1, secondary.secondaries));
    out.push_back(std::move(secondary));
    return {};
  });
}

Status read_amount(const ObjectReader& layer, std::optional<AmountSpec>& out) {
  if (layer.has("amount") && layer.has("reserved")) {
    return invalid_argument("stands beside amount; give one of the two", layer.path("reserved"));
  }
  for (const bool reserved : {false, true}) {
    const char* key = reserved ? "reserved" : "amount";
    if (!layer.has(key)) {
      continue;
    }
    STREW_ASSIGN(const ObjectReader reader, layer.child(key));
    std::int32_t minimum = 0;
    std::int32_t maximum = 0;
    if (reserved) {
      STREW_RETURN_IF_ERROR(reader.integer("count", minimum));
      maximum = minimum;
    } else {
      STREW_RETURN_IF_ERROR(reader.integer_range("count", minimum, maximum));
    }
    AmountSpec& amount = out.emplace();
    amount.choice = reserved ? AmountSpec::Choice::kReserved : AmountSpec::Choice::kSmallest;
    amount.minimum = minimum;
    amount.maximum = maximum;
    STREW_RETURN_IF_ERROR(reader.number("per_square_m", amount.per_square_m));
  }
  return {};
}

/// Precondition: the names of all layers are known, so that a later layer is told from an unknown one.
Status read_spacing(const ObjectReader& reader, const std::vector<std::string>& names, std::size_t index,
                    LayerSpec& layer) {
  const Json* spacing = reader.find("spacing_m");
  if (spacing == nullptr) {
    return {};
  }
  if (!spacing->is_object()) {
    return invalid_argument("is " + describe(*spacing) + "; expected an object such as {\"canopy\": 1.0}",
                            reader.path("spacing_m"));
  }
  for (const auto& item : spacing->items()) {
    const std::string path = key_path(reader.path("spacing_m"), item.key());
    const auto found = std::find(names.begin(), names.end(), item.key());
    const auto at = static_cast<std::size_t>(found - names.begin());
    if (found == names.end()) {
      const std::vector<std::string_view> earlier(names.begin(),
                                                  names.begin() + static_cast<std::ptrdiff_t>(index));
      return invalid_argument(
          "is not the name of a layer" +
              suggestion(item.key(), earlier, "; spacing is kept to earlier layers of the list"),
          path);
    }
    if (at == index) {
      return invalid_argument("is the layer itself; the strategy's own parameters space a layer's points",
                              path);
    }
    if (at > index) {
      return invalid_argument("is a later layer; spacing is kept to earlier layers only, so list " +
                                  in_quotes(item.key()) + " before " + in_quotes(layer.name),
                              path);
    }
    STREW_ASSIGN(const double metres,
                 number_at(item.value(), reader.scope(), path, reader.field("spacing_m")));
    layer.spacing_m.emplace_back(item.key(), metres);
  }
  return {};
}

}  // namespace

Status read_layers(const ObjectReader& world, const Names& names, std::vector<LayerSpec>& out) {
  STREW_RETURN_IF_ERROR(world.each("layers", [&](const ObjectReader& reader) -> Status {
    LayerSpec layer;
    STREW_RETURN_IF_ERROR(reader.text("name", layer.name));
    STREW_RETURN_IF_ERROR(check_slot_name(layer.name, reader));
    STREW_RETURN_IF_ERROR(check_unique(out, layer.name, reader));
    STREW_RETURN_IF_ERROR(reader.text("strategy", layer.strategy));
    STREW_RETURN_IF_ERROR(reader.text("stream", layer.stream));
    if (reader.has("class")) {
      std::int32_t number = 0;
      STREW_RETURN_IF_ERROR(reader.integer("class", number));
      layer.point_class = static_cast<std::uint8_t>(number);
    }
    STREW_RETURN_IF_ERROR(read_parameters(reader, layer.parameters));
    if (reader.has("constraints")) {
      STREW_ASSIGN(const ObjectReader constraints, reader.child("constraints"));
      STREW_RETURN_IF_ERROR(read_constraints(constraints, names, layer.name, layer.constraints));
    }
    STREW_RETURN_IF_ERROR(read_species(reader, names, layer.name, layer.species));
    STREW_RETURN_IF_ERROR(read_amount(reader, layer.amount));
    STREW_RETURN_IF_ERROR(read_secondaries(reader, names, layer.name, 1, layer.secondaries));
    out.push_back(std::move(layer));
    return {};
  }));
  std::vector<std::string> layer_names;
  layer_names.reserve(out.size());
  for (const LayerSpec& layer : out) {
    layer_names.push_back(layer.name);
  }
  std::size_t index = 0;
  return world.each("layers", [&](const ObjectReader& reader) -> Status {
    const std::size_t at = index++;
    return read_spacing(reader, layer_names, at, out[at]);
  });
}

}  // namespace strew::world_file
