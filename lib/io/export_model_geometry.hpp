// Triangles of a glTF scene for a Model.
#pragma once

#include <tiny_gltf.h>

#include <string>

#include "export_model.hpp"

namespace strew::exporting {

/// Fills parts, bin, views, accessors and the reach of `out`. `path` names the file in errors.
[[nodiscard]] Status read_geometry(const tinygltf::Model& in, const std::string& path, Model& out);

}  // namespace strew::exporting
