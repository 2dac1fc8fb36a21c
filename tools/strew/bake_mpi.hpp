// The processes of `mpirun -n N strew bake ...`: rank 0 owns the bake and hands its tiles out, all make them.
#pragma once

#include "strew/world/bake_job.hpp"

namespace strew_tool {

/// Whether this process was started by mpirun, as its environment says. False where strew is built without
/// MPI.
[[nodiscard]] bool started_by_mpi();

/// Whether this process is one of several that mpirun started, and strew is built without MPI: each would
/// bake the whole.
[[nodiscard]] bool unheard_ranks();

struct MpiBake {
  const strew::Scatter& scatter;
  const strew::TerrainSource& terrain;
  const std::string& folder;
  const strew::BakeOptions& options;
  const strew::RunContext& context;
  strew::BakeProgressFn progress = nullptr;
  void* progress_user = nullptr;
};
struct MpiOutcome {
  bool owner = true;  ///< rank 0: the one that reports
  int ranks = 1;
  int lost = 0;                ///< ranks that were given up
  strew::BakeSummary summary;  ///< of the owner
};

/// MPI from its start to its end, for the life of the process. Not active where strew is built without MPI,
/// or not started by mpirun.
class MpiSession {
 public:
  MpiSession();
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession();
  [[nodiscard]] bool active() const noexcept { return active_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }
  [[nodiscard]] int ranks() const noexcept { return ranks_; }
  /// On another rank: rank 0 is gone, so that nobody but this rank can report.
  [[nodiscard]] bool lost_owner() const noexcept { return lost_owner_; }
  /// Tiles are handed out one batch at a time to the rank that asks. A rank that has not answered for long is
  /// given up, and its tiles are handed to others. Every rank returns: with the same failure when rank 0
  /// fails.
  [[nodiscard]] strew::Result<MpiOutcome> bake(const MpiBake& bake);

 private:
  bool active_ = false;
  int rank_ = 0;
  int ranks_ = 1;
  bool lost_some_ = false;
  bool lost_owner_ = false;
};

}  // namespace strew_tool
