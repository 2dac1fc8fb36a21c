#include "strew/status.hpp"

namespace strew {

std::string_view to_string(StatusCode code) noexcept {
  switch (code) {
    case StatusCode::kOk:
      return "ok";
    case StatusCode::kInvalidArgument:
      return "invalid_argument";
    case StatusCode::kNotFound:
      return "not_found";
    case StatusCode::kUnsupported:
      return "unsupported";
    case StatusCode::kOutOfMemory:
      return "out_of_memory";
    case StatusCode::kCancelled:
      return "cancelled";
    case StatusCode::kIo:
      return "io";
    case StatusCode::kCorrupt:
      return "corrupt";
    case StatusCode::kLimit:
      return "limit";
    case StatusCode::kInternal:
      return "internal";
  }
  return "unknown";
}

std::string Status::text() const {
  return where.empty() ? message : where + ": " + message;
}

Status make_error(StatusCode code, std::string message, std::string where) {
  return {code, std::move(message), std::move(where)};
}

Status invalid_argument(std::string message, std::string where) {
  return make_error(StatusCode::kInvalidArgument, std::move(message), std::move(where));
}

}  // namespace strew
