#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "strew/random.hpp"
#include "world_parts.hpp"

namespace strew::world_file {
namespace {

/// FNV-1a, mixed: a stream per name that is the same on every platform.
std::uint64_t name_stream(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : name) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  }
  return mix64(hash);
}

Status unknown_biome(const std::string& name, const BiomeNames& names, std::string path) {
  std::vector<std::string_view> known;
  std::string list;
  for (const auto& [index, text] : names) {
    known.push_back(text);
    list += (list.empty() ? "" : ", ") + text;
  }
  const std::string fallback =
      known.empty() ? "; the world names no biomes: add \"biomes\": {\"1\": " + in_quotes(name) +
                          "} at its top, or give class numbers"
                    : "; known biomes: " + list;
  return invalid_argument("is the unknown biome " + in_quotes(name) + suggestion(name, known, fallback),
                          std::move(path));
}

Status add_biome(const Json& value, const Scope& scope, const BiomeNames& names, const std::string& path,
                 std::bitset<256>& out) {
  if (value.is_string()) {
    STREW_ASSIGN(const std::string name, text_at(value, scope, path));
    const auto found =
        std::find_if(names.begin(), names.end(), [&](const auto& item) { return item.second == name; });
    if (found == names.end()) {
      return unknown_biome(name, names, path);
    }
    out.set(found->first);
    return {};
  }
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 255) {
    return invalid_argument(
        "is " + describe(value) + "; expected a biome's name or its class number from 0 to 255", path);
  }
  out.set(value.get<std::size_t>());
  return {};
}

Status read_biomes(const ObjectReader& reader, const BiomeNames& names,
                   std::optional<std::bitset<256>>& out) {
  const Json* list = reader.find("biomes");
  if (list == nullptr) {
    return {};
  }
  if (!list->is_array() || list->empty()) {
    return invalid_argument(
        "is " + describe(*list) + "; expected an array of biome names, or leave it out for all",
        reader.path("biomes"));
  }
  std::bitset<256> classes;
  for (std::size_t i = 0; i < list->size(); ++i) {
    STREW_RETURN_IF_ERROR(
        add_biome((*list)[i], reader.scope(), names, index_path(reader.path("biomes"), i), classes));
  }
  out = classes;
  return {};
}

Status read_noise(const ObjectReader& reader, std::string_view owner, NoiseRule& out) {
  STREW_RETURN_IF_ERROR(reader.number("frequency", out.noise.frequency));
  STREW_RETURN_IF_ERROR(reader.integer("octaves", out.noise.octaves));
  STREW_RETURN_IF_ERROR(reader.number("gain", out.noise.gain));
  STREW_RETURN_IF_ERROR(reader.number("threshold", out.threshold));
  STREW_RETURN_IF_ERROR(reader.seed("seed", out.noise.seed));
  std::string kind = "fbm";
  STREW_RETURN_IF_ERROR(reader.text("kind", kind));
  if (kind != "fbm" && kind != "ridged") {
    return invalid_argument("is " + in_quotes(kind) + "; expected \"fbm\" or \"ridged\"",
                            reader.path("kind"));
  }
  out.noise.kind = kind == "ridged" ? NoiseKind::kRidged : NoiseKind::kFbm;
  out.noise.stream = name_stream(owner);
  return check_noise(out.noise, reader.path());
}

/// Reads which map or shape a rule is about.
Status read_field(const ObjectReader& reader, std::string_view key, const std::vector<std::string>& names,
                  std::uint32_t& out) {
  std::string name;
  STREW_RETURN_IF_ERROR(reader.text(key, name));
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    const std::vector<std::string_view> known(names.begin(), names.end());
    return invalid_argument("is the unknown " + std::string(key) + " " + in_quotes(name) +
                                suggestion(name, known, "; list it under terrain." + std::string(key) + "s"),
                            reader.path(key));
  }
  out = static_cast<std::uint32_t>(found - names.begin());
  return {};
}

