// What a bake is going to be, before its first tile.
#pragma once

#include "strew/world/bake.hpp"

namespace strew {

/// Checks the options, and returns the manifest but for what baking finds out: hash, counts and tiles. May
/// throw std::bad_alloc.
[[nodiscard]] Result<Manifest> plan_manifest(const Scatter& scatter, const BakeOptions& options);

}  // namespace strew
