// The built-in island. Everything is a function of the seed and of the place relative to the centre, so an
// island moved by whole cells is the same island, and windows agree sample for sample.
#include <algorithm>
#include <array>
#include <cmath>
#include <new>

#include "strew/exact_math.hpp"
#include "strew/world/world.hpp"

namespace strew {
namespace {

constexpr std::int32_t kCellMetres = 8;
constexpr Coord kCell = kCellMetres * kUnitsPerMetre;
// Up to this size an island is a scaled copy; beyond it mountains keep their natural size and there are more
// of them.
constexpr double kNaturalSizeM = 16000;
constexpr std::int32_t kRidgeOctaves = 7;
constexpr double kFinestWaveM = 40;  // coast detail below five cells would only alias

enum Stream : std::uint64_t { kCoastStream = 1, kUpliftStream, kMoistureStream, kHillStream, kRidgeStream };

enum Biome : std::uint8_t {
  kSea = 0,
  kBeach,
  kGrassland,
  kLowlandForest,
  kBroadleafForest,
  kConiferForest,
  kScrub,
  kRock,
  kAlpine,
};

float clamp_unit(float value) noexcept {
  return std::min(std::max(value, 0.0F), 1.0F);
}

// Rises from 0 at `low` to 1 at `high` with flat ends.
float smooth_step(float low, float high, float value) noexcept {
  const float t = clamp_unit((value - low) / (high - low));
  return t * t * (3.0F - 2.0F * t);
}

NoiseSpec noise_of(std::uint64_t seed, std::uint64_t stream, double wave_m, std::int32_t octaves) noexcept {
  NoiseSpec spec;
  spec.frequency = std::min(std::max(1.0 / wave_m, 1e-6), 1e3);
  spec.octaves = octaves;
  spec.seed = seed;
  spec.stream = stream;
  return spec;
}

// Octaves from `wave_m` down to the finest wave worth sampling.
std::int32_t octaves_down_from(double wave_m) noexcept {
  std::int32_t octaves = 1;
  while (octaves < 14 && wave_m > 2 * kFinestWaveM) {
    wave_m /= 2;
    ++octaves;
  }
  return octaves;
}

// Scratch of one row of samples.
struct RowBuffers {
  std::vector<float> coast;
  std::vector<float> uplift;
  std::vector<float> hills;
  std::vector<float> octave;
  std::vector<float> ridge;
  std::vector<float> carry;
  explicit RowBuffers(std::size_t width)
      : coast(width), uplift(width), hills(width), octave(width), ridge(width), carry(width) {}
};

class Island final : public TerrainSource {
 public:
  Island(std::uint64_t seed, Status usable, Coord centre_x, Coord centre_y, double size_m)
      : usable_(std::move(usable)),
        centre_x_(centre_x),
        centre_y_(centre_y),
        half_m_(size_m / 2),
        scale_(static_cast<float>(std::min(1.0, size_m / kNaturalSizeM))),
        coast_(noise_of(seed, kCoastStream, size_m / 3.5, octaves_down_from(size_m / 3.5))),
        uplift_(noise_of(seed, kUpliftStream, size_m / 3, 3)),
        moisture_(noise_of(seed, kMoistureStream, 2200.0 * scale_, 5)),
        hills_(noise_of(seed, kHillStream, 900.0 * scale_, 5)) {
    coast_.gain = 0.52;
    hills_.gain = 0.43;
    for (std::int32_t k = 0; k < kRidgeOctaves; ++k) {
      ridge_[static_cast<std::size_t>(k)] =
          noise_of(seed, kRidgeStream + static_cast<std::uint64_t>(k), 3800.0 * scale_ / (1 << k), 1);
    }
  }

