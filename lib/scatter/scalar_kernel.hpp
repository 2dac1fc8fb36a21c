// What a build without vector backends has in place of a kernel table.
#pragma once

#include <string>

#include "strew/context.hpp"

namespace strew::scatter {

/// The reference; kUnsupported for any other instruction set.
template <class Kernel>
[[nodiscard]] Result<Kernel> scalar_kernel(Kernel reference, Isa isa) {
  if (isa != Isa::kScalar && isa != Isa::kBest) {
    return make_error(StatusCode::kUnsupported,
                      std::string(to_string(isa)) + " is not available in this build; use best", "isa");
  }
  return reference;
}

}  // namespace strew::scatter
