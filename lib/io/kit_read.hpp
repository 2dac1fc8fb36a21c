// The two forms of a kit file.
#pragma once

#include "json_reader.hpp"
#include "strew/io/kit.hpp"

namespace strew::kit_file {

[[nodiscard]] Result<snap::Kit> read_own_form(const Json& document, const std::string& folder);
[[nodiscard]] Result<snap::Kit> read_unity_form(const Json& document, const std::string& folder);
/// Boxes for a piece without any: the bounds of its mesh, a little smaller across, so that neighbours may
/// touch.
void derive_boxes(snap::Piece& piece);

}  // namespace strew::kit_file
