// What strew snap was asked for: kit, rules, passes, walkers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "strew/navigation_recast.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew_tool {

struct SnapArguments {
  std::string kit;
  std::string method = "arena";
  std::vector<std::string> passes;
  std::vector<std::string> settings;
  bool reference = false;
};

struct SnapJob {
  strew::snap::Kit kit;   ///< in the frame that the assembly works in
  strew::snap::Kit z_up;  ///< the same, z up
  strew::snap::Rules rules;
  std::vector<strew::snap::Pass> passes;
  strew::nav::Settings walker;
  std::uint32_t nav_points = 250;
  std::uint64_t nav_seed = 1;
  std::string text;         ///< canonical: what a resumed search must have in common
  bool has_meshes = false;  ///< every piece but caps has one
  bool connects = false;    ///< a pass joins clusters: maps need the regions of the pieces
  /// What to tell of the fast score, or empty.
  [[nodiscard]] std::string fast_note() const;
};
[[nodiscard]] strew::Result<SnapJob> make_job(const SnapArguments& arguments);
/// Sets names of the walker and of sampling apart from the rest.
[[nodiscard]] strew::Result<std::pair<std::string, std::string>> split_setting(const std::string& setting);

/// One map with all that is said of it.
struct SnapMap {
  std::int64_t seed = 0;
  strew::snap::Map map;  ///< in the job's frame
  strew::snap::Map z_up;
  strew::snap::Measures measures{};  ///< by the fast score
  strew::snap::Measures exact{};     ///< by Recast; equal to `measures` where it could not be built
  bool has_exact = false;
  std::string shortage;      ///< pieces that are fewer than their minimum asks for, in words, or empty
  std::string exact_note;    ///< why there is no exact score
  double sampled_share = 0;  ///< largest region among nav_points points
  double sampled_connected = 0;
  std::vector<std::string> log;
  std::vector<strew::snap::Event> events;
};
/// Assembles and scores one seed; `navmesh`, when given, receives the exact mesh.
[[nodiscard]] strew::Result<SnapMap> make_map(const SnapJob& job,
                                              const std::vector<strew::nav::PieceRegions>& regions,
                                              std::int64_t seed, bool exact,
                                              std::vector<strew::nav::Navmesh>* navmesh,
                                              const strew::RunContext& context);

/// The document of --json FILE.
[[nodiscard]] std::string placements_json(const SnapJob& job, const SnapMap& map);
/// map.json, map.glb, navmesh.glb, map.png, log.txt, log.json, scores.json in `folder`.
[[nodiscard]] strew::Status write_map_files(const SnapJob& job, const SnapMap& map,
                                            const strew::nav::Navmesh* navmesh, const std::string& folder);
[[nodiscard]] strew::Status write_text(const std::string& path, std::string_view text);

}  // namespace strew_tool
