// The only file that names oneTBB.
#include <algorithm>
#include <atomic>
#include <exception>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "strew/context.hpp"

#ifdef STREW_WITH_TBB
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace strew {
namespace {
constexpr std::uint32_t kMaxWorkers = 1024;
}

struct ThreadPool::Impl {
  explicit Impl(std::uint32_t workers) : executor{run, this, workers} {
#ifdef STREW_WITH_TBB
    // oneTBB caps the process at the machine's cores unless told otherwise; more workers than cores must
    // still be that many, so that tests of 3 and 7 workers mean it. The least of all limits alive holds, so
    // every pool sets the same; where the host has set a lower one, an arena beyond it would make oneTBB
    // print.
    using Control = oneapi::tbb::global_control;
    allowed.emplace(Control::max_allowed_parallelism, kMaxWorkers);
    const std::size_t most = Control::active_value(Control::max_allowed_parallelism);
    own_arena.emplace(static_cast<int>(std::min<std::size_t>(workers, most)));
    arena = &*own_arena;
#endif
  }

#ifdef STREW_WITH_TBB
  Impl() : executor{run, this, 1} {}
#endif

  // Each worker takes the next index from one counter, so indices are begun in order: a list in Morton order
  // keeps its locality, and what is in flight is bounded by the number of workers.
  static int run(void* self, std::uint64_t count, void* task, TaskFn task_fn) {
    auto& impl = *static_cast<Impl*>(self);
    std::atomic<std::uint64_t> next{0};
    std::atomic<int> stopped{0};
    const auto work = [&](std::uint32_t worker) {
      while (stopped.load(std::memory_order_relaxed) == 0) {
        const std::uint64_t index = next.fetch_add(1, std::memory_order_relaxed);
        if (index >= count) {
          return;
        }
        if (const int stop = task_fn(task, index, worker); stop != 0) {
          stopped.store(stop, std::memory_order_relaxed);
        }
      }
    };
    const auto workers = static_cast<std::uint32_t>(std::min<std::uint64_t>(impl.executor.workers, count));
#ifdef STREW_WITH_TBB
    impl.arena->execute([&] {
      oneapi::tbb::parallel_for(std::uint32_t{0}, workers, work, oneapi::tbb::simple_partitioner{});
    });
#else
    std::vector<std::thread> threads;
    try {
      for (std::uint32_t worker = 1; worker < workers; ++worker) {
        threads.emplace_back(work, worker);
      }
    } catch (const std::exception&) {
      // The system gives no more threads: those that run take all the indices.
    }
    if (workers > 0) {
      work(0);
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
#endif
    return stopped.load(std::memory_order_relaxed);
  }

  Executor executor;
#ifdef STREW_WITH_TBB
  std::optional<oneapi::tbb::global_control> allowed;
  std::optional<oneapi::tbb::task_arena> own_arena;
  oneapi::tbb::task_arena* arena = nullptr;
#endif
};

Result<ThreadPool> ThreadPool::create(std::uint32_t workers) {
  if (workers > kMaxWorkers) {
    return invalid_argument("is " + std::to_string(workers) + "; give 1 to 1024, or 0 for all cores",
                            "workers");
  }
  if (workers == 0) {
    workers = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxWorkers);
  }
  try {
    return ThreadPool(std::make_unique<Impl>(workers));
  } catch (const std::exception& error) {
    return make_error(StatusCode::kUnsupported,
                      std::string("no thread pool could be made (") + error.what() + "); use fewer workers",
                      "workers");
  }
}

Result<ThreadPool> ThreadPool::on_arena(void* task_arena) {
#ifdef STREW_WITH_TBB
  if (task_arena == nullptr) {
    return invalid_argument("is null; pass a pointer to an oneapi::tbb::task_arena", "task_arena");
  }
  try {
    auto& arena = *static_cast<oneapi::tbb::task_arena*>(task_arena);
    auto impl = std::make_unique<Impl>();
    impl->arena = &arena;
    impl->executor.workers = static_cast<std::uint32_t>(std::max(1, arena.max_concurrency()));
    return ThreadPool(std::move(impl));
  } catch (const std::exception& error) {
    return make_error(StatusCode::kUnsupported, error.what(), "task_arena");
  }
#else
  static_cast<void>(task_arena);
  return make_error(StatusCode::kUnsupported, "this build of strew has no oneTBB; write an Executor instead",
                    "task_arena");
#endif
}

ThreadPool::ThreadPool(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
ThreadPool::ThreadPool(ThreadPool&&) noexcept = default;
ThreadPool& ThreadPool::operator=(ThreadPool&&) noexcept = default;
ThreadPool::~ThreadPool() = default;
const Executor& ThreadPool::executor() const noexcept {
  return impl_->executor;
}

}  // namespace strew
