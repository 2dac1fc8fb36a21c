// A kit made by code: z up, metres, on a lattice of 6 m cells and storeys of 3 m, so that loops close by
// themselves. Floors are slabs of 0.3 m whose top is the storey's height; walls are 0.2 m thick and 2.7 m
// high; passages are 3.6 m wide. Boxes stop 2 cm short of the cell's border, so that neighbours do not touch.
#include <algorithm>

#include "vec.hpp"

namespace strew::snap {
namespace {

constexpr double kSlab = 0.3;
constexpr double kWall = 0.2;
constexpr double kWallHeight = 2.7;
constexpr double kPassage = 3.6;
constexpr double kStorey = 3.0;
constexpr double kInset = 0.02;
constexpr std::uint8_t kGreen = 2;   ///< ordinary passages, 1 pin
constexpr std::uint8_t kOrange = 5;  ///< gates of halls, 2 pins

/// Adds solids to a piece's mesh.
class Builder {
 public:
  explicit Builder(std::string name) { piece.name = std::move(name); }
  Piece piece;

  void box(const Vec3& low, const Vec3& high) { prism(low, high, high.z, high.z); }
  /// A box whose top runs from `top0` at low.x to `top1` at high.x, and whose bottom lies as far below.
  void prism(const Vec3& low, const Vec3& high, double top0, double top1) {
    const double thick = high.z - low.z;
    const auto base = static_cast<std::uint32_t>(piece.mesh.positions.size() / 3);
    for (const double x : {low.x, high.x}) {
      const double top = x == low.x ? top0 : top1;
      for (const double y : {low.y, high.y}) {
        for (const double z : {top - thick, top}) {
          for (const double c : {x, y, z}) {
            piece.mesh.positions.push_back(static_cast<float>(c));
          }
        }
      }
    }
    // Corner index: 4 x + 2 y + z; counter-clockwise from outside.
    constexpr std::uint32_t kFaces[] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                        2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
    for (const std::uint32_t i : kFaces) {
      piece.mesh.triangles.push_back(base + i);
    }
  }
  void floor(double x0, double y0, double x1, double y1, double z = 0) {
    box({x0, y0, z - kSlab}, {x1, y1, z});
  }
  /// A wall along x (from x0 to x1 at y) or along y, inside of the border by its thickness on the side of
  /// `inward`, left open around the connectors that stand in it.
  void wall(bool along_x, double from, double to, double at, double inward, double z = 0) {
    std::vector<double> cuts = {from};
    for (const Connector& c : piece.connectors) {
      const double across = along_x ? c.position.y : c.position.x;
      const double along = along_x ? c.position.x : c.position.y;
      const bool faces = along_x ? c.heading.y != 0 : c.heading.x != 0;
      if (faces && std::abs(across - at) < 1e-9 && c.position.z == z && along > from && along < to) {
        cuts.push_back(along - kPassage / 2);
        cuts.push_back(along + kPassage / 2);
      }
    }
    cuts.push_back(to);
    std::sort(cuts.begin(), cuts.end());
    const double a = std::min(at, at + inward * kWall);
    const double b = std::max(at, at + inward * kWall);
    for (std::size_t i = 0; i + 1 < cuts.size(); i += 2) {
      if (cuts[i + 1] - cuts[i] < 1e-9) {
        continue;
      }
      if (along_x) {
        box({cuts[i], a, z}, {cuts[i + 1], b, z + kWallHeight});
      } else {
        box({a, cuts[i], z}, {b, cuts[i + 1], z + kWallHeight});
      }
    }
  }
  /// Floor and four walls.
  void room(double x0, double y0, double x1, double y1, double z = 0) {
    floor(x0, y0, x1, y1, z);
    walls(x0, y0, x1, y1, z);
  }
  void walls(double x0, double y0, double x1, double y1, double z) {
    wall(true, x0, x1, y0, 1, z);
    wall(true, x0, x1, y1, -1, z);
    wall(false, y0, y1, x0, 1, z);
    wall(false, y0, y1, x1, -1, z);
  }
  void connector(const Vec3& position, const Vec3& heading, std::uint8_t colour = kGreen) {
    Connector c;
    c.name =
        std::string(colour == kOrange ? "gate" : "passage") + " " + std::to_string(piece.connectors.size());
    c.position = position;
    c.heading = heading;
    c.pins = colour == kOrange ? 2 : 1;
    c.colour = colour;
    piece.connectors.push_back(std::move(c));
  }
  /// The space of a part, one storey high above z0 up to z1's walls.
  void space(double x0, double y0, double x1, double y1, double z0 = 0, double z1 = 0) {
    Box b;
    const double low = z0 - kSlab + kInset;
    const double high = z1 + kWallHeight - kInset;
    b.centre = {(x0 + x1) / 2, (y0 + y1) / 2, (low + high) / 2};
    b.query_centre = b.centre;
    b.half_extents = {(x1 - x0) / 2 - kInset, (y1 - y0) / 2 - kInset, (high - low) / 2};
    piece.boxes.push_back(b);
  }
};

constexpr Vec3 kEast{1, 0, 0};
constexpr Vec3 kWest{-1, 0, 0};
constexpr Vec3 kNorth{0, 1, 0};
constexpr Vec3 kSouth{0, -1, 0};

/// A plain cell with passages on some sides.
Piece cell(std::string name, bool east, bool north, bool west, bool south, double weight) {
  Builder b(std::move(name));
  b.piece.weight = weight;
  if (east) {
    b.connector({3, 0, 0}, kEast);
  }
  if (north) {
    b.connector({0, 3, 0}, kNorth);
  }
  if (west) {
    b.connector({-3, 0, 0}, kWest);
  }
  if (south) {
    b.connector({0, -3, 0}, kSouth);
  }
  b.room(-3, -3, 3, 3);
  b.space(-3, -3, 3, 3);
  return std::move(b.piece);
}

Piece straight(std::string name, double half, std::uint8_t end, double weight) {
  Builder b(std::move(name));
  b.piece.weight = weight;
  b.connector({half, 0, 0}, kEast, end);
  b.connector({-half, 0, 0}, kWest);
  b.floor(-half, -2, half, 2);
  b.wall(true, -half, half, -2, 1);
  b.wall(true, -half, half, 2, -1);
  b.space(-half, -2, half, 2);
  return std::move(b.piece);
}

/// 3 x 3 cells, four gates and four passages, a block in the middle.
Piece hall() {
  Builder b("hall");
  b.piece.weight = 0.5;
  b.connector({9, 0, 0}, kEast, kOrange);
  b.connector({0, 9, 0}, kNorth, kOrange);
  b.connector({-9, 0, 0}, kWest, kOrange);
  b.connector({0, -9, 0}, kSouth, kOrange);
  b.connector({9, 6, 0}, kEast);
  b.connector({-6, 9, 0}, kNorth);
  b.connector({-9, -6, 0}, kWest);
  b.connector({6, -9, 0}, kSouth);
  b.room(-9, -9, 9, 9);
  // Three layers: a hollow block would be a room to the navigation mesh.
  for (int layer = 0; layer < 3; ++layer) {
    b.box({-2, -2, 0.9 * layer}, {2, 2, 0.9 * (layer + 1)});
  }
  b.piece.zones.push_back({{-9, -9, -1}, {9, 9, 1}});  // not the top of the block
  b.space(-9, -9, 9, 9);
  return std::move(b.piece);
}

/// 2 x 2 cells with pillars.
Piece chamber() {
  Builder b("chamber");
  b.connector({6, 3, 0}, kEast);
  b.connector({-3, 6, 0}, kNorth);
  b.connector({-6, -3, 0}, kWest);
  b.room(-6, -6, 6, 6);
  for (const double x : {-2.5, 2.5}) {
    for (const double y : {-2.5, 2.5}) {
      b.box({x - 0.4, y - 0.4, 0}, {x + 0.4, y + 0.4, kWallHeight});
    }
  }
  b.space(-6, -6, 6, 6);
  return std::move(b.piece);
}

/// Up one storey over two cells.
Piece ramp() {
  Builder b("ramp");
  b.connector({6, 0, kStorey}, kEast);
  b.connector({-6, 0, 0}, kWest);
  b.floor(-6, -2, -5, 2);
  b.prism({-5, -2, -kSlab}, {5, 2, 0}, 0, kStorey);
  b.floor(5, -2, 6, 2, kStorey);
  for (const double y : {-2.0, 2.0 - kWall}) {
    b.box({-6, y, 0}, {-5, y + kWall, 1});
    b.prism({-5, y, 0}, {5, y + kWall, 1}, 1, kStorey + 1);
    b.box({5, y, kStorey}, {6, y + kWall, kStorey + 1});
  }
  b.space(-6, -2, 0, 2, 0, kStorey / 2);
  b.space(0, -2, 6, 2, kStorey / 2, kStorey);
  return std::move(b.piece);
}

/// Up one storey in steps of 0.25 m.
Piece stairs() {
  Builder b("stairs");
  b.connector({6, 0, kStorey}, kEast);
  b.connector({-6, 0, 0}, kWest);
  b.floor(-6, -2, -4, 2);
  constexpr int kSteps = 12;
  constexpr double kTread = 8.0 / kSteps;
  for (int i = 0; i < kSteps; ++i) {
    const double top = kStorey * (i + 1) / kSteps;
    const double x = -4 + kTread * i;
    b.box({x, -2, top - kStorey / kSteps - kSlab}, {x + kTread, 2, top});
    for (const double y : {-2.0, 2.0 - kWall}) {
      b.box({x, y, top}, {x + kTread, y + kWall, top + 1});
    }
  }
  b.floor(4, -2, 6, 2, kStorey);
  for (const double y : {-2.0, 2.0 - kWall}) {
    b.box({-6, y, 0}, {-4, y + kWall, 1});
    b.box({4, y, kStorey}, {6, y + kWall, kStorey + 1});
  }
  b.space(-6, -2, 0, 2, 0, kStorey / 2);
  b.space(0, -2, 6, 2, kStorey / 2, kStorey);
  return std::move(b.piece);
}

/// Two floors without a way between them: a bridge across a chamber.
Piece gallery() {
  Builder b("gallery");
  b.connector({6, 3, 0}, kEast);
  b.connector({-6, 3, 0}, kWest);
  b.connector({3, 6, kStorey}, kNorth);
  b.connector({3, -6, kStorey}, kSouth);
  b.room(-6, -6, 6, 6);
  b.floor(1, -6, 5, 6, kStorey);
  for (const double x : {1.0, 5.0 - kWall}) {
    b.box({x, -6, kStorey}, {x + kWall, 6, kStorey + 1});
  }
  b.space(-6, -6, 6, 6, 0, 0);
  b.space(1, -6, 5, 6, kStorey, kStorey);
  return std::move(b.piece);
}

/// Two floors with stairs between them.
Piece tower() {
  Builder b("tower");
  b.connector({6, -3, 0}, kEast);
  b.connector({-6, -3, 0}, kWest);
  b.connector({6, 3, kStorey}, kEast);
  b.connector({-3, 6, kStorey}, kNorth);
  b.room(-6, -6, 6, 6);
  // The upper floor is a strip along the north; the stairs rise to it from the south.
  b.floor(-6, 1, 6, 6, kStorey);
  b.walls(-6, -6, 6, 6, kStorey);
  // Two metres and more stay free on every side, so that walkers of 0.8 m pass between stairs and walls and
  // turn on to the first step.
  constexpr int kSteps = 10;
  for (int i = 0; i < kSteps; ++i) {
    const double top = kStorey * (i + 1) / kSteps;
    const double y = -4 + 0.5 * i;
    b.box({0, y, top - kStorey / kSteps - kSlab}, {3, y + 0.5, top});
  }
  b.space(-6, -6, 6, 6, 0, kStorey);
  return std::move(b.piece);
}

/// A corridor whose middle has fallen: two regions.
Piece broken() {
  Builder b("broken corridor");
  b.piece.weight = 0.4;
  b.connector({6, 0, 0}, kEast);
  b.connector({-6, 0, 0}, kWest);
  for (const double side : {-1.0, 1.0}) {
    b.floor(side < 0 ? -6 : 1.5, -2, side < 0 ? -1.5 : 6, 2);
  }
  b.wall(true, -6, 6, -2, 1);
  b.wall(true, -6, 6, 2, -1);
  b.space(-6, -2, 6, 2);
  return std::move(b.piece);
}

/// Closes a passage or a gate.
Piece cap(std::string name, std::uint8_t colour) {
  Builder b(std::move(name));
  b.piece.cap = true;
  b.connector({0, 0, 0}, kWest, colour);
  b.box({0, -2, -kSlab}, {0.1, 2, kWallHeight});
  Box box;
  box.centre = {0.05, 0, 1.2};
  box.query_centre = box.centre;
  box.half_extents = {0.03, 1.9, 1.4};
  b.piece.boxes.push_back(box);
  return std::move(b.piece);
}

}  // namespace

Kit built_in_kit() {
  Kit kit;
  kit.name = "storeys";
  kit.pieces = {hall(),
                cell("crossing", true, true, true, true, 1),
                cell("junction", true, true, true, false, 1),
                cell("corner", true, true, false, false, 1),
                straight("corridor", 3, kGreen, 1),
                straight("gateway", 6, kOrange, 2),
                chamber(),
                ramp(),
                stairs(),
                gallery(),
                tower(),
                broken(),
                cap("end wall", kGreen),
                cap("closed gate", kOrange)};
  kit.starters = {0, 1, 6, 10};
  order_connectors(kit);
  return kit;
}

}  // namespace strew::snap
