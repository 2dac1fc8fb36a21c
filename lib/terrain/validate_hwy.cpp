// Batched validation by Highway: 64 points a call, one pass per rule over arrays of the block, the cheap ones
// first. Points that cheap rules reject are squeezed out before the dear ones where that saves vectors.
//
// Every step repeats the reference's arithmetic lane by lane: the same operations in the same order on the
// same types, so the bits are the same on every target.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "validate_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <algorithm>

#include "validate_kernels.hpp"
#include "validate_noise-inl.hpp"
#include "validate_sample-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::uint64_t first_bits(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

inline std::uint32_t count_bits(std::uint64_t bits) {
  return static_cast<std::uint32_t>(hwy::PopCount(bits));
}

/// Positions of the points that are still in play, padded to whole vectors, and their numbers in the block.
struct Survivors {
  alignas(64) Coord x[kBlockPoints];
  alignas(64) Coord y[kBlockPoints];
  std::uint8_t number[kBlockPoints];
  std::uint32_t count = 0;
  bool squeezed = false;

  /// Bits by place among the survivors to bits by number in the block.
  [[nodiscard]] std::uint64_t spread(std::uint64_t bits) const {
    if (!squeezed) {
      return bits;
    }
    std::uint64_t out = 0;
    for (; bits != 0; bits &= bits - 1) {
      out |= std::uint64_t{1} << number[hwy::Num0BitsBelowLS1Bit_Nonzero64(bits)];
    }
    return out;
  }
};

class Block {
 public:
  Block(const PreparedRules& rules, const Coord* x, const Coord* y, std::uint32_t count, double* altitude,
        RejectionCounts& counts)
      : rules_(rules), x_(x), y_(y), size_(count), count_(count), altitude_(altitude), counts_(counts) {
    if (count < kBlockPoints) {
      // Vectors run past the end: the last point stands in for what is not there.
      for (std::uint32_t i = 0; i < kBlockPoints; ++i) {
        packed_.x[i] = x[std::min(i, count - 1)];
        packed_.y[i] = y[std::min(i, count - 1)];
      }
      x_ = packed_.x;
      y_ = packed_.y;
    }
    alive_ = first_bits(count);
  }

  std::uint64_t run() {
    const Constraints& constraints = rules_.constraints;
    place();
    if (constraints.slope_degrees && !rules_.slope_with_elevation && alive_ != 0) {
      slope();
    }
    for (std::size_t i = 0; i < constraints.maps.size() && alive_ != 0; ++i) {
      map(i);
    }
    if (constraints.noise && alive_ != 0) {
      noise();
    }
    if (!constraints.shapes.empty()) {
      shapes();
    }
    return alive_;
  }

 private:
  void reject(std::uint64_t bits, Rejection reason) {
    bits &= alive_;
    if (bits != 0) {
      counts_[static_cast<std::size_t>(reason)] += count_bits(bits);
      alive_ &= ~bits;
    }
  }

  /// Elevation and biome, and slope where it comes with the elevation at little cost; the rules on them.
  void place() {
    const TerrainView& terrain = rules_.terrain;
    const Constraints& constraints = rules_.constraints;
    Sampled elevation{~std::uint64_t{0}, ~std::uint64_t{0}};
    std::uint64_t slope_known = 0;
    alignas(64) double spare[kBlockPoints];
    alignas(64) double slopes[kBlockPoints];
    double* const heights = size_ == kBlockPoints ? altitude_ : spare;
    GridPlaces places;
    if (!terrain.elevation.empty()) {
      place_block(rules_.elevation_frame, x_, y_, size_, places);
      if (rules_.slope_with_elevation) {
        const TwiceSampled both = sample_both(terrain.elevation, terrain.slope, rules_.elevation_frame,
                                              places, size_, heights, slopes);
        elevation = both.first;
        slope_known = both.second_known;
      } else {
        elevation = sample_raster(terrain.elevation, rules_.elevation_frame, places, size_, heights);
      }
    } else {
      std::fill(heights, heights + kBlockPoints, 0.0);
    }
    if (heights == spare) {
      std::copy(spare, spare + size_, altitude_);
    }
    reject(~elevation.inside, Rejection::kOutside);
    if (!terrain.biome.empty()) {
      if (!rules_.biome_on_elevation_grid) {
        place_block(rules_.biome_frame, x_, y_, size_, places);
      }
      const Classified biome =
          classify_block(terrain.biome, rules_.biome_frame, rules_.biome_classes, places, size_);
      reject(~biome.inside, Rejection::kOutside);
      reject(~elevation.known | biome.missing, Rejection::kNodata);
      reject(~biome.accepted, Rejection::kBiome);
    } else {
      reject(~elevation.known, Rejection::kNodata);
      if (constraints.biomes) {
        reject(~std::uint64_t{0}, Rejection::kBiome);
      }
    }
    if (constraints.altitude_m) {
      reject(~within_block(*constraints.altitude_m, heights, size_), Rejection::kAltitude);
    }
    if (rules_.slope_with_elevation) {
      reject(~slope_known, Rejection::kNodata);
      reject(~within_block(*constraints.slope_degrees, slopes, size_), Rejection::kSlope);
    }
  }

