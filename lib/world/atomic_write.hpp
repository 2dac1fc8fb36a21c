// Whole files, read and written at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include "strew/status.hpp"

namespace strew {

/// The suffix of names that are being written; a file so named is never part of a result.
inline constexpr const char* kTemporarySuffix = ".tmp";

enum class Flush : std::uint8_t { kNow, kLater };

/// Writes to `path` + ".tmp" and renames, so that `path` holds all of it or what it held before, whatever
/// happens to the process; with kNow, flushed to the disk first, whatever happens to the machine. On failure
/// the temporary file is removed and the message carries the system's words. Two writers of one path at a
/// time are not supported.
[[nodiscard]] Status write_atomically(const std::string& path, std::span<const std::byte> bytes,
                                      Flush flush = Flush::kNow);
/// A file written piece by piece under its temporary name; commit() flushes and renames it. Destroyed before
/// that, it leaves nothing.
class AtomicFile {
 public:
  AtomicFile() = default;
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile();
  [[nodiscard]] Status open(const std::string& path);
  [[nodiscard]] Status write(std::span<const std::byte> bytes);
  [[nodiscard]] Status commit();

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
};
/// Brings everything that was written under `folder` to the disk: one wait for many files, where waiting for
/// each would cost more than making it.
[[nodiscard]] Status flush_written(const std::string& folder);
/// Makes the renames in a folder durable, where the system has a call for it.
[[nodiscard]] Status flush_folder(const std::string& folder);
/// kNotFound when there is no such file, kIo when it cannot be read.
[[nodiscard]] Result<std::vector<std::byte>> read_whole_file(const std::string& path);

}  // namespace strew
