// One bake at a time in a folder.
#pragma once

#include <string>

#include "strew/status.hpp"

namespace strew {

/// Holds an advisory lock on a folder until destroyed; the system releases it when the process dies, however
/// it dies. Nothing is written. Where the system or the file system has no such locks, take() holds nothing.
class FolderLock {
 public:
  FolderLock() noexcept = default;
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock();

  /// Creates the folder when it is absent. kInvalidArgument while another bake holds it.
  [[nodiscard]] Status take(const std::string& folder);

 private:
  int descriptor_ = -1;
};

}  // namespace strew
