#include "tile_ledger.hpp"

#include <algorithm>

namespace strew_tool {

TileLedger::TileLedger(strew::BakeJob& job, const MpiBake& bake, Clock::duration patience)
    : job_(job), bake_(bake), patience_(patience), waiting_(job.pending().begin(), job.pending().end()) {
  total_ = waiting_.size();
}

bool TileLedger::stopped() const {
  return cancelled_ || !failure_.ok() || bake_.context.cancelled();
}

std::vector<std::uint64_t> TileLedger::take(int worker, std::size_t count) {
  const std::scoped_lock lock(mutex_);
  std::vector<std::uint64_t> tiles;
  while (!stopped() && tiles.size() < count && !waiting_.empty()) {
    tiles.push_back(waiting_.front());
    waiting_.pop_front();
  }
  if (!tiles.empty()) {
    leases_[worker] = {tiles, Clock::now()};
  }
  return tiles;
}

void TileLedger::commit(int worker, std::uint64_t tile, std::span<const std::byte> record) {
  const std::scoped_lock lock(mutex_);
  const auto instances = job_.commit(record);
  if (!instances.ok()) {
    failure_ = failure_.ok() ? instances.status() : failure_;
    return;
  }
  // A worker that was given up may answer after all: whoever has its tile now makes it a second time, to no
  // effect.
  if (const auto lease = leases_.find(worker); lease != leases_.end()) {
    longest_ = std::max(longest_, Clock::now() - lease->second.since);
    lease->second.since = Clock::now();
    std::erase(lease->second.tiles, tile);
    if (lease->second.tiles.empty()) {
      leases_.erase(lease);
    }
  }
  std::erase(waiting_, tile);
  instances_ += instances.value();
  ++done_;
  const strew::BakeProgress now{std::min(done_, total_), total_, instances_};
  if (bake_.progress != nullptr && !bake_.progress(bake_.progress_user, now)) {
    cancelled_ = true;
  }
}

void TileLedger::fail(const strew::Status& status) {
  const std::scoped_lock lock(mutex_);
  failure_ = failure_.ok() ? status : failure_;
}

std::vector<int> TileLedger::give_up_overdue() {
  const std::scoped_lock lock(mutex_);
  std::vector<int> lost;
  const Clock::duration limit = std::max(patience_, 20 * longest_);
  for (auto lease = leases_.begin(); lease != leases_.end();) {
    if (lease->first != 0 && Clock::now() - lease->second.since > limit) {
      lost.push_back(lease->first);
      waiting_.insert(waiting_.begin(), lease->second.tiles.begin(), lease->second.tiles.end());
      lease = leases_.erase(lease);
    } else {
      ++lease;
    }
  }
  return lost;
}

bool TileLedger::settled() {
  const std::scoped_lock lock(mutex_);
  return (waiting_.empty() || stopped()) && leases_.empty();
}

strew::Status TileLedger::outcome() {
  const std::scoped_lock lock(mutex_);
  if (!failure_.ok()) {
    return failure_;
  }
  return waiting_.empty()
             ? strew::Status{}
             : strew::make_error(strew::StatusCode::kCancelled,
                                 "the bake was stopped; the same command goes on from here", bake_.folder);
}

}  // namespace strew_tool
