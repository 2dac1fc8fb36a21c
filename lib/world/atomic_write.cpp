#include "atomic_write.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#define STREW_POSIX 1
#include <fcntl.h>
#include <unistd.h>
#endif

namespace strew {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const noexcept { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string words_of(int error) {
  return std::generic_category().message(error);
}

Status io_error(const std::string& what, int error, const std::string& path) {
  std::string advice;
  if (error == ENOSPC) {
    advice = "; make space and run again";
  } else if (error == EACCES || error == EROFS) {
    advice = "; choose a folder you may write to";
  }
  return make_error(StatusCode::kIo, what + ": " + words_of(error) + advice, path);
}

bool flush_to_disk([[maybe_unused]] std::FILE* file) noexcept {
#ifdef STREW_POSIX
  return ::fsync(::fileno(file)) == 0;
#else
  return true;
#endif
}

#ifdef STREW_POSIX
Status with_descriptor(const std::string& path, int (*flush)(int)) {
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  if (descriptor < 0) {
    return io_error("cannot be opened", errno, path);
  }
  const bool flushed = flush(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  // Some file systems have no flush for folders and say EINVAL; there is nothing left to ask of them.
  if (!flushed && error != EINVAL) {
    return io_error("cannot be flushed to the disk", error, path);
  }
  return {};
}
#endif

/// Lets the disk begin with what the coming flush will wait for. A hint: that flush tells of errors.
void begin_flush([[maybe_unused]] std::FILE* file) noexcept {
#ifdef __linux__
  static_cast<void>(::sync_file_range(::fileno(file), 0, 0, SYNC_FILE_RANGE_WRITE));
#endif
}

Status write_all(const std::string& path, std::span<const std::byte> bytes, Flush flush) {
  File file(std::fopen(path.c_str(), "wb"));
  if (file == nullptr) {
    return io_error("cannot be created", errno, path);
  }
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0 || (flush == Flush::kNow && !flush_to_disk(file.get()))) {
    return io_error("cannot be written", errno, path);
  }
  if (flush == Flush::kLater) {
    begin_flush(file.get());
  }
  // Closing may report a write that was put off, so it is checked and not left to the destructor.
  if (std::fclose(file.release()) != 0) {
    return io_error("cannot be written", errno, path);
  }
  return {};
}

}  // namespace

Status write_atomically(const std::string& path, std::span<const std::byte> bytes, Flush flush) {
  const std::string temporary = path + kTemporarySuffix;
  Status status = write_all(temporary, bytes, flush);
  std::error_code error;
  if (status.ok()) {
    std::filesystem::rename(temporary, path, error);
    if (!error) {
      return {};
    }
    status = io_error("cannot be renamed from its temporary name", error.value(), path);
  }
  std::filesystem::remove(temporary, error);
  return status;
}

AtomicFile::~AtomicFile() {
  if (file_ != nullptr) {
    std::fclose(file_);
    std::error_code error;
    std::filesystem::remove(path_ + kTemporarySuffix, error);
  }
}

Status AtomicFile::open(const std::string& path) {
  path_ = path;
  file_ = std::fopen((path + kTemporarySuffix).c_str(), "wb");
  return file_ != nullptr ? Status{} : io_error("cannot be created", errno, path);
}

Status AtomicFile::write(std::span<const std::byte> bytes) {
  return std::fwrite(bytes.data(), 1, bytes.size(), file_) == bytes.size()
             ? Status{}
             : io_error("cannot be written", errno, path_);
}

Status AtomicFile::commit() {
  if (std::fflush(file_) != 0 || !flush_to_disk(file_)) {
    return io_error("cannot be written", errno, path_);
  }
  std::error_code error;
  std::filesystem::rename(path_ + kTemporarySuffix, path_, error);
  if (error) {
    return io_error("cannot be renamed from its temporary name", error.value(), path_);
  }
  // The name is no longer temporary: nothing is left for the destructor to remove.
  std::FILE* file = file_;
  file_ = nullptr;
  return std::fclose(file) == 0 ? Status{} : io_error("cannot be closed", errno, path_);
}

Status flush_folder([[maybe_unused]] const std::string& folder) {
#ifdef STREW_POSIX
  return with_descriptor(folder, ::fsync);
#else
  return {};
#endif
}

Status flush_written(const std::string& folder) {
#ifdef __linux__
  return with_descriptor(folder, ::syncfs);
#else
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    STREW_RETURN_IF_ERROR(flush_folder(entry.path().string()));  // a file is flushed by the same call
  }
  return flush_folder(folder);
#endif
}

Result<std::vector<std::byte>> read_whole_file(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (file == nullptr) {
    const int error = errno;
    return make_error(error == ENOENT ? StatusCode::kNotFound : StatusCode::kIo,
                      "cannot be opened: " + words_of(error), path);
  }
  try {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) {
      return io_error("has no size", error.value(), path);
    }
    std::vector<std::byte> bytes(size);
    if (std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size()) {
      return make_error(StatusCode::kIo, "cannot be read to its end", path);
    }
    return bytes;
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to read the file", path);
  }
}

}  // namespace strew
