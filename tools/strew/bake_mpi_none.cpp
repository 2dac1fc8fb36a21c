// A build without MPI.
#include <cstdlib>

#include "bake_mpi.hpp"

namespace strew_tool {

bool started_by_mpi() {
  return false;
}

bool unheard_ranks() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const char* const size = std::getenv(name); size != nullptr && std::atol(size) > 1) {
      return true;
    }
  }
  return false;
}

MpiSession::MpiSession() = default;
MpiSession::~MpiSession() = default;

strew::Result<MpiOutcome> MpiSession::bake(const MpiBake& /*bake*/) {
  return strew::make_error(strew::StatusCode::kUnsupported,
                           "this strew is built without MPI; configure STREW_WITH_MPI");
}

}  // namespace strew_tool