  /// sample_block, also of a raster one sample wide, which has no pair to gather.
  Sampled sample_raster(const RasterView<float>& raster, const GridFrame& frame, const GridPlaces& places,
                        std::uint32_t count, double* values) {
    if (raster.width > 1) {
      return sample_block(raster, frame, places, count, values);
    }
    Sampled result{0, 0};
    std::fill(values, values + kBlockPoints, 0.0);
    for (std::uint32_t i = 0; i < count; ++i) {
      const SampleState state = sample_bilinear(raster, frame, x_[i], y_[i], values[i]);
      result.inside |= std::uint64_t{state != SampleState::kOutside} << i;
      result.known |= std::uint64_t{state == SampleState::kValid} << i;
    }
    return result;
  }

  /// Drops the dead from x_ and y_ where fewer vectors remain then.
  void squeeze() {
    const std::uint32_t left = count_bits(alive_);
    const auto lanes = static_cast<std::uint32_t>(hn::Lanes(DReal()));
    if ((left + lanes - 1) / lanes + 1 >= (count_ + lanes - 1) / lanes) {
      return;
    }
    std::uint32_t n = 0;
    if (!packed_.squeezed) {
      for (std::uint64_t bits = alive_; bits != 0; bits &= bits - 1) {
        const auto i = static_cast<std::uint32_t>(hwy::Num0BitsBelowLS1Bit_Nonzero64(bits));
        packed_.x[n] = x_[i];
        packed_.y[n] = y_[i];
        packed_.number[n++] = static_cast<std::uint8_t>(i);
      }
    } else {
      for (std::uint32_t i = 0; i < count_; ++i) {
        packed_.x[n] = packed_.x[i];
        packed_.y[n] = packed_.y[i];
        packed_.number[n] = packed_.number[i];
        n += static_cast<std::uint32_t>((alive_ >> packed_.number[i]) & 1U);
      }
    }
    count_ = n;
    packed_.squeezed = true;
    for (const std::uint32_t end = std::min((n + lanes - 1) / lanes * lanes, kBlockPoints); n < end; ++n) {
      packed_.x[n] = packed_.x[count_ - 1];
      packed_.y[n] = packed_.y[count_ - 1];
    }
    x_ = packed_.x;
    y_ = packed_.y;
  }

  void slope() {
    if (rules_.terrain.slope.empty()) {
      reject(~std::uint64_t{0}, Rejection::kSlope);
      return;
    }
    squeeze();
    alignas(64) double values[kBlockPoints];
    GridPlaces places;
    place_block(rules_.slope_frame, x_, y_, count_, places);
    const Sampled slope = sample_raster(rules_.terrain.slope, rules_.slope_frame, places, count_, values);
    const std::uint64_t all = first_bits(count_);
    reject(packed_.spread(~slope.inside & all), Rejection::kOutside);
    reject(packed_.spread(~slope.known & all), Rejection::kNodata);
    reject(packed_.spread(~within_block(*rules_.constraints.slope_degrees, values, count_) & all),
           Rejection::kSlope);
  }

  void map(std::size_t index) {
    const FieldRule& rule = rules_.constraints.maps[index];
    if (rule.field >= rules_.terrain.maps.size()) {
      reject(~std::uint64_t{0}, Rejection::kMap);
      return;
    }
    squeeze();
    alignas(64) double values[kBlockPoints];
    GridPlaces places;
    place_block(rules_.map_frames[index], x_, y_, count_, places);
    const Sampled map =
        sample_raster(rules_.terrain.maps[rule.field], rules_.map_frames[index], places, count_, values);
    const std::uint64_t all = first_bits(count_);
    const std::uint64_t outside = packed_.spread(~map.inside & all);
    const std::uint64_t missing = packed_.spread(~map.known & all);
    std::uint64_t refused = packed_.spread(~field_block(rule, values, x_, y_, count_) & all);
    if (rule.accept_missing) {
      refused &= ~(outside | missing);
    } else {
      reject(outside, Rejection::kOutside);
      reject(missing, Rejection::kNodata);
    }
    reject(refused, Rejection::kMap);
  }

  void noise() {
    squeeze();
    const std::uint64_t passed = noise_block(rules_.noise, rules_.noise_threshold, x_, y_, count_);
    reject(packed_.spread(~passed & first_bits(count_)), Rejection::kNoise);
  }

  void shapes() {
    std::uint64_t refused = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      const std::uint32_t number = packed_.squeezed ? packed_.number[i] : i;
      if (((alive_ >> number) & 1U) != 0 && !shapes_accept(rules_, x_[i], y_[i])) {
        refused |= std::uint64_t{1} << number;
      }
    }
    reject(refused, Rejection::kShape);
  }

  const PreparedRules& rules_;
  const Coord* x_;
  const Coord* y_;
  std::uint32_t size_;   ///< points of the block
  std::uint32_t count_;  ///< points in x_ and y_
  double* altitude_;
  RejectionCounts& counts_;
  std::uint64_t alive_ = 0;
  Survivors packed_;
};

std::uint64_t validate_block(const PreparedRules& rules, const Coord* x, const Coord* y, std::uint32_t count,
                             double* altitude, RejectionCounts& counts) noexcept {
  return count == 0 ? 0 : Block(rules, x, y, count, altitude, counts).run();
}

}  // namespace strew::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew {

const KernelTable<ValidateBlockFn>& validate_kernels() noexcept {
  static constexpr KernelTable<ValidateBlockFn> kTable = STREW_KERNEL_TABLE(validate_block);
  return kTable;
}

ValidateBlockFn best_validate_kernel() noexcept {
  const KernelTable<ValidateBlockFn>& table = validate_kernels();
  for (std::size_t i = table.size(); i-- > 0;) {
    if (table[i] != nullptr && cpu_supports(static_cast<Isa>(i))) {
      return table[i];
    }
  }
  return validate_block_ref;
}

}  // namespace strew
#endif
