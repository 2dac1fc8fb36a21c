// The pictures of docs/poisson.md: strew_poisson_traps FOLDER writes what goes wrong in samplers that are
// almost right. Each picture is an average over seeds; the numbers are printed.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <string>
#include <vector>

#include "strew/analysis.hpp"
#include "strew/io/files.hpp"
#include "strew/random.hpp"
#include "strew/strategy.hpp"

namespace {

using namespace strew;

struct Plane {
  std::vector<double> x;
  std::vector<double> y;
};

/// Grey levels, row 0 at the top.
Image picture(std::size_t width, std::size_t height) {
  return {static_cast<std::int32_t>(width), static_cast<std::int32_t>(height),
          std::vector<std::uint8_t>(3 * width * height)};
}
void put(Image& image, std::size_t x, std::size_t y, double value) {
  const auto grey = static_cast<std::uint8_t>(std::clamp(value, 0.0, 1.0) * 255);
  std::fill_n(
      image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * (y * static_cast<std::size_t>(image.width) + x)), 3,
      grey);
}

/// A sampler by rounds on a torus of `side` cells of side 1 (radius sqrt 2): in each round every undecided
/// cell throws a dart on its uncovered ground, and darts of a higher priority than all in conflict become
/// points. Priorities are drawn anew in each round, whatever ground the cell has left: the mistake.
Plane rounds_with_fresh_priorities(int side, std::uint64_t seed) {
  const auto cells = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
  std::vector<double> px(cells);
  std::vector<double> py(cells);
  std::vector<std::uint32_t> priority(cells);
  enum : std::uint8_t { kUndecided, kPoint, kVoid };
  std::vector<std::uint8_t> state(cells, kUndecided);
  const PhiloxKey key = stream_key(seed, 0);
  const auto near = [&](std::size_t cell, const auto& visit) {
    const int cx = static_cast<int>(cell) % side;
    const int cy = static_cast<int>(cell) / side;
    for (int dy = -2; dy <= 2; ++dy) {
      for (int dx = -2; dx <= 2; ++dx) {
        const int x = (cx + dx + side) % side;
        const int y = (cy + dy + side) % side;
        if (dx != 0 || dy != 0) {
          visit(static_cast<std::size_t>(y * side + x), dx, dy);
        }
      }
    }
  };
  const auto closer = [](double dx, double dy) { return dx * dx + dy * dy < 2; };
  std::vector<std::size_t> open(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    open[i] = i;
  }
  for (std::uint32_t round = 0; !open.empty(); ++round) {
    std::vector<std::size_t> thrown;
    for (const std::size_t cell : open) {
      constexpr std::uint64_t kTries = 3000;  // a sliver that none of so many hits counts as covered
      bool found = false;
      for (std::uint64_t t = 0; t < kTries && !found; ++t) {
        const PhiloxCounter random = cell_draw(key, static_cast<std::int64_t>(cell), round, t);
        px[cell] = draw_unit(random[0]);
        py[cell] = draw_unit(random[1]);
        priority[cell] = random[2];
        bool covered = false;
        near(cell, [&](std::size_t other, int dx, int dy) {
          covered = covered ||
                    (state[other] == kPoint && closer(dx + px[other] - px[cell], dy + py[other] - py[cell]));
        });
        found = !covered;
      }
      if (found) {
        thrown.push_back(cell);
      } else {
        state[cell] = kVoid;
      }
    }
    std::vector<std::size_t> won;
    for (const std::size_t cell : thrown) {
      bool first = true;
      near(cell, [&](std::size_t other, int dx, int dy) {
        first = first && !(state[other] == kUndecided && priority[other] > priority[cell] &&
                           closer(dx + px[other] - px[cell], dy + py[other] - py[cell]));
      });
      if (first) {
        won.push_back(cell);
      }
    }
    for (const std::size_t cell : won) {
      state[cell] = kPoint;
    }
    open.clear();
    std::copy_if(thrown.begin(), thrown.end(), std::back_inserter(open),
                 [&](std::size_t cell) { return state[cell] == kUndecided; });
  }
  Plane plane;
  for (std::size_t i = 0; i < cells; ++i) {
    if (state[i] == kPoint) {
      plane.x.push_back(static_cast<double>(i % static_cast<std::size_t>(side)) + px[i]);
      plane.y.push_back(static_cast<double>(i / static_cast<std::size_t>(side)) + py[i]);
    }
  }
  return plane;
}

/// Points of a strategy on a square of `side` cells, in cells.
Result<Plane> made(const char* id, double side, std::uint64_t seed) {
  ParameterSet parameters;
  parameters.set("radius", std::sqrt(2.0));
  STREW_ASSIGN(const Rect square, rect_from_metres(0, 0, side, side, "square"));
  STREW_ASSIGN(const PointSet set, Generator().points(id, {square, seed, 0}, parameters, {}));
  Plane plane;
  for (std::size_t i = 0; i < set.size(); ++i) {
    plane.x.push_back(to_metres(set.unit_x(i)));
    plane.y.push_back(to_metres(set.unit_y(i)));
  }
  return plane;
}

