// The JSON Schema of a map of snapped pieces, as map.json and strew snap --json have it.
#pragma once

#include <string_view>

namespace strew_tool {

[[nodiscard]] std::string_view map_schema() noexcept;

}  // namespace strew_tool
