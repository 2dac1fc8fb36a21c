// What is left to make of a bake, what is being made, and by whom.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "bake_mpi.hpp"

namespace strew_tool {

/// Thread-safe. Worker 0 is the owner itself and is never given up.
class TileLedger {
 public:
  using Clock = std::chrono::steady_clock;

  /// A worker that has not committed for `patience`, and for twenty times the longest wait so far, is given
  /// up.
  TileLedger(strew::BakeJob& job, const MpiBake& bake, Clock::duration patience);

  /// Up to `count` tiles for a worker; none when nothing is left or the bake is to stop.
  [[nodiscard]] std::vector<std::uint64_t> take(int worker, std::size_t count);
  void commit(int worker, std::uint64_t tile, std::span<const std::byte> record);
  void fail(const strew::Status& status);
  /// Takes the tiles of workers that have not answered back; returns those workers.
  [[nodiscard]] std::vector<int> give_up_overdue();
  /// Nothing is left and nobody is at work.
  [[nodiscard]] bool settled();
  /// Ok when all is made; otherwise why not.
  [[nodiscard]] strew::Status outcome();

 private:
  struct Lease {
    std::vector<std::uint64_t> tiles;
    Clock::time_point since;
  };
  [[nodiscard]] bool stopped() const;

  strew::BakeJob& job_;
  const MpiBake& bake_;
  const Clock::duration patience_;
  std::mutex mutex_;
  std::deque<std::uint64_t> waiting_;
  std::map<int, Lease> leases_;
  std::uint64_t total_ = 0;
  std::uint64_t done_ = 0;
  std::uint64_t instances_ = 0;
  Clock::duration longest_{};
  bool cancelled_ = false;
  strew::Status failure_;
};

}  // namespace strew_tool
