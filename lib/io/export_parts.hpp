// Parts shared by the exporters: instances in metres, axes, text, files written in pieces.
#pragma once

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "strew/io/export.hpp"
#include "temporary_file.hpp"

namespace strew::exporting {

/// An instance in metres relative to an origin, in strew's axes.
struct Placed {
  double x = 0;
  double y = 0;
  double z = 0;
  double yaw_degrees = 0;
  double scale = 1;
  std::uint64_t id = 0;
  std::uint16_t slot = 0;     ///< index into slots()
  std::uint16_t species = 0;  ///< index into the slot's species
};

/// World position that is 0 in the files. Differences are taken in integers, so that they are exact far from
/// world 0.
struct Origin {
  Coord x = 0;
  Coord y = 0;
};

/// Appends the instances of a tile, slot by slot.
void place(std::span<const ExportSlot> slots, std::span<const InstanceTable> tables, const Origin& origin,
           std::vector<Placed>& out);

/// In the axes and unit of a preset.
[[nodiscard]] Placed in_axes(const Placed& instance, AxisPreset axes) noexcept;

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

/// Calls use(tile, placed) -> Status for each tile in order, with its instances relative to `origin`.
template <class Use>
[[nodiscard]] Status each_tile(const ExportSource& source, const Origin& origin, const RunContext& context,
                               const Use& use) {
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < source.tiles().size(); ++i) {
    if (context.cancelled()) {
      return make_error(StatusCode::kCancelled, "the export was stopped; nothing was written under its name");
    }
    STREW_ASSIGN(const std::vector<InstanceTable> tables, source.load(i));
    placed.clear();
    place(source.slots(), tables, origin, placed);
    STREW_RETURN_IF_ERROR(use(source.tiles()[i], placed));
  }
  return {};
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

[[nodiscard]] Status export_csv(const ExportSource& source, const std::string& path,
                                const ExportOptions& options, const Origin& origin, const RunContext& context,
                                ExportSummary& summary);
[[nodiscard]] Status export_ply(const ExportSource& source, const std::string& path,
                                const ExportOptions& options, const Origin& origin, const RunContext& context,
                                ExportSummary& summary);
[[nodiscard]] Status export_npy(const ExportSource& source, const std::string& path,
                                const ExportOptions& options, const Origin& origin, const RunContext& context,
                                ExportSummary& summary);
[[nodiscard]] Status export_usda(const ExportSource& source, const std::string& path,
                                 const ExportOptions& options, const Origin& origin,
                                 const RunContext& context, ExportSummary& summary);
[[nodiscard]] Status export_glb(const ExportSource& source, const std::string& path,
                                const ExportOptions& options, const Origin& origin, const RunContext& context,
                                ExportSummary& summary);
[[nodiscard]] Status export_tileset(const ExportSource& source, const std::string& path,
                                    const ExportOptions& options, const Origin& origin,
                                    const RunContext& context, ExportSummary& summary);

}  // namespace strew::exporting
