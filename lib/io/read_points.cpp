#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include "point_file.hpp"

namespace strew {
namespace {

Result<std::string> read_bytes(const std::string& path) {
  // Text for the message only: opening is what decides.
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return invalid_argument("is a folder; give a .csv, .npy or .ply file", path);
  }
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (file == nullptr) {
    const int error = errno;
    return make_error(error == ENOENT ? StatusCode::kNotFound : StatusCode::kIo,
                      "cannot be opened: " + std::generic_category().message(error) + "; correct the path",
                      path);
  }
  std::string bytes;
  // Doubling, because what is no regular file has no size to ask for.
  std::size_t block = std::size_t{1} << 14;
  while (true) {
    const std::size_t size = bytes.size();
    bytes.resize(size + block);
    const std::size_t read = std::fread(bytes.data() + size, 1, block, file.get());
    bytes.resize(size + read);
    if (read < block) {
      break;
    }
    block = bytes.size();
  }
  if (std::ferror(file.get()) != 0) {
    return make_error(StatusCode::kIo, "cannot be read: " + std::generic_category().message(errno), path);
  }
  return bytes;
}

Result<PointColumns> read(const std::string& path) {
  const auto file = read_bytes(path);
  if (!file.ok()) {
    return file.status();
  }
  const std::string_view bytes = file.value();
  if (bytes.empty()) {
    return invalid_argument("is empty; points are read from .csv, .npy or .ply files", path);
  }
  // By what the file holds, not by its name: nothing else begins with these.
  if (bytes.starts_with("\x93NUMPY")) {
    return read_points_npy(path, bytes);
  }
  if (bytes.starts_with("ply\n") || bytes.starts_with("ply\r\n")) {
    return read_points_ply(path, bytes);
  }
  std::string extension = std::filesystem::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (extension == ".npy" || extension == ".ply") {
    return invalid_argument(
        "does not begin as a " + extension + " file does: it is damaged or of another kind; write it again",
        path);
  }
  return read_points_csv(path, bytes);
}

}  // namespace

Result<PointColumns> read_points(const std::string& path) {
  try {
    return read(path);
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "not enough memory for its points; read a part of them",
                      path);
  } catch (const std::exception& exception) {
    return make_error(StatusCode::kInternal, std::string("reading failed: ") + exception.what(), path);
  }
}

}  // namespace strew
