// What a search has found so far, on disk: a header that names the search, then one record per finished part.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "strew/snapmesh_search.hpp"

namespace strew_tool {

class SearchState {
 public:
  /// Opens or makes `path`. A file of another search is refused; a record cut short by a kill is dropped.
  [[nodiscard]] static strew::Result<SearchState> open(const std::string& path, const std::string& search);
  [[nodiscard]] const std::vector<strew::snap::ChunkResult>& done() const noexcept { return done_; }
  /// For ChunkSink: `self` is a SearchState.
  static strew::Status append(void* self, const strew::snap::ChunkResult& chunk);

 private:
  struct Close {
    void operator()(std::FILE* file) const noexcept { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<strew::snap::ChunkResult> done_;
};

}  // namespace strew_tool
