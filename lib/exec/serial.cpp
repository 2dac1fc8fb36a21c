#include "strew/context.hpp"

namespace strew {
namespace {

int run_serial(void* /*self*/, std::uint64_t count, void* task, TaskFn task_fn) {
  for (std::uint64_t index = 0; index < count; ++index) {
    if (const int stop = task_fn(task, index, 0); stop != 0) {
      return stop;
    }
  }
  return 0;
}

}  // namespace

const Executor& serial_executor() noexcept {
  static constexpr Executor kSerial{run_serial, nullptr, 1};
  return kSerial;
}

}  // namespace strew
