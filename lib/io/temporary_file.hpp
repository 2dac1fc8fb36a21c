// A file written piece by piece under a temporary name beside its own, or beside what its own is a link to.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "strew/status.hpp"

namespace strew {

/// Closed and removed on destruction unless it was put in place.
class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();

  [[nodiscard]] Status create(const std::string& path);
  [[nodiscard]] Status write(std::span<const std::byte> bytes, const std::string& path);
  /// Flushes before the rename, so that a crash leaves the old file or the new one, never a torn one.
  [[nodiscard]] Status flush_and_rename(const std::string& path);
  /// Where the file stands once it is renamed. Precondition: create() was called.
  [[nodiscard]] const std::string& target() const noexcept { return target_; }

 private:
  int close_now() noexcept;

  int descriptor_ = -1;
  std::string name_;
  std::string target_;
};

}  // namespace strew
