// Whether an output can be written, found out before any work is done: wrong usage then, of any command.
#pragma once

#include <string>

#include "strew/status.hpp"

namespace strew_tool {

/// Creates `folder` with its missing parents and tries a file in it. When any step fails, everything created
/// here is removed again and the error (kInvalidArgument: choose another folder) names the path and the
/// system's words.
[[nodiscard]] strew::Status prepare_output_folder(const std::string& folder);
/// Takes back, when it goes, a folder that was not there when it came and in which nothing is.
class FreshFolder {
 public:
  explicit FreshFolder(std::string folder);
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;
  ~FreshFolder();

 private:
  std::string folder_;  ///< empty: it was there
};
/// Tries a file beside `path`, or beside what it is a link to, whose folder must exist. Refuses likewise, and
/// what is there already and is no file: a folder, a device. Both remove what processes of this machine,
/// killed meanwhile, left of it half-written under temporary names.
[[nodiscard]] strew::Status prepare_output_file(const std::string& path);

}  // namespace strew_tool
