// What Recast can keep of a walker's settings, and the defaults worked out.
#include <algorithm>

#include "navmesh_impl.hpp"
#include "number_text.hpp"

namespace strew::nav {

Result<Settings> resolved(Settings s) {
  struct Range {
    const char* name;
    double value;
    double low;
    double high;
    const char* unit;
  };
  for (const Range& r : {Range{"agent_radius", s.agent_radius, 0.01, 100, "m"},
                         Range{"agent_height", s.agent_height, 0.05, 1000, "m"},
                         Range{"agent_climb", s.agent_climb, 0, 100, "m"},
                         Range{"agent_slope", s.agent_slope, 0, 89, "degrees"},
                         Range{"min_region_area", s.min_region_area, 0, 1e6, "m2"},
                         Range{"edge_max_error", s.edge_max_error, 0, 100, "voxels"},
                         Range{"jump_distance", s.jump_distance, 0, 100, "m"},
                         Range{"drop_height", s.drop_height, 0, 1000, "m"}}) {
    if (!(r.value >= r.low && r.value <= r.high)) {
      return invalid_argument("is " + number_text(r.value) + "; expected " + number_text(r.low) + " to " +
                                  number_text(r.high) + " " + r.unit,
                              r.name);
    }
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
  if (s.tile_cells != 0 && (s.tile_cells < 64 || s.tile_cells > 4096)) {
    return invalid_argument("is " + std::to_string(s.tile_cells) +
                                "; expected 64 to 4096 cells, or 0 for tiles where they are needed",
                            "tile_cells");
  }
  return s;
}

}  // namespace strew::nav
