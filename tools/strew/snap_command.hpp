// What the parts of strew snap share: its options, one map, the search, the export of a kit.
#pragma once

#include <string>
#include <vector>

#include "common.hpp"
#include "snap_job.hpp"

namespace strew_tool {

struct SnapCommand {
  SnapArguments job;
  std::string seed;
  std::string seeds;
  std::string objective = "A_r_max";
  std::vector<std::string> requirements;
  std::uint32_t top = 10;
  std::string folder;
  std::string json;
  std::string export_kit;
  bool explain = false;
  bool no_exact = false;
  bool ranking_only = false;
  bool quiet = false;
  RunOptions run;
};

/// A whole number, or an error at `where`.
[[nodiscard]] strew::Result<std::int64_t> whole_number(std::string_view text, const char* where);
/// The table of measures on standard output.
void print_measures(const SnapMap& map);
[[nodiscard]] strew::Status search_maps(const SnapCommand& arguments, const SnapJob& job,
                                        strew::RunContext context);
/// kit.json, a GLB per piece and kit.png.
[[nodiscard]] strew::Status export_kit(const SnapCommand& arguments, const SnapJob& job);

}  // namespace strew_tool
