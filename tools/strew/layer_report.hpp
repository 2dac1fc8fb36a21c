// What became of a world's layers in a region: a table for people, an object for scripts.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "strew/scatter.hpp"

namespace strew_tool {

/// Collects the instances of a region and of a margin around it, and what was rejected in the region.
class LayerReport {
 public:
  /// Nearest neighbours are looked for up to `margin` from a point of the region.
  LayerReport(const strew::Scatter& scatter, const strew::Rect& region, strew::Coord margin);
  /// Thread-safe. `tables` and `reports` in slot order; tables may reach beyond the region, the reports of
  /// places outside it must not be added.
  void add(std::span<const strew::InstanceTable> tables, std::span<const strew::SlotReport> reports);
  [[nodiscard]] std::string table() const;
  [[nodiscard]] std::string json() const;

 private:
  struct Nearest {
    double least = 0;
    double mean = 0;
    std::uint64_t alone = 0;  ///< with no neighbour within the margin; not in the mean
  };
  [[nodiscard]] Nearest nearest(std::size_t slot) const;
  [[nodiscard]] double square_kilometres() const;
  /// Of a layer with an amount, for the whole world.
  [[nodiscard]] std::optional<std::uint64_t> requested(std::size_t slot) const;

  const strew::Scatter& scatter_;
  strew::Rect region_;
  strew::Coord margin_;
  std::vector<strew::SlotReport> reports_;
  std::vector<std::vector<strew::Coord>> x_;
  std::vector<std::vector<strew::Coord>> y_;
  std::mutex mutex_;
};

}  // namespace strew_tool
