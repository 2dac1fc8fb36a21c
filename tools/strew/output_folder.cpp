#include "output_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "fmt/format.h"
#include "strew/io/files.hpp"

namespace strew_tool {
namespace {

namespace fs = std::filesystem;

strew::Status refused(const fs::path& path, const std::string& why) {
  return strew::invalid_argument(
      fmt::format("cannot be used as output folder ({}): choose a folder that you may write", why),
      path.string());
}

// Permission bits tell too little (root, read-only mounts, quotas): only writing tells.
std::string try_a_file(const fs::path& probe) {
  std::FILE* file = std::fopen(probe.c_str(), "wb");
  if (file == nullptr) {
    return std::strerror(errno);
  }
  std::fclose(file);
  std::error_code ignored;
  fs::remove(probe, ignored);
  return {};
}

/// Of `name.tmpPID.N`, a file half written by an export that was killed, the process; 0 of other names.
long writer_of(const std::string& name) {
  const std::size_t at = name.rfind(".tmp");
  if (at == std::string::npos) {
    return 0;
  }
  long process = 0;
  int attempt = 0;
  int used = 0;
  const std::string tail = name.substr(at);
  const bool fits = std::sscanf(tail.c_str(), ".tmp%9ld.%4d%n", &process, &attempt, &used) == 2;
  return fits && static_cast<std::size_t>(used) == tail.size() ? process : 0;
}

/// Removes what killed processes of this machine left of `name`; of any file of the folder when it is empty.
void remove_half_written(const fs::path& folder, const std::string& name) {
  std::error_code error;
  std::vector<fs::path> stale;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    const std::string found = entry.path().filename().string();
    const long process = found.starts_with(name) ? writer_of(found) : 0;
    const bool whole_name = name.empty() || found.rfind(".tmp") == name.size();
    if (process > 0 && whole_name && ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) {
      stale.push_back(entry.path());
    }
  }
  for (const fs::path& path : stale) {
    fs::remove(path, error);
  }
}

}  // namespace

strew::Status prepare_output_file(const std::string& given) {
  STREW_ASSIGN(const std::string path, strew::follow_links(given));
  std::error_code error;
  const fs::file_status found = fs::status(path, error);
  if (fs::is_directory(found) || path.ends_with('/')) {
    return strew::invalid_argument("is a folder; name a file to write", given);
  }
  // A rename would put a file in the place of /dev/null.
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    return strew::invalid_argument("is no regular file, and is not replaced; name another", given);
  }
  const fs::path folder = fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    return strew::invalid_argument(
        fmt::format("cannot be written: there is no folder {}; create it, or correct the path",
                    folder.string()),
        given);
  }
  const std::string why = try_a_file(folder / fmt::format(".strew-write-probe.{}", ::getpid()));
  if (!why.empty()) {
    return strew::invalid_argument(
        fmt::format("cannot be written ({}): choose a folder you may write to", why), given);
  }
  remove_half_written(folder, fs::path(path).filename().string());
  return {};
}

FreshFolder::FreshFolder(std::string folder) {
  std::error_code error;
  if (!fs::exists(folder, error)) {
    folder_ = std::move(folder);
  }
}

FreshFolder::~FreshFolder() {
  std::error_code error;
  if (!folder_.empty() && fs::is_directory(folder_, error)) {
    fs::remove(folder_, error);  // fails where there is something in it
  }
}

strew::Status prepare_output_folder(const std::string& folder) {
  std::error_code error;
  const fs::path target = fs::absolute(folder, error).lexically_normal();
  if (error) {
    return refused(folder, error.message());
  }
  std::vector<fs::path> missing;
  fs::path existing = target;
  while (!fs::exists(existing, error)) {
    if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory) {
      return refused(existing, error.message());
    }
    missing.push_back(existing);
    existing = existing.parent_path();
  }
  if (!fs::is_directory(existing, error)) {
    return refused(target, fmt::format("{} is not a folder", existing.string()));
  }
  std::vector<fs::path> created;
  std::string why;
  for (auto path = missing.rbegin(); path != missing.rend() && why.empty(); ++path) {
    // A trailing slash gives an empty last component, which names the folder before it.
    if (fs::create_directory(*path, error)) {
      created.push_back(*path);
    } else if (error) {
      why = error.message();
    }
  }
  if (why.empty()) {
    why = try_a_file(target / ".strew-write-probe");  // a bake knows the name, should this process die here
  }
  if (why.empty()) {
    remove_half_written(target, {});
    return {};
  }
  for (auto path = created.rbegin(); path != created.rend(); ++path) {
    fs::remove(*path, error);
  }
  return refused(target, why);
}

}  // namespace strew_tool
