#include "block_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

namespace strew_tool {
namespace {

struct Taken {
  unsigned char* at = nullptr;
  std::size_t bytes = 0;
  unsigned char mark = 0;
};

/// Takes and gives back at random, up to `most` blocks at a time; each is full of its mark, so that blocks
/// that overlap are found. Appends where the blocks were.
void work(std::uint64_t seed, int steps, std::size_t most, std::vector<void*>& places) {
  std::mt19937_64 random(seed);
  std::vector<Taken> held;
  const auto give_back = [&held](std::size_t i) {
    const Taken block = held[i];
    EXPECT_EQ(block.at[0], block.mark);
    EXPECT_EQ(block.at[block.bytes - 1], block.mark);
    EXPECT_EQ(std::memcmp(block.at, block.at + 1, block.bytes - 1), 0);
    EXPECT_TRUE(pool_give_back(block.at));
    held[i] = held.back();
    held.pop_back();
  };
  for (int step = 0; step < steps; ++step) {
    if (held.size() == most || (!held.empty() && random() % 3 == 0)) {
      give_back(random() % held.size());
      continue;
    }
    Taken block;
    block.bytes = kSmallestPoolBlock + random() % (std::size_t{1} << (14 + random() % 7));
    block.mark = static_cast<unsigned char>(random());
    block.at = static_cast<unsigned char*>(pool_take(block.bytes));
    ASSERT_NE(block.at, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.at) % kPoolAlignment, 0U);
    std::memset(block.at, block.mark, block.bytes);
    places.push_back(block.at);
    held.push_back(block);
  }
  while (!held.empty()) {
    give_back(held.size() - 1);
  }
}

class BlockPool : public testing::Test {
 protected:
  void SetUp() override {
    if (void* const block = pool_take(kSmallestPoolBlock); block != nullptr) {
      EXPECT_TRUE(pool_give_back(block));
    } else {
      GTEST_SKIP() << "this system has no pools";
    }
  }
};

TEST_F(BlockPool, WhatWentBeforeLeavesNoTrace) {
  std::vector<void*> fresh;
  work(1, 2000, 40, fresh);
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    std::vector<void*> other;
    work(seed, 500, 60, other);
  }
  std::vector<void*> again;
  work(1, 2000, 40, again);
  EXPECT_EQ(again, fresh);
}

TEST_F(BlockPool, OtherSizesAndBlocksAreNotItsOwn) {
  EXPECT_EQ(pool_take(0), nullptr);
  EXPECT_EQ(pool_take(kSmallestPoolBlock - 1), nullptr);
  EXPECT_EQ(pool_take(kLargestPoolBlock + 1), nullptr);
  EXPECT_EQ(pool_take(~std::size_t{0}), nullptr);
  EXPECT_FALSE(pool_give_back(nullptr));
  int on_stack = 0;
  EXPECT_FALSE(pool_give_back(&on_stack));
  const std::vector<char> small(100);
  EXPECT_FALSE(pool_give_back(const_cast<char*>(small.data())));
}

TEST_F(BlockPool, MoreThanOneRegionAndAllOfItGivenBack) {
  constexpr std::size_t kMany = 10;  // 640 MiB of address space, of which two pages each are touched
  std::vector<unsigned char*> blocks;
  for (std::size_t i = 0; i < kMany; ++i) {
    auto* const block = static_cast<unsigned char*>(pool_take(kLargestPoolBlock));
    ASSERT_NE(block, nullptr);
    block[0] = block[kLargestPoolBlock - 1] = static_cast<unsigned char>(i);
    blocks.push_back(block);
  }
  for (std::size_t i = 0; i < kMany; ++i) {
    EXPECT_EQ(blocks[i][0], i);
    EXPECT_EQ(blocks[i][kLargestPoolBlock - 1], i);
    EXPECT_TRUE(pool_give_back(blocks[i]));
  }
  // Its pages went back to the system and come again as zeros.
  auto* const block = static_cast<unsigned char*>(pool_take(kLargestPoolBlock));
  ASSERT_EQ(block, blocks[0]);
  EXPECT_EQ(block[kLargestPoolBlock - 1], 0);
  EXPECT_TRUE(pool_give_back(block));
}

TEST_F(BlockPool, ThreadsMayGiveBackWhatOthersTook) {
  constexpr std::size_t kThreads = 7;
  constexpr std::size_t kBlocks = 200;
  std::vector<std::vector<Taken>> taken(kThreads);
  const auto in_threads = [](const auto& task) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back(task, i);
    }
    for (std::thread& thread : threads) {
      thread.join();
    }
  };
  in_threads([&](std::size_t self) {
    for (std::size_t i = 0; i < kBlocks; ++i) {
      const Taken block{static_cast<unsigned char*>(pool_take(kSmallestPoolBlock + 64 * i)),
                        kSmallestPoolBlock + 64 * i, static_cast<unsigned char>(self * 31 + i)};
      ASSERT_NE(block.at, nullptr);
      std::memset(block.at, block.mark, block.bytes);
      taken[self].push_back(block);
    }
  });
  in_threads([&](std::size_t self) {
    for (const Taken& block : taken[(self + 3) % kThreads]) {
      EXPECT_EQ(block.at[0], block.mark);
      EXPECT_EQ(std::memcmp(block.at, block.at + 1, block.bytes - 1), 0);
      EXPECT_TRUE(pool_give_back(block.at));
    }
    std::vector<void*> places;
    work(self, 500, 20, places);
  });
}

}  // namespace
}  // namespace strew_tool
