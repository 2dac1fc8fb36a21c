// JSON text to a document, with errors that name line and column, and duplicate keys refused.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "strew/status.hpp"

namespace strew::world_file {

using Json = nlohmann::json;

/// Deeper nesting than any world needs; a bound keeps hostile input from exhausting memory by depth.
inline constexpr std::size_t kMaximumDepth = 64;

/// Parses JSON with // and /* */ comments. A syntax error names line and column; a key given twice in one
/// object names its path, since keeping either of the two would be a guess.
[[nodiscard]] Result<Json> parse_document(std::string_view text);

/// "layers[2]" + "name" -> "layers[2].name"; an empty base gives the key alone.
[[nodiscard]] std::string key_path(const std::string& base, std::string_view key);
/// "layers" + 2 -> "layers[2]".
[[nodiscard]] std::string index_path(const std::string& base, std::size_t index);

}  // namespace strew::world_file