  Status window(const Rect& need, TerrainWindow& out) const override {
    STREW_RETURN_IF_ERROR(usable_);
    out = {};
    if (need.empty()) {
      return {};
    }
    // Samples on both sides of every position, one more for Horn's operator.
    const std::int64_t column0 = floor_div(need.x0, kCell) - 1;
    const std::int64_t row0 = floor_div(need.y0, kCell) - 1;
    const std::int64_t width = floor_div(need.x1, kCell) + 3 - column0;
    const std::int64_t height = floor_div(need.y1, kCell) + 3 - row0;
    if (width > kMostSamples || height > kMostSamples || width * height > kMostSamples) {
      return make_error(StatusCode::kLimit,
                        "a window of " + std::to_string(width) + " x " + std::to_string(height) +
                            " samples is too large to hold; ask for a smaller region",
                        "terrain.island");
    }
    try {
      fill(column0, row0, static_cast<std::int32_t>(width), static_cast<std::int32_t>(height), out);
    } catch (const std::bad_alloc&) {
      out = {};
      return make_error(StatusCode::kOutOfMemory,
                        "no memory for a terrain window of " + std::to_string(width) + " x " +
                            std::to_string(height) + " samples; ask for a smaller region",
                        "terrain.island");
    }
    return {};
  }

 private:
  static constexpr std::int64_t kMostSamples = std::int64_t{1} << 30;

  void fill(std::int64_t column0, std::int64_t row0, std::int32_t width, std::int32_t height,
            TerrainWindow& out) const {
    const auto columns = static_cast<std::size_t>(width);
    const std::size_t count = columns * static_cast<std::size_t>(height);
    out.elevation.resize(count);
    out.slope.resize(count);
    out.biome.resize(count);
    RowBuffers buffers(columns);
    for (std::int32_t row = 0; row < height; ++row) {
      elevation_row(column0, row0 + row, buffers,
                    std::span(out.elevation).subspan(static_cast<std::size_t>(row) * columns, columns));
    }
    const RasterView<float> whole{out.elevation.data(), width,       height, width, 0, 0,
                                  kCellMetres,          kCellMetres, 0,      false};
    horn_slope(whole, out.slope);
    for (std::int32_t row = 0; row < height; ++row) {
      const std::size_t begin = static_cast<std::size_t>(row) * columns;
      gradient_noise_row(moisture_, column0 * kCell - centre_x_, (row0 + row) * kCell - centre_y_, kCell,
                         buffers.octave);
      for (std::size_t i = 0; i < columns; ++i) {
        out.biome[begin + i] = biome_of(out.elevation[begin + i], out.slope[begin + i], buffers.octave[i]);
      }
    }
    // The outer ring served Horn's operator and is not shown.
    const std::ptrdiff_t inner = width + 1;
    const Coord x0 = (column0 + 1) * kCell;
    const Coord y0 = (row0 + 1) * kCell;
    out.view.elevation = {out.elevation.data() + inner,
                          width - 2,
                          height - 2,
                          width,
                          x0,
                          y0,
                          kCellMetres,
                          kCellMetres,
                          0,
                          false};
    out.view.slope = {
        out.slope.data() + inner, width - 2, height - 2, width, x0, y0, kCellMetres, kCellMetres, 0, false};
    out.view.biome = {
        out.biome.data() + inner, width - 2, height - 2, width, x0, y0, kCellMetres, kCellMetres, 0, false};
  }

  // Musgrave's ridged multifractal: sharp where the noise crosses zero, and rough only where it is already
  // high, so valleys stay smooth. From 0 to 1.
  void ridge_row(Coord x, Coord y, RowBuffers& buffers) const {
    std::fill(buffers.ridge.begin(), buffers.ridge.end(), 0.0F);
    std::fill(buffers.carry.begin(), buffers.carry.end(), 1.0F);
    float amplitude = 0.58F;
    for (const NoiseSpec& octave : ridge_) {
      gradient_noise_row(octave, x, y, kCell, buffers.octave);
      for (std::size_t i = 0; i < buffers.octave.size(); ++i) {
        // Hills bend the crests, which would otherwise run from lattice point to lattice point.
        const float crest =
            clamp_unit(1.0F - 1.25F * std::fabs(buffers.octave[i] + 0.09F * buffers.hills[i]));
        const float signal = crest * crest * buffers.carry[i];
        buffers.ridge[i] += amplitude * signal;
        buffers.carry[i] = clamp_unit(1.6F * signal);
      }
      amplitude *= 0.42F;
    }
  }

