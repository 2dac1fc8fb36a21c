// The folder that a bake fills: what may be in it, and what is removed from it.
#pragma once

#include <string>
#include <string_view>

#include "strew/status.hpp"

namespace strew {

/// Whether `name` is that of a tile file, finished or half written, as a bake makes them.
[[nodiscard]] bool is_tile_name(std::string_view name) noexcept;

/// Makes `folder` ready for a new bake: creates it, and removes what an unfinished bake left there. A
/// finished bake is refused without `force`; with it the manifest goes first, so that a folder never claims
/// tiles it has lost. A folder without a manifest that holds anything else is refused with or without
/// `force`: it is not ours to fill.
[[nodiscard]] Status prepare_bake_folder(const std::string& folder, bool force);

}  // namespace strew
