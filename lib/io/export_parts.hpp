// Parts shared by the exporters: instances in metres, axes, text, files written in pieces.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "export_model.hpp"
#include "parallel.hpp"
#include "strew/io/export.hpp"
#include "temporary_file.hpp"

namespace strew::exporting {

/// An instance in metres relative to an origin, in strew's axes.
struct Placed {
  double x = 0;
  double y = 0;
  double z = 0;
  double yaw_degrees = 0;
  std::array<double, 3> scale = {1, 1, 1};  ///< along its own axes, before it is turned
  std::uint64_t id = 0;
  std::uint16_t slot = 0;     ///< index into slots()
  std::uint16_t species = 0;  ///< index into the slot's species
  std::uint16_t mesh = 0;     ///< index into the species' meshes
  /// Turned by this quaternion (x, y, z, w, in strew's axes) after its yaw: how it leans with the slope, and
  /// with the ground of its place in the frame of the file, on a globe.
  std::array<float, 4> lean = {0, 0, 0, 1};
  /// The real part of a small turn rounds to 1.
  [[nodiscard]] bool leans() const noexcept { return lean[0] != 0 || lean[1] != 0 || lean[2] != 0; }
};

/// World position that is 0 in the files. Differences are taken in integers, so that they are exact far from
/// world 0.
struct Origin {
  Coord x = 0;
  Coord y = 0;
};

/// Appends the instances of a tile as they stand, slot by slot. Thread-safe.
[[nodiscard]] Status load_instances(const ExportSource& source, std::size_t tile, const Origin& origin,
                                    std::vector<Placed>& out);

using Quaternion = std::array<double, 4>;  ///< x, y, z, w
/// Turns by `b`, then by `a`.
[[nodiscard]] Quaternion product(const Quaternion& a, const Quaternion& b) noexcept;
/// Yaw and lean in one, in strew's axes.
[[nodiscard]] Quaternion turn_of(const Placed& instance) noexcept;

/// Place, turn and scale of an instance in the axes and unit of a preset.
struct Posed {
  std::array<double, 3> position{};
  double yaw_degrees = 0;
  Quaternion turn = {0, 0, 0, 1};
  std::array<double, 3> scale{};
};
/// `with_turn`: whether `turn` is wanted.
[[nodiscard]] Posed in_axes(const Placed& instance, AxisPreset axes, bool with_turn) noexcept;

/// Yaw as a fraction of turns to the sine and cosine of half of it, the same on every machine.
void half_angle(double yaw_degrees, double& sine, double& cosine) noexcept;

template <class Number>
void append_little(std::vector<std::byte>& out, Number value) {
  std::array<std::byte, sizeof(Number)> bytes = std::bit_cast<std::array<std::byte, sizeof(Number)>>(value);
  if constexpr (std::endian::native == std::endian::big) {
    for (std::size_t i = 0; i < bytes.size() / 2; ++i) {
      std::swap(bytes[i], bytes[bytes.size() - 1 - i]);
    }
  }
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Shortest text that reads back as the same number, without an exponent.
template <class Number>
void append_number(std::string& out, Number value) {
  std::array<char, 400> buffer;
  const auto end = [&] {
    if constexpr (std::is_floating_point_v<Number>) {
      return std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    } else {
      return std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    }
  }();
  out.append(buffer.data(), end.ptr);
}

/// Text in double quotes for JSON and USD: quotes, backslashes and control characters escaped.
[[nodiscard]] std::string text_literal(std::string_view text);

/// Appends text as bytes.
inline void append_text(std::vector<std::byte>& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// A file that appears under its name when it is complete. Collects small pieces.
class PieceFile {
 public:
  [[nodiscard]] Status create(const std::string& path);
  [[nodiscard]] Status text(std::string_view text);
  [[nodiscard]] Status bytes(std::span<const std::byte> bytes);
  [[nodiscard]] Status finish(ExportSummary& summary);

 private:
  std::string path_;
  TemporaryFile file_;
  std::vector<std::byte> buffer_;
  std::uint64_t written_ = 0;
};

/// One export: what every format is given.
struct Task {
  const ExportSource& source;
  const std::string& path;
  const ExportOptions& options;
  Origin origin;
  const RunContext& context;
  const Models& models;
};

/// Calls make(tile index, out) -> Status for the tiles on the context's executor, some tiles per worker at a
/// time, and use(tile index, out) -> Status for each in order on this thread: what is written does not depend
/// on the threads.
template <class Out, class Make, class Use>
[[nodiscard]] Status tiles_in_order(const Task& task, const Make& make, const Use& use) {
  constexpr std::size_t kTilesPerWorker = 4;
  const std::size_t count = task.source.tiles().size();
  RunContext context = task.context;
  context.progress = nullptr;
  std::vector<Out> made(std::min<std::size_t>(count, kTilesPerWorker * worker_count(context)));
  for (std::size_t first = 0; first < count; first += made.size()) {
    if (context.cancelled()) {
      return make_error(StatusCode::kCancelled, "the export was stopped");
    }
    const std::size_t here = std::min(made.size(), count - first);
    STREW_RETURN_IF_ERROR(parallel_for(
        context, here, [&](std::uint64_t i, std::uint32_t) -> Status { return make(first + i, made[i]); }));
    for (std::size_t i = 0; i < here; ++i) {
      STREW_RETURN_IF_ERROR(use(first + i, made[i]));
    }
  }
  return {};
}

/// The instances of a tile relative to `origin`, checked against the number that the list of tiles says.
[[nodiscard]] Status load_placed(const Task& task, std::size_t tile, const Origin& origin,
                                 std::vector<Placed>& out);

/// Writes what encode(tile, placed, out) appends to `out`, tile after tile; counts the instances.
template <class Encode>
[[nodiscard]] Status write_tiles(const Task& task, const Origin& origin, PieceFile& file,
                                 ExportSummary& summary, const Encode& encode) {
  using Piece = std::pair<std::vector<std::byte>, std::vector<Placed>>;
  return tiles_in_order<Piece>(
      task,
      [&](std::size_t tile, Piece& piece) -> Status {
        piece.first.clear();
        STREW_RETURN_IF_ERROR(load_placed(task, tile, origin, piece.second));
        encode(task.source.tiles()[tile], piece.second, piece.first);
        return {};
      },
      [&](std::size_t, const Piece& piece) {
        summary.instances += piece.second.size();
        return file.bytes(piece.first);
      });
}

/// Positions, normals and triangles of a stand-in, y up, standing at 0.
struct Mesh {
  std::vector<float> positions;  ///< x, y, z
  std::vector<float> normals;
  std::vector<std::uint16_t> indices;
  std::array<float, 3> colour = {0.5F, 0.5F, 0.5F};  ///< linear
  double height = 1;
  double radius = 0.5;
};
/// A cone for what grows, a boulder for rocks and stones, as their names say; `size_m` wide.
[[nodiscard]] Mesh stand_in(const ExportSlot& slot, std::size_t species);

/// How far what stands for a species reaches, at scale 1, in metres: below and above its place, and sideways.
struct Reach {
  double low = 0;
  double high = 0;
  double radius = 0;
};
[[nodiscard]] Reach reach_of(const ExportSlot& slot, std::size_t species, const Model* model);

/// Meshes that a species is shown with: 1 when it lists none.
[[nodiscard]] inline std::size_t mesh_count(const SpeciesSpec& species) noexcept {
  return std::max<std::size_t>(1, species.transform.meshes.size());
}
/// "oak", or "oak: old" of a species with several meshes.
[[nodiscard]] std::string shown_name(const SpeciesSpec& species, std::size_t mesh);

[[nodiscard]] Status export_csv(const Task& task, ExportSummary& summary);
[[nodiscard]] Status export_ply(const Task& task, ExportSummary& summary);
[[nodiscard]] Status export_npy(const Task& task, ExportSummary& summary);
[[nodiscard]] Status export_usda(const Task& task, ExportSummary& summary);
[[nodiscard]] Status export_glb(const Task& task, ExportSummary& summary);
[[nodiscard]] Status export_tileset(const Task& task, ExportSummary& summary);

}  // namespace strew::exporting
