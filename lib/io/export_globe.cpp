#include "export_globe.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gdal_messages.hpp"

namespace strew::exporting {
namespace {

using Vector = std::array<double, 3>;
using Frame = std::array<Vector, 3>;  ///< east, north, up

constexpr double kSemiMajor = 6378137.0;  // WGS 84
constexpr double kFlattening = 1 / 298.257223563;

double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
Vector difference(const Vector& a, const Vector& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
Vector unit(const Vector& v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

/// Longitude and latitude in degrees, height in metres, to earth-centred metres; `up` is the normal there.
Vector earth_of(double longitude, double latitude, double height, Vector& up) {
  constexpr double kRadians = std::numbers::pi / 180;
  constexpr double kEccentricity2 = kFlattening * (2 - kFlattening);
  const double sine = std::sin(latitude * kRadians);
  const double cosine = std::cos(latitude * kRadians);
  up = {cosine * std::cos(longitude * kRadians), cosine * std::sin(longitude * kRadians), sine};
  const double across = kSemiMajor / std::sqrt(1 - kEccentricity2 * sine * sine);
  return {(across + height) * up[0], (across + height) * up[1],
          (across * (1 - kEccentricity2) + height) * up[2]};
}

/// The rotation that takes `from` to `to`, in the axes of `from`, as a quaternion. Precondition: less than
/// half a turn.
Quaternion turn_between(const Frame& from, const Frame& to) {
  double m[3][3];
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) {
      m[r][c] = dot(from[r], to[c]);
    }
  }
  const double w = std::sqrt(std::max(1e-12, 1 + m[0][0] + m[1][1] + m[2][2])) / 2;
  return {(m[2][1] - m[1][2]) / (4 * w), (m[0][2] - m[2][0]) / (4 * w), (m[1][0] - m[0][1]) / (4 * w), w};
}

}  // namespace

struct Globe::Impl {
  std::string crs;
  Origin origin;
  std::unique_ptr<OGRCoordinateTransformation> transformation;
  Vector centre{};
  Frame frame{};
  std::array<double, 16> to_earth{};

  /// Places and frames on the earth. `x`, `y` in the projection, `z` above the ellipsoid.
  Status earth(std::vector<double> x, std::vector<double> y, std::vector<double> z,
               std::vector<Vector>& places, std::vector<Frame>& frames) const {
    const std::size_t count = x.size();
    // A second place a metre to the projection's north of each tells where that is.
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(x[i]);
      y.push_back(y[i] + 1);
      z.push_back(z[i]);
    }
    const GdalMessages messages;
    // A transformation of one's own: they are not to be shared between threads.
    const std::unique_ptr<OGRCoordinateTransformation> own(transformation->Clone());
    std::vector<int> good(x.size(), 0);
    if (own == nullptr ||
        own->Transform(static_cast<int>(x.size()), x.data(), y.data(), z.data(), good.data()) == 0 ||
        std::find(good.begin(), good.end(), 0) != good.end()) {
      return invalid_argument("does not reach all of the world" + messages.words(), "crs " + crs);
    }
    for (std::size_t i = 0; i < count; ++i) {
      Vector up{};
      Vector other{};
      const Vector place = earth_of(x[i], y[i], z[i], up);
      const Vector north = earth_of(x[count + i], y[count + i], z[count + i], other);
      const Vector east = unit(cross(difference(north, place), up));
      places.push_back(place);
      frames.push_back({east, cross(up, east), up});
    }
    return {};
  }
};

Globe::Globe(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Globe::Globe(Globe&&) noexcept = default;
Globe& Globe::operator=(Globe&&) noexcept = default;
Globe::~Globe() = default;

Result<Globe> Globe::create(const std::string& crs, const Origin& origin) {
  const GdalMessages messages;
  OGRSpatialReference from;
  if (from.SetFromUserInput(crs.c_str()) != OGRERR_NONE) {
    return invalid_argument("\"" + crs +
                                "\" is no coordinate system that PROJ knows; give one such as EPSG:31985" +
                                messages.words(),
                            "crs");
  }
  if (from.IsProjected() == 0 || std::fabs(from.GetLinearUnits() - 1) > 1e-9) {
    return invalid_argument("\"" + crs + "\" is no projected system in metres, as the world's x and y are",
                            "crs");
  }
  OGRSpatialReference to;
  if (to.importFromEPSG(4979) != OGRERR_NONE) {
    return make_error(StatusCode::kIo,
                      "PROJ does not find its database of coordinate systems" + messages.words(), "crs");
  }
  from.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  to.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  auto impl = std::make_unique<Impl>();
  impl->crs = from.GetName() != nullptr ? from.GetName() : crs;
  impl->origin = origin;
  impl->transformation.reset(OGRCreateCoordinateTransformation(&from, &to));
  if (impl->transformation == nullptr) {
    return invalid_argument("\"" + crs + "\" has no way to WGS 84" + messages.words(), "crs");
  }
  std::vector<Vector> places;
  std::vector<Frame> frames;
  STREW_RETURN_IF_ERROR(impl->earth({to_metres(origin.x)}, {to_metres(origin.y)}, {0}, places, frames));
  impl->centre = places[0];
  impl->frame = frames[0];
  for (std::size_t column = 0; column < 3; ++column) {
    std::copy(impl->frame[column].begin(), impl->frame[column].end(), impl->to_earth.begin() + 4 * column);
  }
  std::copy(impl->centre.begin(), impl->centre.end(), impl->to_earth.begin() + 12);
  impl->to_earth[15] = 1;
  return Globe(std::move(impl));
}

const std::array<double, 16>& Globe::to_earth() const noexcept {
  return impl_->to_earth;
}

Status Globe::place(std::vector<Placed>& placed) const {
  if (placed.empty()) {
    return {};
  }
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  for (const Placed& one : placed) {
    x.push_back(to_metres(impl_->origin.x) + one.x);
    y.push_back(to_metres(impl_->origin.y) + one.y);
    z.push_back(one.z);
  }
  std::vector<Vector> places;
  std::vector<Frame> frames;
  STREW_RETURN_IF_ERROR(impl_->earth(std::move(x), std::move(y), std::move(z), places, frames));
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const Vector from_centre = difference(places[i], impl_->centre);
    placed[i].x = dot(from_centre, impl_->frame[0]);
    placed[i].y = dot(from_centre, impl_->frame[1]);
    placed[i].z = dot(from_centre, impl_->frame[2]);
    // What leans with its slope leans so in the frame of its place.
    const std::array<float, 4>& lean = placed[i].lean;
    const Quaternion ground = turn_between(impl_->frame, frames[i]);
    const Quaternion turn =
        placed[i].leans() ? product(ground, {lean[0], lean[1], lean[2], lean[3]}) : ground;
    std::transform(turn.begin(), turn.end(), placed[i].lean.begin(),
                   [](double part) { return static_cast<float>(part); });
  }
  return {};
}

}  // namespace strew::exporting
