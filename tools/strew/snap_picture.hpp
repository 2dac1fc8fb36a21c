// A map from above, its ground coloured by region; a histogram.
#pragma once

#include <span>
#include <string>

#include "canvas.hpp"
#include "strew/navigation_recast.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew_tool {

[[nodiscard]] Colour region_colour(std::size_t region);
/// Words below a place.
struct PictureLabel {
  double x = 0;
  double y = 0;
  std::string words;
};
/// From above, north (y) up; `navmesh` may be null: the pieces alone. The ground coloured by region when
/// there is a navigation mesh, lighter where it is higher; the starter dotted, a scale bar, and the shares of
/// the largest regions. With labels (a kit) neither dot nor shares.
[[nodiscard]] strew::Image map_picture(const strew::snap::Kit& kit, const strew::snap::Map& map,
                                       const strew::nav::Navmesh* navmesh, const std::string& caption,
                                       std::span<const PictureLabel> labels = {});
[[nodiscard]] strew::Image histogram_picture(const strew::snap::Histogram& histogram,
                                             const std::string& caption);

}  // namespace strew_tool
