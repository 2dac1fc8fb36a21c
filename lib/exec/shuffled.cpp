#include <numeric>
#include <utility>
#include <vector>

#include "strew/context.hpp"
#include "strew/random.hpp"

namespace strew {

ShuffledExecutor::ShuffledExecutor(std::uint64_t seed, std::uint32_t workers) noexcept
    : seed_(seed), executor_{run, this, workers < 1 ? 1 : workers} {}

int ShuffledExecutor::run(void* self, std::uint64_t count, void* task, TaskFn task_fn) {
  const auto& shuffled = *static_cast<const ShuffledExecutor*>(self);
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  for (std::uint64_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[mix64(shuffled.seed_ + i) % i]);
  }
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto worker = static_cast<std::uint32_t>(mix64(shuffled.seed_ ^ ~i) % shuffled.executor_.workers);
    if (const int stop = task_fn(task, order[i], worker); stop != 0) {
      return stop;
    }
  }
  return 0;
}

}  // namespace strew
