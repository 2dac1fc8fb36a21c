// Stand-in meshes: what a reader shows where a species names no mesh of its own.
#include <cmath>

#include "export_parts.hpp"
#include "strew/exact_math.hpp"

namespace strew::exporting {
namespace {

using Vector = std::array<double, 3>;

void add_triangle(Mesh& mesh, const Vector& a, const Vector& b, const Vector& c) {
  const Vector u = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const Vector v = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
  const Vector n = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  const double length = exact_sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
  for (const Vector* corner : {&a, &b, &c}) {
    mesh.indices.push_back(static_cast<std::uint16_t>(mesh.positions.size() / 3));
    for (std::size_t i = 0; i < 3; ++i) {
      mesh.positions.push_back(static_cast<float>((*corner)[i]));
      mesh.normals.push_back(static_cast<float>(n[i] / length));
    }
  }
}

/// Cones of `sides` faces from the ring at `ring` to the tips below and above it.
void add_spindle(Mesh& mesh, int sides, double radius, double low, double ring, double high) {
  const auto corner = [&](int i) {
    double sine = 0;
    double cosine = 0;
    exact_sincos_turns(static_cast<double>(i % sides) / sides, sine, cosine);
    return Vector{radius * cosine, ring, -radius * sine};
  };
  for (int i = 0; i < sides; ++i) {
    add_triangle(mesh, corner(i), corner(i + 1), {0, high, 0});
    add_triangle(mesh, corner(i + 1), corner(i), {0, low, 0});
  }
}

bool is_stone(const std::string& name) {
  for (const char* word : {"rock", "stone", "boulder", "slab", "cliff", "pebble"}) {
    if (name.find(word) != std::string::npos) {
      return true;
    }
  }
  return false;
}

}  // namespace

Mesh stand_in(const ExportSlot& slot, std::size_t species) {
  Mesh mesh;
  mesh.radius = slot.size_m / 2;
  const auto shade = static_cast<float>(species % 5) * 0.05F;
  if (is_stone(slot.name) || is_stone(slot.species[species].name)) {
    mesh.height = slot.size_m * 0.6;
    mesh.colour = {0.28F + shade, 0.27F + shade, 0.25F + shade};
    add_spindle(mesh, 5, mesh.radius, 0, mesh.height * 0.45, mesh.height);
  } else {
    mesh.height = slot.size_m * 1.6;
    mesh.colour = {0.05F + shade, 0.2F + shade, 0.04F};
    add_spindle(mesh, 6, mesh.radius, 0, mesh.height * 0.2, mesh.height);
  }
  return mesh;
}

Reach reach_of(const ExportSlot& slot, std::size_t species, const Model* model) {
  if (model != nullptr) {
    return {model->low, model->high, model->radius};
  }
  const Mesh mesh = stand_in(slot, species);
  return {0, mesh.height, mesh.radius};
}

}  // namespace strew::exporting
