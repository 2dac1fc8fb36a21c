#include "folder_lock.hpp"

#include <filesystem>
#include <system_error>

#if defined(__unix__) || defined(__APPLE__)
#define STREW_POSIX 1
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#endif

namespace strew {

FolderLock::~FolderLock() {
#ifdef STREW_POSIX
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
#endif
}

Status FolderLock::take(const std::string& folder) {
  std::error_code error;
  if (!folder.empty() && !std::filesystem::exists(folder, error)) {
    std::filesystem::create_directories(folder, error);
  }
  // Whatever is wrong with the folder itself is for the one who prepares it to say.
#ifdef STREW_POSIX
  descriptor_ = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ >= 0 && flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    return invalid_argument("is being baked into at this moment; wait for that bake or choose another folder",
                            folder);
  }
#endif
  return {};
}

}  // namespace strew
