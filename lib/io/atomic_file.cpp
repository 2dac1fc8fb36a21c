#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "guard.hpp"
#include "strew/io/files.hpp"
#include "temporary_file.hpp"

namespace strew {
namespace {

constexpr int kAttempts = 1000;
constexpr int kLinks = 40;      // as many as Linux follows
constexpr mode_t kMode = 0666;  // the user's umask takes from it

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) {
    return ".";
  }
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status system_error(const std::string& what, const std::string& path, int error) {
  std::string advice;
  if (error == ENOSPC || error == EDQUOT) {
    advice = "; make space and run again";
  } else if (error == EACCES || error == EROFS || error == EPERM) {
    advice = "; choose a folder you may write to";
  } else if (error == ENOENT || error == ENOTDIR) {
    advice = "; the folder must exist: create it, or correct the path";
  }
  return make_error(StatusCode::kIo, what + ": " + std::generic_category().message(error) + advice, path);
}

}  // namespace

TemporaryFile::~TemporaryFile() {
  close_now();
  if (!name_.empty()) {
    ::unlink(name_.c_str());
  }
}

Result<std::string> follow_links(const std::string& path) {
  namespace fs = std::filesystem;
  return guarded([&]() -> Result<std::string> {
    fs::path found = path;
    std::error_code error;
    for (int links = 0; fs::is_symlink(fs::symlink_status(found, error)); ++links) {
      if (links == kLinks) {
        return invalid_argument("is a symbolic link that leads in a circle; remove it, or name another file",
                                path);
      }
      const fs::path next = fs::read_symlink(found, error);
      if (error) {
        return system_error("is a symbolic link that cannot be read", path, error.value());
      }
      found = found.parent_path() / next;  // `next` alone where it is absolute
    }
    return found.string();
  });
}

Status TemporaryFile::create(const std::string& path) {
  STREW_ASSIGN(target_, follow_links(path));
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string name = target_ + ".tmp" + std::to_string(::getpid()) + "." + std::to_string(attempt);
    descriptor_ = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
    if (descriptor_ >= 0) {
      name_ = std::move(name);
      return {};
    }
    if (errno != EEXIST) {
      return system_error("cannot create a file in its folder", path, errno);
    }
  }
  return make_error(StatusCode::kIo, "too many left-over temporary files beside it; delete those named .tmp*",
                    path);
}

Status TemporaryFile::write(std::span<const std::byte> bytes, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written < 0) {
      return system_error("cannot be written", path, errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status TemporaryFile::flush_and_rename(const std::string& path) {
  if (::fsync(descriptor_) != 0) {
    return system_error("cannot be flushed to disk", path, errno);
  }
  // Some file systems report a full disk only here.
  if (close_now() != 0) {
    return system_error("cannot be closed", path, errno);
  }
  if (std::rename(name_.c_str(), target_.c_str()) != 0) {
    return system_error("cannot be put in place", path, errno);
  }
  name_.clear();
  return {};
}

int TemporaryFile::close_now() noexcept {
  const int result = descriptor_ >= 0 ? ::close(descriptor_) : 0;
  descriptor_ = -1;
  return result;
}

namespace {

/// Makes the rename durable. File systems that cannot flush a folder say EINVAL; there the rename is all one
/// can do.
Status flush_folder(const std::string& path) {
  const int descriptor = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    // A folder may be writable and not readable: the file is in place all the same.
    return errno == EACCES ? Status{} : system_error("its folder cannot be flushed to disk", path, errno);
  }
  const int result = ::fsync(descriptor);
  const int error = errno;
  ::close(descriptor);
  return result == 0 || error == EINVAL ? Status{}
                                        : system_error("its folder cannot be flushed to disk", path, error);
}

Status write_file(const std::string& path, std::span<const std::byte> bytes) {
  if (path.empty()) {
    return invalid_argument("the path of the file to write is empty; give one");
  }
  TemporaryFile file;
  STREW_RETURN_IF_ERROR(file.create(path));
  STREW_RETURN_IF_ERROR(file.write(bytes, path));
  STREW_RETURN_IF_ERROR(file.flush_and_rename(path));
  return flush_folder(file.target());
}

}  // namespace

Status write_file_atomically(const std::string& path, std::span<const std::byte> bytes) {
  try {
    return write_file(path, bytes);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory to write the file", path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("writing failed: ") + exception.what(), path);
  }
}

}  // namespace strew
