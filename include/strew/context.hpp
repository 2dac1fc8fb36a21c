// RunContext: what an engine lends to a call. Threads, memory, progress, cancellation, the widest ISA
// allowed.
//
// Porting guide. To run strew on your own job system implement one function, Executor::run. It must call
// task_fn(task, index, worker) once for each index in [0, count), in any order, on any threads, and return
// after the last call has returned. `worker` is below `workers` and no two calls run at the same time with
// the same worker number. When task_fn returns non-zero, run may skip the indices it has not begun and must
// return that value (any one of them, if several tasks failed); otherwise it returns 0. Example, serial:
//
//   int run(void*, std::uint64_t count, void* task, strew::TaskFn fn) {
//     for (std::uint64_t i = 0; i < count; ++i) if (int stop = fn(task, i, 0)) return stop;
//     return 0;
//   }
//
// The library starts no threads of its own when an executor is given, and none at all when it is null: null
// means serial. Results never depend on the executor.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "strew/status.hpp"

namespace strew {

using TaskFn = int (*)(void* task, std::uint64_t index, std::uint32_t worker);

struct Executor {
  int (*run)(void* self, std::uint64_t count, void* task, TaskFn task_fn) = nullptr;
  void* self = nullptr;
  std::uint32_t workers = 1;  ///< worker numbers are below this
};

/// Scratch memory of a call. Both functions must be thread-safe. allocate returns null on failure, which
/// becomes StatusCode::kOutOfMemory. Output containers (std::vector members of results) use the global
/// allocator.
struct Allocator {
  void* (*allocate)(void* self, std::size_t bytes, std::size_t alignment) = nullptr;
  void (*release)(void* self, void* memory, std::size_t bytes, std::size_t alignment) = nullptr;
  void* self = nullptr;
};

/// Instruction sets in order of preference. A backend refuses an ISA that this machine or build lacks.
enum class Isa : std::uint8_t { kScalar = 0, kSse4, kAvx2, kAvx512, kBest };
/// "scalar", "sse4", "avx2", "avx512", "best".
[[nodiscard]] std::string_view to_string(Isa isa) noexcept;
[[nodiscard]] Result<Isa> parse_isa(std::string_view name);

struct RunContext {
  const Executor* executor = nullptr;    ///< null: serial, on the calling thread
  const Allocator* allocator = nullptr;  ///< null: the global aligned operator new
  /// Called with the fraction done in [0, 1] after each work item, from any worker, never concurrently.
  /// Returning false cancels the call.
  bool (*progress)(void* user, double fraction) = nullptr;
  void* progress_user = nullptr;
  const std::atomic<bool>* cancel = nullptr;  ///< looked at before each work item
  Isa max_isa = Isa::kBest;

  [[nodiscard]] bool cancelled() const noexcept {
    return cancel != nullptr && cancel->load(std::memory_order_relaxed);
  }
};

/// The serial executor that null stands for.
[[nodiscard]] const Executor& serial_executor() noexcept;
/// Number of workers of a context: 1 when it has no executor.
[[nodiscard]] inline std::uint32_t worker_count(const RunContext& context) noexcept {
  return context.executor != nullptr ? context.executor->workers : 1U;
}

/// A pool of `workers` threads on oneTBB (its own arena), or, where strew is built without oneTBB or under
/// the thread sanitizer, on plain std::thread. Threads are joined by the destructor. executor() stays valid
/// until then.
class ThreadPool {
 public:
  /// workers = 0 asks for as many as the machine has.
  [[nodiscard]] static Result<ThreadPool> create(std::uint32_t workers);
  /// Runs in the host's own oneTBB arena: `task_arena` points to an oneapi::tbb::task_arena that outlives the
  /// pool. As many workers as the arena has slots. kUnsupported where strew is built without oneTBB.
  [[nodiscard]] static Result<ThreadPool> on_arena(void* task_arena);
  ThreadPool(ThreadPool&&) noexcept;
  ThreadPool& operator=(ThreadPool&&) noexcept;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool();
  [[nodiscard]] const Executor& executor() const noexcept;

 private:
  struct Impl;
  explicit ThreadPool(std::unique_ptr<Impl> impl) noexcept;
  std::unique_ptr<Impl> impl_;
};

/// Runs the indices on the calling thread in a shuffled order with made-up worker numbers: finds any
/// dependence on order or worker without threads. Keep it alive while executor() is used; `workers` in [1,
/// 1024].
class ShuffledExecutor {
 public:
  ShuffledExecutor(std::uint64_t seed, std::uint32_t workers) noexcept;
  ShuffledExecutor(const ShuffledExecutor&) = delete;
  ShuffledExecutor& operator=(const ShuffledExecutor&) = delete;
  [[nodiscard]] const Executor& executor() const noexcept { return executor_; }

 private:
  static int run(void* self, std::uint64_t count, void* task, TaskFn task_fn);
  std::uint64_t seed_;
  Executor executor_;
};

}  // namespace strew
