// 3D Tiles 1.1: a quadtree over the tiles, whose nodes add instances to those of the nodes above them.
//
// Every instance is in one file. A tile hands a quarter of its instances, thinned in a blue-noise order, to
// the node above it, that one a quarter of what it was handed, and so on to the root. The spacing of what is
// shown doubles from level to level, and what is missing at a node is what stands between: the spacing is its
// geometric error, and 0 at the leaves.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "glb_builder.hpp"
#include "strew/exact_math.hpp"
#include "thinning.hpp"

namespace strew::exporting {
namespace {

constexpr std::size_t kThinning = 4;

/// Bounds in strew's axes, relative to the origin of the export.
struct Box {
  double low[3] = {1e300, 1e300, 1e300};
  double high[3] = {-1e300, -1e300, -1e300};

  [[nodiscard]] bool empty() const noexcept { return low[0] > high[0]; }
  void add(double x, double y, double z0, double z1, double radius) noexcept {
    const double from[3] = {x - radius, y - radius, z0};
    const double to[3] = {x + radius, y + radius, z1};
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], from[i]);
      high[i] = std::max(high[i], to[i]);
    }
  }
  void add(const Box& other) noexcept {
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
};

struct Node {
  Box box;
  std::vector<Placed> handed;  ///< up to the node above
  std::string json;            ///< empty: nothing here
};

class Tileset {
 public:
  Tileset(const ExportSource& source, std::string folder, const Origin& origin, const RunContext& context,
          ExportSummary& summary)
      : source_(source), folder_(std::move(folder)), origin_(origin), context_(context), summary_(summary) {
    for (const ExportSlot& slot : source.slots()) {
      for (std::size_t s = 0; s < slot.species.size(); ++s) {
        const Mesh mesh = stand_in(slot, s);
        radius_.push_back(mesh.radius);
        height_.push_back(mesh.height);
      }
      first_.push_back(first_.empty() ? 0 : first_.back() + species_before_);
      species_before_ = slot.species.size();
    }
  }

