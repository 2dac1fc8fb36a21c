// Status and Result: how every fallible call of strew reports.
//
// Nothing crosses the library's border as an exception. A Status names what was found (`message`), where
// (`where`: a parameter, a file, a path inside a JSON document) and, in the message, what to do about it.
// "Nothing qualifies" (an empty point set, an empty tile) is a result, not an error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace strew {

enum class StatusCode : std::uint8_t {
  kOk = 0,
  kInvalidArgument,  ///< A parameter, configuration or input file is unusable: correct it and call again.
  kNotFound,         ///< An id or a file does not exist: the message names the nearest known one.
  kUnsupported,      ///< Known, but not on this machine or in this build.
  kOutOfMemory,      ///< The allocator refused: ask for a smaller region or give more memory.
  kCancelled,        ///< The caller's cancellation flag or progress callback asked to stop.
  kIo,               ///< The operating system failed a read or write; the message carries its words.
  kCorrupt,          ///< Stored data fails its checksum or its format.
  kLimit,            ///< A stated work limit was reached; the result would not have been wrong, but too dear.
  kInternal,         ///< A defect of strew: please report it with the message.
};

/// Stable lower-case name of a code, such as "invalid_argument".
[[nodiscard]] std::string_view to_string(StatusCode code) noexcept;

/// Outcome of a call. Cheap when ok (no allocation). Not thread-safe for concurrent writes, as any value.
struct [[nodiscard]] Status {
  StatusCode code = StatusCode::kOk;
  std::string message;
  std::string where;

  [[nodiscard]] bool ok() const noexcept { return code == StatusCode::kOk; }
  /// "where: message", or only the message when `where` is empty.
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] Status make_error(StatusCode code, std::string message, std::string where = {});
[[nodiscard]] Status invalid_argument(std::string message, std::string where = {});

/// Either a value or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}         // NOLINT(google-explicit-constructor)
  Result(Status status) : state_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool ok() const noexcept { return state_.index() == 0; }
  /// Precondition: ok().
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  /// Precondition: !ok().
  [[nodiscard]] const Status& status() const { return std::get<1>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace strew

/// Returns from the enclosing function when `expression` (a Status) is not ok.
#define STREW_RETURN_IF_ERROR(expression)                         \
  do {                                                            \
    if (auto strew_status_ = (expression); !strew_status_.ok()) { \
      return strew_status_;                                       \
    }                                                             \
  } while (false)

#define STREW_CONCAT_IMPL(a, b) a##b
#define STREW_CONCAT(a, b) STREW_CONCAT_IMPL(a, b)
/// STREW_ASSIGN(auto value, expression): declares `value` from a Result, or returns its Status.
#define STREW_ASSIGN(declaration, expression) \
  STREW_ASSIGN_IMPL(STREW_CONCAT(strew_result_, __LINE__), declaration, expression)
// NOLINTBEGIN(bugprone-macro-parentheses): declarations stand in no parentheses
#define STREW_ASSIGN_IMPL(result, declaration, expression) \
  auto result = (expression);                              \
  if (!result.ok()) {                                      \
    return result.status();                                \
  }                                                        \
  declaration = std::move(result).value()
// NOLINTEND(bugprone-macro-parentheses)
