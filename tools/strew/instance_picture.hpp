// Instances over a picture, honest at any zoom: discs of their true size where a disc covers a pixel or more,
// blended density where it does not. What is drawn does not depend on the order in which tables are added.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "canvas.hpp"
#include "strew/scatter.hpp"

namespace strew_tool {

/// How the instances of one slot look.
struct SlotStyle {
  std::string name;
  double disc_m = 0.5;  ///< radius of the disc at scale 1
  std::vector<strew::SpeciesSpec> species;
  std::vector<Colour> colours;  ///< per species
};
/// `minimum_distance_m`: of the slot's points, 0 when none is promised; discs are a little under half of it,
/// so that neighbours do not touch. `index` and `count` of slots choose the hue.
[[nodiscard]] SlotStyle make_style(std::string name, double minimum_distance_m,
                                   std::span<const strew::SpeciesSpec> species, std::size_t index);

class InstancePicture {
 public:
  InstancePicture(const View& view, std::vector<SlotStyle> styles);
  /// Thread-safe. `tables`: one per style, in order.
  void add(std::span<const strew::InstanceTable> tables);
  void draw(Canvas& canvas) const;
  [[nodiscard]] const std::vector<SlotStyle>& styles() const noexcept { return styles_; }
  /// Instances whose place lies in the view, per slot.
  [[nodiscard]] const std::vector<std::uint64_t>& counts() const noexcept { return counts_; }
  [[nodiscard]] std::uint64_t count() const noexcept;

 private:
  struct Disc {
    float x = 0;
    float y = 0;
    float radius = 0;
    std::uint16_t slot = 0;
    std::uint16_t species = 0;
  };
  /// Sums of coverage in 1/1024 pixel, alone and times each colour channel: integers, so that order does not
  /// matter.
  struct Cover {
    std::uint64_t weight = 0;
    std::uint64_t r = 0;
    std::uint64_t g = 0;
    std::uint64_t b = 0;
  };
  void add_table(std::size_t slot, const strew::InstanceTable& table);

  View view_;
  std::vector<SlotStyle> styles_;
  std::vector<std::uint64_t> counts_;
  std::vector<bool> blended_;  ///< slots of which something was added to cover_
  std::vector<Cover> cover_;
  std::vector<Disc> discs_;
  std::mutex mutex_;
};

}  // namespace strew_tool
