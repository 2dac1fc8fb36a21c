#include "each_index.hpp"

#include <mutex>
#include <utility>

namespace strew_tool {

strew::Status for_each_index(const strew::RunContext& context, std::uint64_t count, const char* stopped,
                             const std::function<strew::Status(std::uint64_t)>& step) {
  struct Task {
    const strew::RunContext& context;
    const char* stopped;
    const std::function<strew::Status(std::uint64_t)>& step;
    std::mutex mutex;
    strew::Status failure;
  } task{context, stopped, step, {}, {}};
  const auto call = [](void* self, std::uint64_t index, std::uint32_t) -> int {
    Task& t = *static_cast<Task*>(self);
    strew::Status status =
        t.context.cancelled() ? strew::make_error(strew::StatusCode::kCancelled, t.stopped) : t.step(index);
    if (status.ok()) {
      return 0;
    }
    const std::lock_guard lock(t.mutex);
    if (t.failure.ok()) {
      t.failure = std::move(status);
    }
    return 1;
  };
  const strew::Executor& executor =
      context.executor != nullptr ? *context.executor : strew::serial_executor();
  static_cast<void>(executor.run(executor.self, count, &task, call));
  return task.failure;
}

}  // namespace strew_tool
