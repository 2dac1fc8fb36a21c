// Turns exceptions of the standard library into Status at the library's border.
#pragma once

#include <exception>
#include <new>
#include <stdexcept>

#include "strew/status.hpp"

namespace strew {

/// Result of `body()` (a Status or Result), or the Status that its exception stands for.
template <class Body>
[[nodiscard]] auto guarded(const Body& body) -> decltype(body()) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory,
                      "memory ran out; ask for a smaller region or use fewer workers");
  } catch (const std::length_error&) {
    return make_error(StatusCode::kOutOfMemory,
                      "the result would not fit in memory; ask for a smaller region");
  } catch (const std::exception& error) {
    return make_error(StatusCode::kInternal, error.what());
  } catch (...) {
    return make_error(StatusCode::kInternal, "a callback threw something that is no std::exception");
  }
}

}  // namespace strew
