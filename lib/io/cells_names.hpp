// What reading and writing of cells share.
#pragma once

#include <string>

namespace strew::io {

/// Extension of a path with its dot, in lower case.
[[nodiscard]] std::string cells_extension(const std::string& path);

}  // namespace strew::io
