// Levels of detail: which instances of a set stand for all of it.
#pragma once

#include <cstddef>
#include <vector>

#include "export_parts.hpp"

namespace strew::exporting {

/// Moves `wanted` of `placed` (all, when there are fewer) to the front: a subset that keeps apart, as blue
/// noise does, and thins what is dense before what is sparse. Instances are tried in an order drawn from
/// their ids, with a distance that begins at twice the spacing of `wanted` points in the area they take, and
/// shrinks by a fifth until enough have found room: the result is a function of the set alone. O(n) a round,
/// and few rounds.
void thin(std::vector<Placed>& placed, std::size_t wanted);

}  // namespace strew::exporting