  [[nodiscard]] Status write() {
    std::filesystem::create_directories(folder_);
    // What vouches for the files goes before they change, and comes back when they are complete.
    std::filesystem::remove(std::filesystem::path(folder_) / "tileset.json");
    const std::span<const ExportTile> tiles = source_.tiles();
    std::uint64_t instances = 0;
    double area = 0;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      const ExportTile& tile = tiles[i];
      x0_ = i == 0 ? tile.x : std::min(x0_, tile.x);
      y0_ = i == 0 ? tile.y : std::min(y0_, tile.y);
      x1_ = i == 0 ? tile.x : std::max(x1_, tile.x);
      y1_ = i == 0 ? tile.y : std::max(y1_, tile.y);
      index_[{tile.x, tile.y}] = i;
      instances += tile.instances;
      area += to_metres(tile.rect.x1 - tile.rect.x0) * to_metres(tile.rect.y1 - tile.rect.y0);
    }
    spacing_ = exact_sqrt(area / static_cast<double>(std::max<std::uint64_t>(1, instances)));
    int depth = 0;
    while ((std::int64_t{1} << depth) <= std::max(x1_ - x0_, y1_ - y0_)) {
      ++depth;
    }
    Node root;
    STREW_RETURN_IF_ERROR(visit(depth, 0, 0, true, root));
    if (root.json.empty()) {
      root.box.add(0, 0, 0, 0, 1);
      root.json = node_json(root.box, 0, {}, {});
    }
    PieceFile file;
    STREW_RETURN_IF_ERROR(file.create((std::filesystem::path(folder_) / "tileset.json").string()));
    std::string text = "{\"asset\":{\"version\":\"1.1\",\"generator\":\"strew\"},\"extras\":{\"origin_m\":[";
    append_number(text, to_metres(origin_.x));
    text += ",";
    append_number(text, to_metres(origin_.y));
    text += "]},\"geometricError\":";
    append_number(text, 2 * error_at(depth));
    STREW_RETURN_IF_ERROR(file.text(text + ",\"root\":" + root.json + "}\n"));
    return file.finish(summary_);
  }

 private:
  [[nodiscard]] double error_at(int level) const noexcept {
    return level == 0 ? 0 : spacing_ * static_cast<double>(std::int64_t{1} << level);
  }

  static std::string node_json(const Box& box, double error, const std::string& content,
                               const std::string& children) {
    std::string text = "{\"boundingVolume\":{\"box\":[";
    for (int i = 0; i < 3; ++i) {
      append_number(text, (box.low[i] + box.high[i]) / 2);
      text += ",";
    }
    for (int axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < 3; ++i) {
        append_number(text, i == axis ? std::max(1e-3, (box.high[i] - box.low[i]) / 2) : 0.0);
        text += axis == 2 && i == 2 ? "" : ",";
      }
    }
    text += "]},\"geometricError\":";
    append_number(text, error);
    text += ",\"refine\":\"ADD\"";
    text += content.empty() ? "" : ",\"content\":{\"uri\":" + text_literal(content) + "}";
    text += children.empty() ? "" : ",\"children\":[" + children + "]";
    return text + "}";
  }

  /// Node (column, row) of a level above the tiles.
  [[nodiscard]] Status visit(int level, std::int64_t column, std::int64_t row, bool root, Node& node) {
    if (context_.cancelled()) {
      return make_error(StatusCode::kCancelled, "the export was stopped; the folder has no tileset.json",
                        folder_);
    }
    std::vector<Placed> pool;
    std::string children;
    if (level == 0) {
      const auto found = index_.find({x0_ + column, y0_ + row});
      if (found == index_.end()) {
        return {};
      }
      STREW_ASSIGN(const std::vector<InstanceTable> tables, source_.load(found->second));
      place(source_.slots(), tables, origin_, pool);
      summary_.instances += pool.size();
      for (const Placed& one : pool) {
        const std::size_t species = first_[one.slot] + one.species;
        node.box.add(one.x, one.y, one.z, one.z + height_[species] * one.scale, radius_[species] * one.scale);
      }
    } else if (any_tile(level, column, row)) {
      for (int child = 0; child < 4; ++child) {
        Node below;
        STREW_RETURN_IF_ERROR(visit(level - 1, 2 * column + child % 2, 2 * row + child / 2, false, below));
        if (below.json.empty()) {
          continue;
        }
        node.box.add(below.box);
        pool.insert(pool.end(), below.handed.begin(), below.handed.end());
        children += (children.empty() ? "" : ",") + below.json;
      }
    }
    if (pool.empty() && children.empty()) {
      return {};
    }
    if (!root) {
      const std::size_t handed = pool.size() / kThinning;
      thin(pool, handed);
      node.handed.assign(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(handed));
      pool.erase(pool.begin(), pool.begin() + static_cast<std::ptrdiff_t>(handed));
    }
    std::string content;
    if (!pool.empty()) {
      content = std::to_string(level) + "_" + std::to_string(column) + "_" + std::to_string(row) + ".glb";
      STREW_RETURN_IF_ERROR(write_content(content, node.box, pool));
    }
    node.json = node_json(node.box, error_at(level), content, children);
    return {};
  }

  /// Whether the node lies over the tiles at all: a world that is no square leaves whole branches empty.
  [[nodiscard]] bool any_tile(int level, std::int64_t column, std::int64_t row) const noexcept {
    return (column << level) <= x1_ - x0_ && (row << level) <= y1_ - y0_;
  }

  [[nodiscard]] Status write_content(const std::string& name, const Box& box, std::vector<Placed>& pool) {
    // Floats relative to the middle of the node, which stands in the node's transform.
    const double middle_x = std::floor((box.low[0] + box.high[0]) / 2);
    const double middle_y = std::floor((box.low[1] + box.high[1]) / 2);
    for (Placed& one : pool) {
      one.x -= middle_x;
      one.y -= middle_y;
    }
    GlbBuilder builder(source_.slots(), true);
    builder.add_group(name.substr(0, name.size() - 4), middle_x, middle_y, 0, pool);
    STREW_ASSIGN(const std::vector<std::byte> bytes, builder.finish());
    PieceFile file;
    STREW_RETURN_IF_ERROR(file.create((std::filesystem::path(folder_) / name).string()));
    STREW_RETURN_IF_ERROR(file.bytes(bytes));
    return file.finish(summary_);
  }

  const ExportSource& source_;
  std::string folder_;
  const Origin& origin_;
  const RunContext& context_;
  ExportSummary& summary_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> index_;
  std::vector<double> radius_;  ///< by species, slot after slot
  std::vector<double> height_;
  std::vector<std::size_t> first_;  ///< first species of each slot
  std::size_t species_before_ = 0;
  std::int64_t x0_ = 0;
  std::int64_t y0_ = 0;
  std::int64_t x1_ = 0;
  std::int64_t y1_ = 0;
  double spacing_ = 1;
};

}  // namespace

Status export_tileset(const ExportSource& source, const std::string& path, const ExportOptions& /*options*/,
                      const Origin& origin, const RunContext& context, ExportSummary& summary) {
  return Tileset(source, path, origin, context, summary).write();
}

}  // namespace strew::exporting
