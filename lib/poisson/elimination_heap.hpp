// Heap of poisson/elimination: the heaviest candidate first, whose neighbours' weights fall.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace strew::poisson {

/// Binary heap over the indices of `weights`; of equal weights the smaller index comes first, so the order is
/// total and the outcome does not depend on how the heap was built.
class EliminationHeap {
 public:
  explicit EliminationHeap(std::vector<std::int64_t>& weights)
      : weights_(weights), order_(weights.size()), place_(weights.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      order_[i] = place_[i] = static_cast<std::uint32_t>(i);
    }
    for (std::size_t i = order_.size() / 2; i > 0; --i) {
      sink(i - 1);
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  /// Removes the heaviest and returns its index. Precondition: size() > 0.
  [[nodiscard]] std::uint32_t pop() noexcept {
    const std::uint32_t top = order_.front();
    move_to(0, order_.back());
    order_.pop_back();
    if (!order_.empty()) {
      sink(0);
    }
    return top;
  }
  /// Lowers the weight of a candidate that is still in the heap.
  void lighten(std::uint32_t index, std::int64_t by) noexcept {
    weights_[index] -= by;
    sink(place_[index]);
  }

 private:
  [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const noexcept {
    return weights_[a] != weights_[b] ? weights_[a] > weights_[b] : a < b;
  }
  void move_to(std::size_t place, std::uint32_t index) noexcept {
    order_[place] = index;
    place_[index] = static_cast<std::uint32_t>(place);
  }
  void sink(std::size_t place) noexcept {
    const std::uint32_t index = order_[place];
    for (;;) {
      std::size_t child = 2 * place + 1;
      if (child >= order_.size()) {
        break;
      }
      if (child + 1 < order_.size() && before(order_[child + 1], order_[child])) {
        ++child;
      }
      if (!before(order_[child], index)) {
        break;
      }
      move_to(place, order_[child]);
      place = child;
    }
    move_to(place, index);
  }

  std::vector<std::int64_t>& weights_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> place_;
};

}  // namespace strew::poisson
