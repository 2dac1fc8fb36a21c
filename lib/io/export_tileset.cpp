// 3D Tiles 1.1: a quadtree over the tiles, whose nodes add instances to those of the nodes above them.
//
// Every instance is in one file. A tile hands a quarter of its instances, thinned in a blue-noise order, to
// the node above it, that one a quarter of what it was handed, and so on to the root. The spacing of what is
// shown doubles from level to level, and what is missing at a node is what stands between. Its geometric
// error is four times that spacing, and 0 at the leaves: readers refine what errs by 16 pixels or so, and at
// 16 pixels between them trees of a forest look like a meadow.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "export_globe.hpp"
#include "glb_builder.hpp"
#include "strew/exact_math.hpp"
#include "thinning.hpp"

namespace strew::exporting {
namespace {

constexpr std::size_t kThinning = 4;
constexpr double kErrorPerSpacing = 4;

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

/// Where the top of something stands that is `height` high, in the frame of the file.
void add_leaning(Box& box, const Placed& one, double low, double high, double radius) noexcept {
  const auto [x, y, z, w] = one.lean;
  const double up[3] = {2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1 - 2.0 * (x * x + y * y)};
  for (const double height : {low, high}) {
    const double at_z = one.z + height * up[2];
    box.add(one.x + height * up[0], one.y + height * up[1], at_z - radius, at_z + radius, radius);
  }
}

class Tileset {
 public:
  Tileset(const Task& task, const Globe* globe, ExportSummary& summary)
      : source_(task.source),
        folder_(task.path),
        origin_(task.origin),
        context_(task.context),
        models_(task.models),
        globe_(globe),
        summary_(summary) {
    for (std::size_t i = 0; i < source_.slots().size(); ++i) {
      const ExportSlot& slot = source_.slots()[i];
      std::vector<Reach>& reaches = reach_.emplace_back();
      for (std::size_t s = 0; s < slot.species.size(); ++s) {
        reaches.push_back(reach_of(slot, s, models_.find(i, s)));
      }
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
    STREW_RETURN_IF_ERROR(
        write_models(models_, (std::filesystem::path(folder_) / kModelFolder).string(), summary_));
    STREW_RETURN_IF_ERROR(make_branches(depth));
    Node root;
    STREW_RETURN_IF_ERROR(visit(depth, 0, 0, true, root));
    if (root.json.empty()) {
      root.box.add(0, 0, 0, 0, 1);
      root.json = node_json(root.box, 0, {}, {});
    }
    if (globe_ != nullptr) {
      std::string transform = "{\"transform\":[";
      for (std::size_t i = 0; i < 16; ++i) {
        transform += i == 0 ? "" : ",";
        append_number(transform, globe_->to_earth()[i]);
      }
      root.json = transform + "]," + root.json.substr(1);
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
    return level == 0 ? 0 : kErrorPerSpacing * spacing_ * static_cast<double>(std::int64_t{1} << level);
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

  /// The nodes of one level with all that is below them, on the context's executor: some for each worker, so
  /// that none waits long, and no more, because each keeps what it hands up until the level above is made.
  [[nodiscard]] Status make_branches(int depth) {
    constexpr std::uint64_t kBranchesPerWorker = 8;
    const std::uint64_t workers = worker_count(context_);
    int level = depth;
    while (level > 0 && workers > 1 &&
           (std::uint64_t{1} << (2 * (depth - level))) < kBranchesPerWorker * workers) {
      --level;
    }
    if (level == depth) {
      return {};
    }
    const std::int64_t side = std::int64_t{1} << (depth - level);
    std::vector<Node> made(static_cast<std::size_t>(side * side));
    RunContext context = context_;
    context.progress = nullptr;
    STREW_RETURN_IF_ERROR(parallel_for(context, made.size(), [&](std::uint64_t i, std::uint32_t) -> Status {
      const auto at = static_cast<std::int64_t>(i);
      return visit(level, at % side, at / side, false, made[i]);
    }));
    branches_ = std::move(made);
    branch_level_ = level;
    branch_side_ = side;
    return {};
  }

  /// Node (column, row) of a level above the tiles, with all that is below it; left empty where nothing is.
  [[nodiscard]] Status visit(int level, std::int64_t column, std::int64_t row, bool root, Node& node) {
    if (context_.cancelled()) {
      return make_error(StatusCode::kCancelled, "the export was stopped");
    }
    if (!branches_.empty() && level == branch_level_) {
      node = std::move(branches_[static_cast<std::size_t>(row * branch_side_ + column)]);
      return {};
    }
    std::vector<Placed> pool;
    std::string children;
    if (level == 0) {
      const auto found = index_.find({x0_ + column, y0_ + row});
      if (found == index_.end()) {
        return {};
      }
      STREW_RETURN_IF_ERROR(load_instances(source_, found->second, origin_, pool));
      if (globe_ != nullptr) {
        STREW_RETURN_IF_ERROR(globe_->place(pool));
      }
      {
        const std::lock_guard lock(mutex_);
        summary_.instances += pool.size();
      }
      for (const Placed& one : pool) {
        const Reach& reach = reach_[one.slot][one.species];
        const double low = reach.low * one.scale[2];
        const double high = reach.high * one.scale[2];
        const double radius = reach.radius * std::max(one.scale[0], one.scale[1]);
        if (one.leans()) {
          add_leaning(node.box, one, low, high, radius);
        } else {
          node.box.add(one.x, one.y, one.z + low, one.z + high, radius);
        }
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
    GlbBuilder builder(source_.slots(), models_, origin_, true, kModelFolder);
    builder.add_group(name.substr(0, name.size() - 4), middle_x, middle_y, 0, pool);
    STREW_ASSIGN(const std::vector<std::byte> bytes, builder.finish());
    PieceFile file;
    STREW_RETURN_IF_ERROR(file.create((std::filesystem::path(folder_) / name).string()));
    STREW_RETURN_IF_ERROR(file.bytes(bytes));
    ExportSummary own;
    STREW_RETURN_IF_ERROR(file.finish(own));
    const std::lock_guard lock(mutex_);
    summary_.bytes += own.bytes;
    summary_.files += own.files;
    return {};
  }

  const ExportSource& source_;
  std::string folder_;
  const Origin& origin_;
  const RunContext& context_;
  const Models& models_;
  const Globe* globe_;  ///< null: the tileset is local
  std::mutex mutex_;    ///< guards the summary
  ExportSummary& summary_;
  std::vector<Node> branches_;  ///< by row and column of their level
  int branch_level_ = 0;
  std::int64_t branch_side_ = 0;
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> index_;
  std::vector<std::vector<Reach>> reach_;  ///< by slot and species
  std::int64_t x0_ = 0;
  std::int64_t y0_ = 0;
  std::int64_t x1_ = 0;
  std::int64_t y1_ = 0;
  double spacing_ = 1;
};

}  // namespace

Status export_tileset(const Task& task, ExportSummary& summary) {
  std::optional<Globe> globe;
  if (!task.options.crs.empty()) {
    STREW_ASSIGN(globe, Globe::create(task.options.crs, task.origin));
  }
  return Tileset(task, globe ? &*globe : nullptr, summary).write();
}

}  // namespace strew::exporting
