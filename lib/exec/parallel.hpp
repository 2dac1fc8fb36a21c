// parallel_for over a RunContext: errors by index, cancellation, progress.
#pragma once

#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <new>

#include "strew/context.hpp"

namespace strew {

/// Calls `body(index, worker)` -> Status for each index below `count` over context.executor. When several
/// calls fail, the error of the smallest failing index that ran is returned; after an error or a cancellation
/// no further index is begun. Exceptions of the body become Status. `context.progress` is called after each
/// index, one call at a time.
template <class Body>
[[nodiscard]] Status parallel_for(const RunContext& context, std::uint64_t count, const Body& body) {
  struct Shared {
    const RunContext& context;
    const Body& body;
    std::uint64_t count;
    std::mutex mutex;
    std::uint64_t done = 0;
    std::uint64_t failed_index = std::numeric_limits<std::uint64_t>::max();
    Status failure;

    int fail(std::uint64_t index, Status status) {
      const std::lock_guard lock(mutex);
      if (index < failed_index) {
        failed_index = index;
        failure = std::move(status);
      }
      return 1;
    }
    int finish(std::uint64_t index) {
      if (context.progress == nullptr) {
        return 0;
      }
      bool go_on = true;
      {
        const std::lock_guard lock(mutex);
        ++done;
        go_on =
            context.progress(context.progress_user, static_cast<double>(done) / static_cast<double>(count));
      }
      return go_on ? 0 : fail(index, make_error(StatusCode::kCancelled, "stopped by the progress callback"));
    }
  };
  Shared shared{context, body, count, {}, 0, std::numeric_limits<std::uint64_t>::max(), {}};
  const Executor& executor = context.executor != nullptr ? *context.executor : serial_executor();
  const int stopped = executor.run(
      executor.self, count, &shared, [](void* task, std::uint64_t index, std::uint32_t worker) -> int {
        auto& state = *static_cast<Shared*>(task);
        if (state.context.cancelled()) {
          return state.fail(index, make_error(StatusCode::kCancelled, "cancelled by the caller"));
        }
        try {
          if (Status status = state.body(index, worker); !status.ok()) {
            return state.fail(index, std::move(status));
          }
        } catch (const std::bad_alloc&) {
          return state.fail(index,
                            make_error(StatusCode::kOutOfMemory,
                                       "memory ran out; ask for a smaller region or use fewer workers"));
        } catch (const std::exception& error) {
          return state.fail(index, make_error(StatusCode::kInternal, error.what()));
        } catch (...) {
          return state.fail(index, make_error(StatusCode::kInternal,
                                              "a callback threw something that is no std::exception"));
        }
        return state.finish(index);
      });
  if (stopped != 0 && shared.failure.ok()) {
    return make_error(StatusCode::kInternal, "the executor stopped without an error from a task");
  }
  return shared.failure;
}

}  // namespace strew
