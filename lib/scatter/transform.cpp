// Scatter::transforms: how instances stand on the ground, recomputed from identity and place.
#include <algorithm>
#include <array>
#include <cmath>

#include "attributes.hpp"
#include "guard.hpp"
#include "strew/exact_math.hpp"

namespace strew {
namespace {

/// dz/dx and dz/dy by central differences over two cells; one-sided beside missing ground, 0 where both
/// sides miss.
struct Tilt {
  double dx = 0;
  double dy = 0;
};

double difference(const RasterView<float>& raster, Coord x, Coord y, Coord step_x, Coord step_y,
                  double metres) noexcept {
  double here = 0;
  double ahead = 0;
  double behind = 0;
  const bool has_here = sample_bilinear(raster, x, y, here) == SampleState::kValid;
  const bool has_ahead = sample_bilinear(raster, x + step_x, y + step_y, ahead) == SampleState::kValid;
  const bool has_behind = sample_bilinear(raster, x - step_x, y - step_y, behind) == SampleState::kValid;
  if (has_ahead && has_behind) {
    return (ahead - behind) / (2 * metres);
  }
  if (has_here && has_ahead) {
    return (ahead - here) / metres;
  }
  return has_here && has_behind ? (here - behind) / metres : 0;
}

Tilt tilt_at(const RasterView<float>& raster, Coord x, Coord y) noexcept {
  if (raster.empty()) {
    return {};
  }
  const auto step_x = static_cast<Coord>(raster.dx * 4294967296.0);
  const auto step_y = static_cast<Coord>(raster.dy * 4294967296.0);
  return {difference(raster, x, y, step_x, 0, raster.dx), difference(raster, x, y, 0, step_y, raster.dy)};
}

using Quaternion = std::array<double, 4>;  // x, y, z, w

Quaternion product(const Quaternion& a, const Quaternion& b) noexcept {
  return {a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
          a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
          a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
          a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2]};
}

/// Turn about a horizontal axis that leans z towards the normal (-dx, -dy, 1).
Quaternion lean(const Tilt& tilt, const TransformSpec& spec) noexcept {
  const double steepness = exact_sqrt(tilt.dx * tilt.dx + tilt.dy * tilt.dy);
  if (steepness <= 0 || spec.align <= 0) {
    return {0, 0, 0, 1};
  }
  const double slope = exact_atan(steepness) / (2 * kPi) * spec.align;  // in turns
  const double most = spec.max_tilt_degrees / 360;
  double sine = 0;
  double cosine = 1;
  exact_sincos_turns((slope < most ? slope : most) / 2, sine, cosine);
  return {sine * tilt.dy / steepness, -sine * tilt.dx / steepness, 0, cosine};
}

double drawn(const Range& range, std::uint32_t draw) noexcept {
  return range.minimum + (range.maximum - range.minimum) * draw_unit(draw);
}

std::uint16_t mesh_of(const std::vector<MeshSpec>& meshes, std::uint32_t draw) noexcept {
  double total = 0;
  for (const MeshSpec& mesh : meshes) {
    total += mesh.weight;
  }
  const double target = draw_unit(draw) * total;
  double sum = 0;
  std::uint16_t last = 0;
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    sum += meshes[i].weight;
    if (meshes[i].weight > 0) {
      last = static_cast<std::uint16_t>(i);
      if (target < sum) {
        break;
      }
    }
  }
  return last;
}

InstanceTransform transform_of(const SpeciesSpec& species, const InstanceTable& table, std::size_t i,
                               const PhiloxCounter& draw, const Tilt& tilt) noexcept {
  const TransformSpec& spec = species.transform;
  InstanceTransform out;
  const double steepness = exact_sqrt(tilt.dx * tilt.dx + tilt.dy * tilt.dy);
  out.z_m = table.z_m(i) + drawn(spec.offset_m, draw[3]) - spec.sink_m * steepness;
  const double yaw = table.yaw_degrees(i, species.yaw_degrees);
  double sine = 0;
  double cosine = 1;
  exact_sincos_turns(yaw / 720, sine, cosine);
  const Quaternion turned = product(lean(tilt, spec), {0, 0, sine, cosine});
  for (std::size_t axis = 0; axis < 4; ++axis) {
    out.rotation[axis] = static_cast<float>(turned[axis]);
  }
  const double scale = table.scale_factor(i, species.scale);
  out.scale = {static_cast<float>(scale),
               static_cast<float>(spec.scale_y ? drawn(*spec.scale_y, draw[0]) : scale),
               static_cast<float>(spec.scale_z ? drawn(*spec.scale_z, draw[1]) : scale)};
  out.mesh = mesh_of(spec.meshes, draw[2]);
  return out;
}

}  // namespace

Status Scatter::transforms(std::size_t slot, const InstanceTable& table, const TerrainSource& terrain,
                           std::vector<InstanceTransform>& out) const {
  if (slot >= impl_->slots.size()) {
    return invalid_argument(
        "is " + std::to_string(slot) + "; the world has " + std::to_string(impl_->slots.size()) + " slots",
        "slot");
  }
  return guarded([&]() -> Status {
    out.clear();
    if (table.size() == 0) {
      return {};
    }
    const SlotInfo& info = impl_->slots[slot];
    const scatter::Layer& layer = impl_->layers[info.layer];
    const std::uint64_t stream = info.secondary ? layer.secondaries[*info.secondary].stream : layer.stream;
    const Coord pitch = table.lattice.pitch;
    Rect around = {table.x[0] * pitch, table.y[0] * pitch, table.x[0] * pitch + 1, table.y[0] * pitch + 1};
    for (std::size_t i = 0; i < table.size(); ++i) {
      if (table.species[i] >= info.species.size()) {
        return invalid_argument("has a species beyond the slot's list; give the slot that made it", "table");
      }
      around = {std::min(around.x0, table.x[i] * pitch), std::min(around.y0, table.y[i] * pitch),
                std::max(around.x1, table.x[i] * pitch + 1), std::max(around.y1, table.y[i] * pitch + 1)};
    }
    // A first, small window tells the cell, by which the second one is wider than the instances.
    TerrainWindow window;
    STREW_RETURN_IF_ERROR(terrain.window({around.x0, around.y0, around.x0 + 1, around.y0 + 1}, window));
    if (!window.view.elevation.empty()) {
      const double cell = std::max(window.view.elevation.dx, window.view.elevation.dy);
      const auto margin = static_cast<Coord>(cell * 4294967296.0) + 1;
      window = TerrainWindow{};
      STREW_RETURN_IF_ERROR(terrain.window(expanded(around, margin), window));
    }
    out.reserve(table.size());
    for (std::size_t i = 0; i < table.size(); ++i) {
      const Tilt tilt = tilt_at(window.view.elevation, table.x[i] * pitch, table.y[i] * pitch);
      const PhiloxCounter draw =
          scatter::attribute_draw(impl_->spec.seed, stream, table.lattice, table.x[i], table.y[i], 1);
      out.push_back(transform_of(info.species[table.species[i]], table, i, draw, tilt));
    }
    return {};
  });
}

}  // namespace strew
