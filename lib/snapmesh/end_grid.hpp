// Free connectors by place: a hash table of points, asked for those within a tenth of a millimetre.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "overlap.hpp"
#include "strew/random.hpp"

namespace strew::snap {

/// A free connector somewhere, for loops.
struct OpenEnd {
  Vec3 position;
  Vec3 heading;
  std::uint32_t placed = 0;
  std::uint32_t connector = 0;
};

/// Ends stay in the table when their connectors are used: the caller knows who is free. Forgetting all is
/// cheap, since heads of an older round count as empty.
class EndGrid {
 public:
  void clear() noexcept {
    ends_.clear();
    next_.clear();
    if (++round_ == 0) {
      heads_.assign(heads_.size(), {});
      round_ = 1;
    }
  }
  void add(const OpenEnd& end) {
    if (ends_.size() >= heads_.size()) {
      grow();
    }
    ends_.push_back(end);
    next_.push_back(0);
    link(ends_.size() - 1);
  }
  /// Calls visit(end) for each end whose cell is within kMeet of `at`, the last added first, until it returns
  /// true; whether one did.
  template <class Visit>
  bool any_near(const Vec3& at, const Visit& visit) const {
    if (ends_.empty()) {
      return false;
    }
    std::int64_t low[3];
    std::int64_t high[3];
    const double place[3] = {at.x, at.y, at.z};
    for (int a = 0; a < 3; ++a) {
      low[a] = cell_of(place[a] - kMargin);
      high[a] = cell_of(place[a] + kMargin);
    }
    for (std::int64_t z = low[2]; z <= high[2]; ++z) {
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        for (std::int64_t x = low[0]; x <= high[0]; ++x) {
          const Head& head = heads_[bucket(x, y, z)];
          for (std::uint32_t e = head.round == round_ ? head.end : 0; e != 0; e = next_[e - 1]) {
            if (visit(ends_[e - 1])) {
              return true;
            }
          }
        }
      }
    }
    return false;
  }

 private:
  struct Head {
    std::uint32_t round = 0;
    std::uint32_t end = 0;  ///< index + 1
  };
  static constexpr double kMargin = 2e-4;
  /// No multiple of it is a round number, so that places on a lattice seldom lie on the border of two cells.
  static constexpr double kPerMetre = 0.7320508075688772;

  [[nodiscard]] static std::int64_t cell_of(double at) noexcept {
    // Truncation is enough: the two cells about 0 are one.
    return static_cast<std::int64_t>(at * kPerMetre);
  }
  [[nodiscard]] std::size_t bucket(std::int64_t x, std::int64_t y, std::int64_t z) const noexcept {
    const std::uint64_t word = static_cast<std::uint64_t>(x) * 0x9E3779B97F4A7C15U ^
                               static_cast<std::uint64_t>(y) * 0xC2B2AE3D27D4EB4FU ^
                               static_cast<std::uint64_t>(z) * 0x165667B19E3779F9U;
    return static_cast<std::size_t>(word >> 32) & (heads_.size() - 1);
  }
  void link(std::size_t i) {
    const Vec3& p = ends_[i].position;
    Head& head = heads_[bucket(cell_of(p.x), cell_of(p.y), cell_of(p.z))];
    next_[i] = head.round == round_ ? head.end : 0;
    head = {round_, static_cast<std::uint32_t>(i + 1)};
  }
  void grow() {
    heads_.assign(heads_.empty() ? 128 : 4 * heads_.size(), {});
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      link(i);
    }
  }

  std::vector<Head> heads_;  ///< a power of two
  std::vector<OpenEnd> ends_;
  std::vector<std::uint32_t> next_;  ///< index + 1 of the next in the chain
  std::uint32_t round_ = 1;
};

}  // namespace strew::snap
