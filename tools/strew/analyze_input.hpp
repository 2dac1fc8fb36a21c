// Points to analyse: from a file or a bake, in a window, relative to an origin.
#pragma once

#include <string>
#include <vector>

#include "strew/analysis.hpp"

namespace strew_tool {

struct PointInput {
  std::string name;         ///< the path, and the layer of a bake
  std::string window_from;  ///< "bounding box", "--region", "region of the bake"
  double origin_x = 0;      ///< world position of (0, 0), whole metres
  double origin_y = 0;
  std::vector<double> x;  ///< relative to the origin
  std::vector<double> y;
  strew::PlaneWindow window;     ///< relative to the origin
  double promised_distance = 0;  ///< metres, as a bake's manifest states it; 0: none

  [[nodiscard]] strew::PointsView view() const { return {x, y, window}; }
};

struct InputOptions {
  std::string path;
  std::string region;  ///< "x0,y0,x1,y1" or empty
  std::string layer;   ///< of a bake; empty: the layer with the most primaries
};
[[nodiscard]] strew::Result<PointInput> read_input(const InputOptions& options);

}  // namespace strew_tool