/// Mean periodogram over seeds of a square of `side` cells, to 1.15 cycles a cell on either axis.
template <class Make>
Result<Image> spectrum_picture(const Make& make, int side, int seeds, const char* name) {
  const int reach = side * 115 / 100;
  const auto width = static_cast<std::size_t>(2 * reach + 1);
  std::vector<double> power(width * width);
  double count = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    STREW_ASSIGN(const Plane plane, make(static_cast<std::uint64_t>(seed)));
    PointsView view{plane.x, plane.y, {0, 0, static_cast<double>(side), static_cast<double>(side)}};
    STREW_ASSIGN(
        const SpectrumReport spectrum,
        measure_spectrum(view, {.max_frequency = 1.63, .segment_points = 32768, .max_segments = 1}, {}));
    const auto columns = static_cast<std::ptrdiff_t>(spectrum.columns);
    const auto rows = static_cast<std::ptrdiff_t>(spectrum.rows);
    for (std::ptrdiff_t y = -reach; y <= reach; ++y) {
      for (std::ptrdiff_t x = -reach; x <= reach; ++x) {
        power[static_cast<std::size_t>((y + reach) * (2 * reach + 1) + x + reach)] +=
            static_cast<double>(
                spectrum.power[static_cast<std::size_t>((y + rows / 2) * columns + x + columns / 2)]) /
            seeds;
      }
    }
    count += static_cast<double>(plane.x.size()) / seeds;
  }
  const auto at = [&](int x, int y) {
    return power[static_cast<std::size_t>((y + reach) * (2 * reach + 1) + x + reach)];
  };
  const auto harmonic = [&](int mode) { return (at(mode, 0) + at(0, mode)) / 2; };
  std::printf(
      "%-28s N r2 / A %.5f; S at 1/3, 2/3 and 1 cycle a cell: %.2f %.2f %.2f, beside: %.2f %.2f %.2f\n", name,
      count * 2 / (static_cast<double>(side) * side), harmonic(side / 3), harmonic(2 * side / 3),
      harmonic(side), harmonic(side / 3 + 3), harmonic(2 * side / 3 + 3), harmonic(side + 3));
  Image image = picture(width, width);
  for (std::size_t y = 0; y < width; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      // A dot of one wave vector would be lost in print: each pixel shows the greatest around it.
      double greatest = 0;
      for (std::size_t v = y == 0 ? 0 : y - 1; v <= std::min(y + 1, width - 1); ++v) {
        for (std::size_t u = x == 0 ? 0 : x - 1; u <= std::min(x + 1, width - 1); ++u) {
          const double value = power[v * width + u];
          greatest = std::max(greatest, value > 4 ? value : power[y * width + x]);
        }
      }
      put(image, x, width - 1 - y, greatest / 3);
    }
  }
  return image;
}

/// Density of points over a square of `side` cells, mean over seeds, 1 = grey.
Result<Image> density_picture(const char* id, int side, int seeds) {
  constexpr int kPixels = 3;  // to a cell
  const auto width = static_cast<std::size_t>(side * kPixels);
  std::vector<double> hits(width * width);
  double count = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    STREW_ASSIGN(const Plane plane, made(id, side, static_cast<std::uint64_t>(seed)));
    for (std::size_t i = 0; i < plane.x.size(); ++i) {
      const auto x = std::min(static_cast<std::size_t>(plane.x[i] * kPixels), width - 1);
      const auto y = std::min(static_cast<std::size_t>(plane.y[i] * kPixels), width - 1);
      hits[y * width + x] += 1;
      count += 1;
    }
  }
  const double mean = count / static_cast<double>(width * width);
  Image image = picture(width, width);
  for (std::size_t y = 0; y < width; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      put(image, x, width - 1 - y, hits[y * width + x] / mean / 2);
    }
  }
  double rim = 0;
  for (std::size_t i = 0; i < width; ++i) {
    rim += (hits[i] + hits[(width - 1) * width + i]) / static_cast<double>(2 * width);
  }
  std::printf("%-28s density at the rim %.2f of the mean\n", id, rim / mean);
  return image;
}

Status write(const std::string& folder, const char* name, const Result<Image>& image) {
  return image.ok() ? write_png(folder + "/" + name, image.value()) : image.status();
}

Status run(const std::string& folder) {
  constexpr int kSide = 96;
  constexpr int kSeeds = 48;
  const auto strategy = [](const char* id) {
    return [id](std::uint64_t seed) { return made(id, kSide, seed); };
  };
  const auto rounds = [](std::uint64_t seed) -> Result<Plane> {
    return rounds_with_fresh_priorities(kSide, seed);
  };
  STREW_RETURN_IF_ERROR(write(folder, "spectrum_tiled.png",
                              spectrum_picture(strategy("poisson/tiled"), kSide, kSeeds, "poisson/tiled")));
  STREW_RETURN_IF_ERROR(write(folder, "spectrum_phased.png",
                              spectrum_picture(strategy("poisson/phased"), kSide, kSeeds, "poisson/phased")));
  STREW_RETURN_IF_ERROR(write(folder, "spectrum_fresh_priorities.png",
                              spectrum_picture(rounds, kSide, kSeeds, "rounds, fresh priorities")));
  STREW_RETURN_IF_ERROR(write(folder, "density_bridson.png", density_picture("poisson/bridson", 60, 4000)));
  return write(folder, "density_tiled.png", density_picture("poisson/tiled", 60, 4000));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: strew_poisson_traps FOLDER\n", stderr);
    return 2;
  }
  const Status status = run(argv[1]);
  if (!status.ok()) {
    std::fprintf(stderr, "strew_poisson_traps: %s\n", status.text().c_str());
    return 1;
  }
  return 0;
}
