// A bitmap font of 5 x 7 dots for legends: capitals, digits and a little punctuation; small letters are shown
// as capitals.
#pragma once

#include <array>
#include <cstdint>

namespace strew_tool {

inline constexpr std::int32_t kGlyphWidth = 5;
inline constexpr std::int32_t kGlyphHeight = 7;
/// Rows from the top; bit 4 of a row is its leftmost dot.
using Glyph = std::array<std::uint8_t, 7>;

/// A character without a glyph is shown as a hollow box.
[[nodiscard]] const Glyph& glyph_of(char letter) noexcept;

}  // namespace strew_tool
