// What Recast can keep of a walker's settings, and the defaults worked out.
#include <algorithm>

#include "navmesh_impl.hpp"
#include "number_text.hpp"

namespace strew::nav {

Result<Settings> resolved(Settings s) {
  const auto within = [](double v, double low, double high) { return v >= low && v <= high; };
  if (!within(s.agent_radius, 0.01, 100) || !within(s.agent_height, 0.05, 1000) ||
      !within(s.agent_climb, 0, 100) || !within(s.agent_slope, 0, 89)) {
    return invalid_argument(
        "expected agent_radius 0.01 to 100 m, agent_height 0.05 to 1000 m, agent_climb 0 to 100 m, "
        "agent_slope 0 "
        "to 89 degrees",
        "navigation");
  }
  if (s.cell_size == 0) {
    s.cell_size = s.agent_radius / 6;
  }
  if (s.cell_height == 0) {
    s.cell_height = std::min(s.cell_size / 2, std::max(s.agent_climb / 4, 0.01));
  }
  if (!(s.cell_size > 0 && s.cell_size <= s.agent_radius / 4 + 1e-12)) {
    return invalid_argument("is " + number_text(s.cell_size) +
                                " m; expected above 0 and at most a quarter of " + "agent_radius, " +
                                number_text(s.agent_radius / 4) + " m (better a sixth)",
                            "cell_size");
  }
  if (!(s.cell_height > 0 && s.cell_height <= 10)) {
    return invalid_argument("is " + number_text(s.cell_height) + " m; expected above 0", "cell_height");
  }
  if (!within(s.min_region_area, 0, 1e6) || !within(s.edge_max_error, 0, 100) ||
      !within(s.jump_distance, 0, 100) || !within(s.drop_height, 0, 1000)) {
    return invalid_argument("min_region_area, edge_max_error, jump_distance and drop_height start at 0",
                            "navigation");
  }
  if (s.tile_cells != 0 && (s.tile_cells < 64 || s.tile_cells > 4096)) {
    return invalid_argument("is " + std::to_string(s.tile_cells) +
                                "; expected 64 to 4096 cells, or 0 for tiles where they are needed",
                            "tile_cells");
  }
  return s;
}

}  // namespace strew::nav
