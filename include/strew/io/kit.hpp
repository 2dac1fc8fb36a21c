// Kits of snappable pieces from JSON, with meshes from glTF and OBJ; maps to GLB. See docs/snapmesh.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strew/snapmesh.hpp"

namespace strew {

/// Reads a kit: the project's own format, or the published pieces (*_unity_lh.json, told by their "frame"),
/// which stay in their frame (snap::to_z_up() turns them round). Meshes are read from beside the file.
/// Connectors are ordered and the kit is validated. Errors name the file, the piece and the connector;
/// kNotFound for a missing file, kInvalidArgument for the rest.
[[nodiscard]] Result<snap::Kit> read_kit(const std::string& path);
/// The same from text; `folder` is where mesh files are looked for.
[[nodiscard]] Result<snap::Kit> parse_kit(std::string_view json, const std::string& folder);
/// The kit in the project's own format, without meshes.
[[nodiscard]] std::string kit_json(const snap::Kit& kit);
/// JSON schema of the project's own format.
[[nodiscard]] std::string kit_schema();

/// A mesh with one colour (linear RGB) for a GLB; z up, metres.
struct ColouredMesh {
  std::string name;
  const snap::Mesh* mesh = nullptr;
  std::array<float, 3> colour{0.8F, 0.8F, 0.8F};
};
/// One node: a mesh of the list at a place. mesh -1: an empty node.
struct MeshNode {
  std::string name;
  std::int32_t mesh = -1;
  snap::Vec3 position;
  snap::Quat rotation;
};
/// Binary glTF 2.0 (y up, as glTF has it). Meshes shared by nodes are stored once.
[[nodiscard]] std::vector<std::byte> glb_bytes(std::span<const ColouredMesh> meshes,
                                               std::span<const MeshNode> nodes);
/// The map as GLB: one mesh per piece of the kit in use (pieces without a mesh show their boxes), one node
/// per placement. `kit` in kZUp.
[[nodiscard]] std::vector<std::byte> map_glb(const snap::Kit& kit, const snap::Map& map);

/// Triangles of a .glb, .gltf or .obj file, as the file has them, and the empty nodes named connector.*.
struct MeshFile {
  snap::Mesh mesh;
  struct Node {
    std::string name;
    snap::Vec3 position;
    snap::Vec3 heading;  ///< local +z
    snap::Vec3 up;       ///< local +y
  };
  std::vector<Node> connectors;
};
[[nodiscard]] Result<MeshFile> read_mesh(const std::string& path);

}  // namespace strew