  void elevation_row(std::int64_t column0, std::int64_t row, RowBuffers& buffers,
                     std::span<float> out) const {
    const Coord x = column0 * kCell - centre_x_;
    const Coord y = row * kCell - centre_y_;
    gradient_noise_row(coast_, x, y, kCell, buffers.coast);
    gradient_noise_row(uplift_, x, y, kCell, buffers.uplift);
    gradient_noise_row(hills_, x, y, kCell, buffers.hills);
    ridge_row(x, y, buffers);
    const double v = to_metres(y) / half_m_;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const double u = to_metres(x + static_cast<Coord>(i) * kCell) / half_m_;
      const auto radius = static_cast<float>(exact_sqrt(u * u + v * v));
      // Land is where this is positive. The last term keeps the sides of the square in the sea.
      const float rim = std::max(radius - 0.86F, 0.0F);
      const float inland = 0.76F - radius + 0.95F * buffers.coast[i] - 4.0F * rim;
      out[i] = scale_ * height_of(inland, 0.9F - radius + 0.8F * buffers.uplift[i], buffers.hills[i],
                                  buffers.ridge[i]);
    }
  }

  static float height_of(float inland, float interior, float hills, float ridge) noexcept {
    if (inland < 0.0F) {
      return std::max(inland * 260.0F, -140.0F);
    }
    const float plain = 120.0F * inland;
    const float rolling = smooth_step(0.02F, 0.35F, inland) * (0.5F + hills) * 60.0F;
    // The coast's fine detail must not carve the mountains, so it only holds them back from the shore.
    const float mountain = smooth_step(0.0F, 0.6F, inland) * smooth_step(0.0F, 0.9F, interior);
    return plain + std::max(rolling, 0.0F) + mountain * ridge * 1000.0F;
  }

  // Thresholds of altitude scale with the island, slopes do not.
  [[nodiscard]] Biome biome_of(float elevation, float slope, float moisture) const noexcept {
    if (elevation < 0.0F) {
      return kSea;
    }
    const float altitude = elevation / scale_;
    if (altitude < 4.0F && slope < 14.0F) {
      return kBeach;
    }
    if (slope > 38.0F) {
      return kRock;
    }
    const float shifted = altitude - 160.0F * moisture;
    if (shifted > 690.0F) {
      return slope > 30.0F ? kRock : kAlpine;
    }
    if (shifted > 430.0F) {
      return moisture > -0.28F ? kConiferForest : kScrub;
    }
    if (altitude > 110.0F) {
      return moisture > -0.12F ? kBroadleafForest : kScrub;
    }
    return moisture > 0.02F ? kLowlandForest : kGrassland;
  }

  Status usable_;
  Coord centre_x_;
  Coord centre_y_;
  double half_m_;
  float scale_;
  NoiseSpec coast_;
  NoiseSpec uplift_;
  NoiseSpec moisture_;
  NoiseSpec hills_;
  std::array<NoiseSpec, kRidgeOctaves> ridge_;
};

}  // namespace

std::unique_ptr<TerrainSource> make_island(std::uint64_t seed, double centre_x_m, double centre_y_m,
                                           double size_m) {
  const Result<Coord> x = to_coord(centre_x_m, "terrain.island.centre");
  const Result<Coord> y = to_coord(centre_y_m, "terrain.island.centre");
  Status usable;
  if (!x.ok()) {
    usable = x.status();
  } else if (!y.ok()) {
    usable = y.status();
  } else if (!(size_m >= 100 && size_m <= 1e6)) {
    usable = invalid_argument("an island is 100 m to 1000000 m wide", "terrain.island.size_m");
  }
  const bool ok = usable.ok();
  return std::make_unique<Island>(seed, std::move(usable), ok ? x.value() : 0, ok ? y.value() : 0,
                                  ok ? size_m : kNaturalSizeM);
}

std::map<std::uint8_t, std::string> island_biome_names() {
  return {{kSea, "Sea"},
          {kBeach, "Beach"},
          {kGrassland, "Grassland"},
          {kLowlandForest, "Lowland forest"},
          {kBroadleafForest, "Broadleaf forest"},
          {kConiferForest, "Conifer forest"},
          {kScrub, "Scrub"},
          {kRock, "Rock"},
          {kAlpine, "Alpine"}};
}

}  // namespace strew
