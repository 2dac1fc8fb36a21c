// The manifest of a bake as JSON text. load_manifest of strew/world/bake.hpp reads it back.
//
// Integers that a double may not hold (seed, coordinates, lattices) are decimal strings; hashes are strings
// of 16 hexadecimal digits; counts and sizes are numbers, at most 2^53.
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "strew/world/bake.hpp"

namespace strew {

inline constexpr std::string_view kManifestFormat = "strew-bake";
/// Version 2 has exact columns; a bake without them is written as version 1.
inline constexpr std::uint32_t kManifestVersion = 2;

/// One line per slot and per tile. Refuses text that is not UTF-8 (kInvalidArgument, naming the field).
[[nodiscard]] Result<std::string> manifest_text(const Manifest& manifest);
/// The same text in parts, for a manifest whose tiles are never in memory together: head, tiles, tail.
/// manifest_tile and manifest_tail may throw std::bad_alloc.
[[nodiscard]] Result<std::string> manifest_head(const Manifest& manifest);
[[nodiscard]] std::string manifest_tile(const BakedTile& tile, bool first);
[[nodiscard]] std::string manifest_tail(bool any_tile);
/// Parses and checks every field (kCorrupt, `where`: the path in the document); `name` names the file in
/// errors.
[[nodiscard]] Result<Manifest> parse_manifest(std::string_view text, const std::string& name);
/// Whether the file at `path` says all that `manifest` says but for its tiles.
[[nodiscard]] Result<bool> manifest_begins_with(const std::string& path, const Manifest& manifest);
/// Refuses a manifest file of a newer version, or one that is none, by a look at its first lines.
[[nodiscard]] Status check_manifest_version(const std::string& path);
/// Whether the text is a manifest of strew, of whatever version and in whatever state of repair. Memory does
/// not depend on its length.
[[nodiscard]] bool is_manifest(std::istream& text) noexcept;

}  // namespace strew
