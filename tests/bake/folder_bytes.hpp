// All files of a folder, to compare two bakes byte for byte.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "atomic_write.hpp"

namespace strew_test {

inline std::map<std::string, std::vector<std::byte>> folder_bytes(const std::string& folder) {
  std::map<std::string, std::vector<std::byte>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) {
      files[std::filesystem::relative(entry.path(), folder).string()] =
          strew::read_whole_file(entry.path().string()).value();
    }
  }
  return files;
}

}  // namespace strew_test
