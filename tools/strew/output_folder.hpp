// Whether a folder can be written, found out before any work is done.
#pragma once

#include <string>

#include "strew/status.hpp"

namespace strew_tool {

/// Creates `folder` with its missing parents and tries a file in it. When any step fails, everything created
/// here is removed again and the error (kInvalidArgument: choose another folder) names the path and the
/// system's words.
[[nodiscard]] strew::Status prepare_output_folder(const std::string& folder);

}  // namespace strew_tool
