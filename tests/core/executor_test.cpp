#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "strew/context.hpp"

#ifdef STREW_TEST_WITH_TBB
#include <oneapi/tbb/task_arena.h>
#endif

namespace strew {
namespace {

struct Visits {
  std::vector<std::atomic<int>> seen;
  std::vector<std::atomic<int>> busy;  // per worker
  std::atomic<int> clashes{0};
  Visits(std::size_t count, std::size_t workers) : seen(count), busy(workers) {}
};

int visit(void* task, std::uint64_t index, std::uint32_t worker) {
  auto& visits = *static_cast<Visits*>(task);
  if (worker >= visits.busy.size() || visits.busy[worker].fetch_add(1) != 0) {
    ++visits.clashes;
  }
  ++visits.seen[index];
  visits.busy[worker].fetch_sub(1);
  return 0;
}

void expect_each_index_once(const Executor& executor) {
  for (const std::uint64_t count : {0U, 1U, 2U, 1000U}) {
    Visits visits(count, executor.workers);
    EXPECT_EQ(executor.run(executor.self, count, &visits, visit), 0);
    for (const auto& seen : visits.seen) {
      ASSERT_EQ(seen.load(), 1);
    }
    EXPECT_EQ(visits.clashes.load(), 0);
  }
}

TEST(Executor, SerialAndShuffledVisitEachIndexOnce) {
  expect_each_index_once(serial_executor());
  const ShuffledExecutor shuffled(7, 5);
  expect_each_index_once(shuffled.executor());
}

TEST(Executor, ThreadPoolVisitsEachIndexOnce) {
  for (const std::uint32_t workers : {1U, 2U, 3U, 7U}) {
    const auto pool = ThreadPool::create(workers);
    ASSERT_TRUE(pool.ok());
    EXPECT_EQ(pool.value().executor().workers, workers);
    expect_each_index_once(pool.value().executor());
  }
}

int wait_for_three(void* task, std::uint64_t /*index*/, std::uint32_t /*worker*/) {
  auto& arrived = *static_cast<std::atomic<int>*>(task);
  ++arrived;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (arrived.load() < 3 && std::chrono::steady_clock::now() < until) {
    std::this_thread::yield();
  }
  return arrived.load() < 3 ? 1 : 0;
}

TEST(Executor, ASmallerPoolBesideItTakesNoWorkersFromAPool) {
  const auto two = ThreadPool::create(2);
  const auto seven = ThreadPool::create(7);
  ASSERT_TRUE(two.ok() && seven.ok());
  testing::internal::CaptureStderr();
  std::atomic<int> arrived{0};
  const Executor& executor = seven.value().executor();
  EXPECT_EQ(executor.run(executor.self, 7, &arrived, wait_for_three), 0);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");  // oneTBB says when it gives fewer
}

int stop_at_ten(void* task, std::uint64_t index, std::uint32_t /*worker*/) {
  ++*static_cast<std::atomic<int>*>(task);
  return index == 10 ? 42 : 0;
}

TEST(Executor, ANonZeroReturnStopsAndIsReported) {
  const auto pool = ThreadPool::create(3);
  ASSERT_TRUE(pool.ok());
  const ShuffledExecutor shuffled(1, 2);
  for (const Executor* executor : {&serial_executor(), &pool.value().executor(), &shuffled.executor()}) {
    std::atomic<int> calls{0};
    EXPECT_EQ(executor->run(executor->self, 100000, &calls, stop_at_ten), 42);
    EXPECT_LT(calls.load(), 100001);
  }
}

#ifdef STREW_TEST_WITH_TBB
TEST(Executor, AHostsArenaIsUsed) {
  oneapi::tbb::task_arena arena(2);
  const auto pool = ThreadPool::on_arena(&arena);
  ASSERT_TRUE(pool.ok()) << pool.status().text();
  EXPECT_EQ(pool.value().executor().workers, 2U);
  expect_each_index_once(pool.value().executor());
  EXPECT_EQ(ThreadPool::on_arena(nullptr).status().where, "task_arena");
}
#endif

TEST(Executor, TooManyWorkersIsRefusedByName) {
  const auto pool = ThreadPool::create(5000);
  ASSERT_FALSE(pool.ok());
  EXPECT_EQ(pool.status().where, "workers");
}

}  // namespace
}  // namespace strew