/// Rules of one kind, each with a draw of its own: the owner's name, the field's, and the number of the rule.
Status read_fields(const ObjectReader& constraints, std::string_view list, std::string_view key,
                   const std::vector<std::string>& names, std::string_view owner,
                   std::vector<FieldRule>& out) {
  return constraints.each(list, [&](const ObjectReader& reader) -> Status {
    FieldRule rule;
    STREW_RETURN_IF_ERROR(read_field(reader, key, names, rule.field));
    std::optional<Range> accept;
    const bool is_map = key == "map";
    STREW_RETURN_IF_ERROR(reader.open_range(is_map ? "accept" : "distance_m", accept));
    STREW_RETURN_IF_ERROR(reader.number(is_map ? "falloff" : "falloff_m", rule.falloff));
    rule.accept = *accept;
    if (!is_map) {
      // An open end is open whatever the bounds of the field.
      rule.accept.minimum = rule.accept.minimum <= -10000 ? -HUGE_VAL : rule.accept.minimum;
      rule.accept.maximum = rule.accept.maximum >= 10000 ? HUGE_VAL : rule.accept.maximum;
    } else {
      std::string missing = "reject";
      STREW_RETURN_IF_ERROR(reader.text("missing", missing));
      if (missing != "reject" && missing != "accept") {
        return invalid_argument("is " + in_quotes(missing) + "; expected \"reject\" or \"accept\"",
                                reader.path("missing"));
      }
      rule.accept_missing = missing == "accept";
    }
    rule.key = mix64(name_stream(std::string(owner) + "/" + std::string(list)) +
                     name_stream(names[rule.field]) + out.size());
    out.push_back(rule);
    return {};
  });
}

}  // namespace

Result<std::uint8_t> biome_class(const std::string& text, const BiomeNames& names, const std::string& path) {
  const auto found =
      std::find_if(names.begin(), names.end(), [&](const auto& item) { return item.second == text; });
  if (found != names.end()) {
    return found->first;
  }
  std::uint8_t index = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error == std::errc() && stop == text.data() + text.size() && std::to_string(index) == text) {
    return index;
  }
  return unknown_biome(text, names, path);
}

Status read_constraints(const ObjectReader& reader, const Names& names, std::string_view owner,
                        Constraints& out) {
  STREW_RETURN_IF_ERROR(read_biomes(reader, names.biomes, out.biomes));
  STREW_RETURN_IF_ERROR(reader.open_range("altitude_m", out.altitude_m));
  STREW_RETURN_IF_ERROR(reader.open_range("slope_degrees", out.slope_degrees));
  if (reader.has("noise")) {
    STREW_ASSIGN(const ObjectReader noise, reader.child("noise"));
    out.noise.emplace();
    STREW_RETURN_IF_ERROR(read_noise(noise, owner, *out.noise));
  }
  STREW_RETURN_IF_ERROR(read_fields(reader, "maps", "map", names.maps, owner, out.maps));
  STREW_RETURN_IF_ERROR(read_fields(reader, "shapes", "shape", names.shapes, owner, out.shapes));
  return check_constraints(out, reader.path());
}

Status read_biome_names(const ObjectReader& world, const TerrainSpec& terrain, BiomeNames& out) {
  if (terrain.kind == TerrainSpec::Kind::kIsland) {
    out = island_biome_names();
  }
  const Json* names = world.find("biomes");
  if (names == nullptr) {
    return {};
  }
  if (!names->is_object()) {
    return invalid_argument(
        "is " + describe(*names) + "; expected an object of names by class, {\"1\": \"Forest\"}",
        world.path("biomes"));
  }
  for (const auto& item : names->items()) {
    const std::string path = key_path(world.path("biomes"), item.key());
    const std::string& key = item.key();
    std::uint8_t index = 0;
    const auto [stop, error] = std::from_chars(key.data(), key.data() + key.size(), index);
    if (error != std::errc() || stop != key.data() + key.size() || std::to_string(index) != key) {
      return invalid_argument("is not a biome class; keys are class numbers from \"0\" to \"255\"", path);
    }
    STREW_ASSIGN(std::string name, text_at(item.value(), world.scope(), path));
    out[index] = std::move(name);
  }
  for (auto a = out.begin(); a != out.end(); ++a) {
    for (auto b = out.begin(); b != a; ++b) {
      if (a->second == b->second) {
        return invalid_argument(
            "names class " + std::to_string(a->first) + " " + in_quotes(a->second) + ", as class " +
                std::to_string(b->first) +
                " is named; give each class its own name, or list both numbers where it is used",
            key_path(world.path("biomes"), std::to_string(a->first)));
      }
    }
  }
  return {};
}

}  // namespace strew::world_file
