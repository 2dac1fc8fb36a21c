#include "tiled_window.hpp"

namespace strew::poisson {

void WordList::grow(std::size_t count) {
  memory.resize(2 * (size + count + 16));
}

}  // namespace strew::poisson
