// Weights of pairs and the search for neighbours in poisson/elimination.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "domain.hpp"
#include "sites.hpp"
#include "strew/exact_math.hpp"

namespace strew::poisson {

/// Weight of a pair of candidates, in whole 2^-32 so that sums do not depend on their order: the paper's
/// (1 - d / 2 r_max)^alpha, d held above 2 r_min = 2 r_max (1 - (N / M)^1.5) 0.65 as in its section 3.
class PairWeight {
 public:
  PairWeight(const Domain& domain, double area, double kept, double candidates, std::int64_t alpha) noexcept
      : domain_(domain), alpha_(alpha) {
    constexpr double kBeta = 0.65;
    const double share = kept / candidates;
    range_ = 2 * exact_sqrt(area / (2 * exact_sqrt(3) * kept)) * static_cast<double>(kUnitsPerMetre);
    floor_ = (1 - share * exact_sqrt(share)) * kBeta;
  }
  /// 2 r_max in units: beyond it pairs have no weight.
  [[nodiscard]] double range() const noexcept { return range_; }
  [[nodiscard]] std::int64_t operator()(const Site& a, const Site& b) const noexcept {
    const auto dx = static_cast<double>(domain_.apart(a.x, b.x, domain_.width()));
    const auto dy = static_cast<double>(domain_.apart(a.y, b.y, domain_.height()));
    const double distance = exact_sqrt(dx * dx + dy * dy) / range_;
    if (distance >= 1) {
      return 0;
    }
    if (distance == 0) {
      return kCoincident;
    }
    const double closeness = 1 - std::max(distance, floor_);
    double weight = closeness;
    for (std::int64_t i = 1; i < alpha_; ++i) {
      weight *= closeness;
    }
    return static_cast<std::int64_t>(weight * 4294967296.0);
  }

 private:
  // Above every sum of other weights: one of two candidates at the same place goes before any other.
  static constexpr std::int64_t kCoincident = std::int64_t{1} << 57;
  Domain domain_;
  std::int64_t alpha_;
  double range_;
  double floor_;
};

/// Candidates by the cells of a grid whose cells are at least the range of the weights wide.
class CandidateGrid {
 public:
  CandidateGrid(const Domain& domain, double range, const std::vector<Site>& sites)
      : domain_(domain), columns_(domain.width(), range), rows_(domain.height(), range) {
    begin_.assign(static_cast<std::size_t>(columns_.count * rows_.count) + 1, 0);
    for (const Site& site : sites) {
      ++begin_[index(column_of(site), row_of(site)) + 1];
    }
    for (std::size_t i = 1; i < begin_.size(); ++i) {
      begin_[i] += begin_[i - 1];
    }
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    members_.resize(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) {
      members_[next[index(column_of(sites[i]), row_of(sites[i]))]++] = static_cast<std::uint32_t>(i);
    }
  }

  /// Calls visit(index) for every candidate that may be in range of `site`, itself included, once each.
  template <class Visit>
  void visit_near(const Site& site, const Visit& visit) const {
    const auto columns = columns_.around(column_of(site), domain_.torus);
    const auto rows = rows_.around(row_of(site), domain_.torus);
    for (std::size_t r = 0; r < rows.count; ++r) {
      for (std::size_t c = 0; c < columns.count; ++c) {
        const std::size_t cell = index(columns.cells[c], rows.cells[r]);
        for (std::uint32_t i = begin_[cell]; i < begin_[cell + 1]; ++i) {
          visit(members_[i]);
        }
      }
    }
  }

 private:
  struct Near {
    std::array<std::int64_t, 3> cells;
    std::size_t count = 0;
  };
  struct Axis {
    Axis(Coord length, double range) {
      // A hair wider than the range, so that rounding never puts two candidates in range two cells apart.
      constexpr double kMargin = 1.000001;
      constexpr double kMaxCells = 16384;
      const double fit = std::floor(static_cast<double>(length) / (range * kMargin));
      count = static_cast<std::int64_t>(std::clamp(fit, 1.0, kMaxCells));
      scale = static_cast<double>(count) / static_cast<double>(length);
    }
    [[nodiscard]] std::int64_t cell(Coord offset) const noexcept {
      return std::min(static_cast<std::int64_t>(static_cast<double>(offset) * scale), count - 1);
    }
    /// The cell and its neighbours, each once.
    [[nodiscard]] Near around(std::int64_t centre, bool wraps) const noexcept {
      Near near;
      for (std::int64_t i = centre - 1; i <= centre + 1; ++i) {
        const std::int64_t cell = floor_mod(i, count);
        const auto end = near.cells.begin() + near.count;
        if ((wraps || cell == i) && std::find(near.cells.begin(), end, cell) == end) {
          near.cells[near.count++] = cell;
        }
      }
      return near;
    }
    std::int64_t count;
    double scale;
  };

  [[nodiscard]] std::int64_t column_of(const Site& site) const noexcept {
    return columns_.cell(site.x - domain_.region.x0);
  }
  [[nodiscard]] std::int64_t row_of(const Site& site) const noexcept {
    return rows_.cell(site.y - domain_.region.y0);
  }
  [[nodiscard]] std::size_t index(std::int64_t column, std::int64_t row) const noexcept {
    return static_cast<std::size_t>(row * columns_.count + column);
  }

  Domain domain_;
  Axis columns_;
  Axis rows_;
  std::vector<std::uint32_t> begin_;  ///< per cell, into members_
  std::vector<std::uint32_t> members_;
};

}  // namespace strew::poisson
