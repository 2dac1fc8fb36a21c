// The kit as files of its own, and its picture.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "fmt/format.h"
#include "output_folder.hpp"
#include "snap_command.hpp"
#include "snap_picture.hpp"
#include "strew/io/files.hpp"
#include "strew/io/kit.hpp"

namespace strew_tool {
namespace {

/// All pieces side by side, their ground coloured by region.
strew::Status write_kit_picture(const SnapJob& job, const std::string& path) {
  double cell = 1;
  for (const strew::snap::Piece& piece : job.z_up.pieces) {
    for (std::size_t i = 0; i < piece.mesh.positions.size(); ++i) {
      if (i % 3 != 2) {
        cell = std::max(cell, 2.3 * std::abs(static_cast<double>(piece.mesh.positions[i])));
      }
    }
  }
  strew::snap::Map shown;
  std::vector<PictureLabel> labels;
  std::int32_t column = 0;
  for (std::uint32_t i = 0; i < job.z_up.pieces.size(); ++i) {
    if (job.z_up.pieces[i].mesh.triangles.empty()) {
      continue;
    }
    strew::snap::Placement placement;
    placement.piece = i;
    const auto row = column / 5;
    placement.position = {cell * (column % 5), -cell * row, 0};
    shown.placements.push_back(placement);
    // Below the mesh of the piece.
    PictureLabel label{placement.position.x, placement.position.y, job.z_up.pieces[i].name};
    for (std::size_t v = 0; v + 2 < job.z_up.pieces[i].mesh.positions.size(); v += 3) {
      const float* const at = &job.z_up.pieces[i].mesh.positions[v];
      label.x = std::min(label.x, placement.position.x + static_cast<double>(at[0]));
      label.y = std::min(label.y, placement.position.y + static_cast<double>(at[1]) - 0.02 * cell);
    }
    labels.push_back(std::move(label));
    ++column;
  }
  if (shown.placements.empty()) {
    return {};
  }
  strew::nav::Settings walker = job.walker;
  walker.detail_distance = 1;
  STREW_ASSIGN(const strew::nav::Navmesh navmesh,
               strew::nav::Navmesh::build(strew::nav::map_mesh(job.z_up, shown), walker,
                                          strew::nav::map_zones(job.z_up, shown)));
  return strew::write_png(path, map_picture(job.z_up, shown, &navmesh, "kit " + job.kit.name, labels));
}

}  // namespace

strew::Status export_kit(const SnapCommand& arguments, const SnapJob& job) {
  const std::filesystem::path folder(arguments.export_kit);
  STREW_RETURN_IF_ERROR(prepare_output_folder(arguments.export_kit));
  auto document = nlohmann::ordered_json::parse(strew::kit_json(job.z_up));
  for (std::size_t i = 0; i < job.z_up.pieces.size(); ++i) {
    const strew::snap::Piece& piece = job.z_up.pieces[i];
    if (piece.mesh.triangles.empty()) {
      continue;
    }
    std::string file = piece.name + ".glb";
    std::replace(file.begin(), file.end(), ' ', '_');
    document["pieces"][i]["mesh"] = file;
    const strew::ColouredMesh mesh{piece.name, &piece.mesh, {0.75F, 0.75F, 0.72F}};
    const strew::MeshNode node{piece.name, 0, {}, {}};
    STREW_RETURN_IF_ERROR(
        strew::write_file_atomically((folder / file).string(), strew::glb_bytes({&mesh, 1}, {&node, 1})));
  }
  STREW_RETURN_IF_ERROR(write_text((folder / "kit.json").string(), document.dump(1) + "\n"));
  return write_kit_picture(job, (folder / "kit.png").string());
}

}  // namespace strew_tool
