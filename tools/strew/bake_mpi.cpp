#include "bake_mpi.hpp"

#include <fcntl.h>
#include <mpi.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "fmt/format.h"
#include "tile_ledger.hpp"

namespace strew_tool {
namespace {

using Bytes = std::vector<std::byte>;

/// kAsk: the sender wants tiles. kRecord: a tile's number and its record. kFailure: a code and a message.
/// kTiles: numbers of tiles. kWait: nothing now, ask again. kEnd: the bake is over.
enum Tag : int { kAsk = 1, kRecord, kFailure, kTiles, kWait, kEnd };

constexpr std::chrono::seconds kPatience{30};
// Of rank 0, which answers at once but for the time of its beginning and its end.
constexpr std::chrono::seconds kSilence{10};
constexpr std::chrono::seconds kFirstWords{60};  // its inputs may be slower to open
constexpr std::chrono::seconds kLastWords{5};
constexpr std::chrono::microseconds kPoll{100};
constexpr std::chrono::milliseconds kAskAgain{20};

/// False when give_up() says so before the message has left: a receiver that is gone may never take it.
template <class GiveUp>
bool send(int rank, int tag, const Bytes& bytes, const GiveUp& give_up) {
  auto kept = std::make_unique<Bytes>(bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(kept->data(), static_cast<int>(kept->size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD, &request);
  int left = 0;
  while (MPI_Test(&request, &left, MPI_STATUS_IGNORE) == MPI_SUCCESS && left == 0) {
    if (give_up()) {
      static_cast<void>(kept.release());  // MPI may still read it, and nothing can end the request
      return false;
    }
    std::this_thread::sleep_for(kPoll);
  }
  return true;
}

/// From rank 0 to another.
bool send(int rank, int tag, const Bytes& bytes) {
  const auto start = std::chrono::steady_clock::now();
  return send(rank, tag, bytes, [&] { return std::chrono::steady_clock::now() - start > kPatience; });
}

struct Message {
  int rank = 0;
  int tag = 0;
  Bytes bytes;
};

bool receive(int from, Message& message) {
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(from, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS || there == 0) {
    return false;
  }
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  message.rank = status.MPI_SOURCE;
  message.tag = status.MPI_TAG;
  message.bytes.resize(static_cast<std::size_t>(size));
  return MPI_Recv(message.bytes.data(), size, MPI_BYTE, message.rank, message.tag, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

template <class Number>
Bytes packed(const std::vector<Number>& numbers) {
  Bytes bytes(numbers.size() * sizeof(Number));
  if (!bytes.empty()) {
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
  }
  return bytes;
}

Bytes packed(const strew::Status& status) {
  const std::string text = static_cast<char>(status.code) + status.text();
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}
strew::Status unpacked_status(const Bytes& bytes) {
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return text.empty() ? strew::make_error(strew::StatusCode::kInternal, "a rank failed")
                      : strew::make_error(static_cast<strew::StatusCode>(text[0]), text.substr(1));
}

/// Makes tiles over the context's executor; calls done(tile, result) on the calling thread.
template <class Done>
void make_batch(strew::BakeJob& job, const MpiBake& bake, const std::vector<std::uint64_t>& tiles,
                const Done& done) {
  struct Task {
    strew::BakeJob& job;
    const std::vector<std::uint64_t>& tiles;
    std::vector<strew::Result<Bytes>> results;
  } task{job, tiles, {}};
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    task.results.emplace_back(Bytes{});
  }
  const strew::Executor& executor =
      bake.context.executor != nullptr ? *bake.context.executor : strew::serial_executor();
  executor.run(executor.self, tiles.size(), &task, [](void* self, std::uint64_t index, std::uint32_t worker) {
    auto& mine = *static_cast<Task*>(self);
    mine.results[index] = mine.job.make(mine.tiles[index], worker);
    return 0;
  });
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    done(tiles[i], task.results[i]);
  }
}

/// Whether the lock is free that the owner of a bake holds on its folder, which ends with its process however
/// that ends. Where a file system has no locks nobody can tell, and false is returned.
bool is_unlocked(const std::string& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  const bool free = flock(descriptor, LOCK_SH | LOCK_NB) == 0;
  close(descriptor);
  return free;
}

/// Whether rank 0, which owns the bake, is gone: it is silent, and nobody holds the folder's lock.
class OwnerWatch {
 public:
  explicit OwnerWatch(std::string folder) : folder_(std::move(folder)) {}
  void heard() {
    silent_since_ = Clock::now();
    unlocked_ = false;
    patience_ = kSilence;
  }
  bool gone() {
    if (Clock::now() - silent_since_ < (unlocked_ ? kLastWords : patience_)) {
      return false;
    }
    if (unlocked_) {
      return true;
    }
    // One that is about to say that all is over has let go already.
    unlocked_ = is_unlocked(folder_);
    silent_since_ = Clock::now();
    return false;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string folder_;
  Clock::time_point silent_since_ = Clock::now();
  std::chrono::seconds patience_ = kFirstWords;
  bool unlocked_ = false;
};

/// A rank other than 0: makes what it is given until it hears the end.
strew::Status help(const MpiBake& bake, bool& lost_owner) {
  OwnerWatch owner(bake.folder);
  const auto tell = [&](int tag, const Bytes& bytes) {
    lost_owner = lost_owner || !send(0, tag, bytes, [&] { return owner.gone(); });
  };
  auto job = strew::BakeJob::help(bake.scatter, bake.terrain, bake.folder, bake.options, bake.context);
  if (!job.ok()) {
    tell(kFailure, packed(job.status()));
  }
  const std::uint64_t batch = strew::worker_count(bake.context);
  Message message;
  while (true) {
    tell(kAsk, packed(std::vector<std::uint64_t>{batch}));
    while (!lost_owner && !receive(0, message)) {
      std::this_thread::sleep_for(kPoll);
      lost_owner = owner.gone();
    }
    if (lost_owner) {
      return strew::make_error(
          strew::StatusCode::kIo,
          "rank 0, which owns this bake, is gone; the same command goes on from its journal", bake.folder);
    }
    owner.heard();
    if (message.tag == kEnd) {
      return message.bytes.empty() ? strew::Status{} : unpacked_status(message.bytes);
    }
    if (message.tag == kWait) {
      std::this_thread::sleep_for(kAskAgain);
    } else if (job.ok()) {
      std::vector<std::uint64_t> tiles(message.bytes.size() / sizeof(std::uint64_t));
      std::memcpy(tiles.data(), message.bytes.data(), message.bytes.size());
      make_batch(job.value(), bake, tiles, [&](std::uint64_t tile, const strew::Result<Bytes>& record) {
        owner.heard();  // nobody listened while the tiles were made
        if (!record.ok()) {
          tell(kFailure, packed(record.status()));
          return;
        }
        Bytes bytes = packed(std::vector<std::uint64_t>{tile});
        bytes.insert(bytes.end(), record.value().begin(), record.value().end());
        tell(kRecord, bytes);
      });
    }
  }
}

/// Rank 0 makes tiles too, on a thread of its own; this one alone speaks MPI.
void make_own(TileLedger& ledger, strew::BakeJob& job, const MpiBake& bake) {
  const std::size_t batch = strew::worker_count(bake.context);
  while (!ledger.settled()) {
    const std::vector<std::uint64_t> tiles = ledger.take(0, batch);
    if (tiles.empty()) {
      std::this_thread::sleep_for(kAskAgain);
      continue;
    }
    make_batch(job, bake, tiles, [&](std::uint64_t tile, const strew::Result<Bytes>& record) {
      record.ok() ? ledger.commit(0, tile, record.value()) : ledger.fail(record.status());
    });
  }
}

/// Answers ranks until nothing is left; ranks that are given up are left out of the end.
void coordinate(TileLedger& ledger, int ranks, std::set<int>& lost, std::set<int>& waiting) {
  Message message;
  while (!ledger.settled()) {
    for (const int rank : ledger.give_up_overdue()) {
      lost.insert(rank);
    }
    if (!receive(MPI_ANY_SOURCE, message)) {
      std::this_thread::sleep_for(kPoll);
      continue;
    }
    lost.erase(message.rank);  // it was slow, not gone
    if (message.tag == kRecord && message.bytes.size() > sizeof(std::uint64_t)) {
      std::uint64_t tile = 0;
      std::memcpy(&tile, message.bytes.data(), sizeof tile);
      ledger.commit(message.rank, tile, std::span(message.bytes).subspan(sizeof tile));
    } else if (message.tag == kFailure) {
      ledger.fail(unpacked_status(message.bytes));
    } else if (message.tag == kAsk) {
      std::uint64_t count = 1;
      std::memcpy(&count, message.bytes.data(), sizeof count);
      const std::vector<std::uint64_t> tiles = ledger.take(message.rank, count);
      if (!send(message.rank, tiles.empty() ? kWait : kTiles, packed(tiles))) {
        lost.insert(message.rank);
      }
    }
  }
  for (int rank = 1; rank < ranks; ++rank) {
    if (!lost.contains(rank)) {
      waiting.insert(rank);
    }
  }
}

}  // namespace

bool started_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) {
      return true;
    }
  }
  return false;
}

bool unheard_ranks() {
  return false;
}

MpiSession::MpiSession() {
  if (!started_by_mpi()) {
    return;
  }
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
  active_ = true;
}

MpiSession::~MpiSession() {
  // MPI_Finalize waits for every rank, and one that is gone never comes.
  if (active_ && !lost_some_ && !lost_owner_) {
    MPI_Finalize();
  }
}

strew::Result<MpiOutcome> MpiSession::bake(const MpiBake& bake) {
  MpiOutcome outcome;
  outcome.owner = rank_ == 0;
  outcome.ranks = ranks_;
  if (rank_ != 0) {
    STREW_RETURN_IF_ERROR(help(bake, lost_owner_));
    return outcome;
  }
  std::set<int> lost;
  std::set<int> present;
  for (int rank = 1; rank < ranks_; ++rank) {
    present.insert(rank);
  }
  const auto run = [&]() -> strew::Result<strew::BakeSummary> {
    STREW_ASSIGN(strew::BakeJob job,
                 strew::BakeJob::own(bake.scatter, bake.terrain, bake.folder, bake.options, bake.context));
    TileLedger ledger(job, bake, kPatience);
    std::thread own([&] { make_own(ledger, job, bake); });
    present.clear();
    coordinate(ledger, ranks_, lost, present);
    own.join();
    STREW_RETURN_IF_ERROR(ledger.outcome());
    return job.finish();
  };
  auto summary = run();
  const Bytes end = summary.ok() ? Bytes{} : packed(summary.status());
  for (const int rank : present) {
    if (!send(rank, kEnd, end)) {
      lost.insert(rank);
    }
  }
  outcome.lost = static_cast<int>(lost.size());
  lost_some_ = !lost.empty();
  if (!summary.ok()) {
    return summary.status();
  }
  outcome.summary = std::move(summary).value();
  return outcome;
}

}  // namespace strew_tool
