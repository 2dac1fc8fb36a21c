// A build without MPI.
#include "bake_mpi.hpp"

namespace strew_tool {

bool started_by_mpi() {
  return false;
}

MpiSession::MpiSession() = default;
MpiSession::~MpiSession() = default;

strew::Result<MpiOutcome> MpiSession::bake(const MpiBake& /*bake*/) {
  return strew::make_error(strew::StatusCode::kUnsupported,
                           "this strew is built without MPI; configure STREW_WITH_MPI");
}

}  // namespace strew_tool
