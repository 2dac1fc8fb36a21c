#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <memory>
#include <new>

#include "bytes.hpp"
#include "column_code.hpp"
#include "tile_layout.hpp"
#include "tile_store.hpp"

namespace strew {
namespace {

// Of the levels that keep pace with generation, higher ones gain under 1 %: most of a tile is random bits.
constexpr int kZstdLevel = 1;
// Random bytes repeat by chance alone: a small table of places finds fewer of these useless matches, and
// sooner.
constexpr int kZstdHashLog = 6;
// A block of its own gives a byte plane its own entropy code; below this size the block's header costs more.
constexpr std::size_t kOwnBlockBytes = 2048;

/// Writes columns, each given as a function from a row to its word.
class PayloadWriter {
 public:
  explicit PayloadWriter(std::size_t bytes)
      : payload_(std::make_unique_for_overwrite<std::byte[]>(bytes)), bytes_(bytes) {}

  [[nodiscard]] std::byte* at(std::size_t offset) noexcept { return payload_.get() + offset; }
  void skip(std::size_t bytes) noexcept {
    std::fill_n(at(cursor_), bytes, std::byte{0});
    cursor_ += bytes;
  }

  template <class Word, class At>
  void planes(std::size_t count, const At& word_at) {
    std::array<Word, kChunk> words;
    for (std::size_t begin = 0; begin < count; begin += kChunk) {
      const std::size_t here = std::min(kChunk, count - begin);
      for (std::size_t i = 0; i < here; ++i) {
        words[i] = word_at(begin + i);
      }
      for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
        std::byte* const to = at(cursor_ + plane * count + begin);
        for (std::size_t i = 0; i < here; ++i) {
          to[i] = static_cast<std::byte>(words[i] >> (8 * plane) & 0xFFU);
        }
      }
    }
    for (std::size_t plane = 0; plane < sizeof(Word); ++plane) {
      cursor_ += count;
      if (count >= kOwnBlockBytes) {
        ends_.push_back(cursor_);
      }
    }
  }
  /// Writes the column in the code that compresses better, and returns the code.
  template <class Word, class At>
  std::uint8_t best(std::size_t count, const At& word_at) {
    if (!deltas_are_smaller<Word>(count, word_at)) {
      planes<Word>(count, word_at);
      return tile_layout::kPlain;
    }
    planes<Word>(count, [&](std::size_t i) { return delta_at<Word>(i, word_at); });
    return tile_layout::kDelta;
  }

  [[nodiscard]] std::span<const std::byte> payload() const noexcept { return {payload_.get(), bytes_}; }
  /// Ends of the planes that get a block of their own.
  [[nodiscard]] std::span<const std::size_t> ends() const noexcept { return ends_; }

 private:
  /// Words that are taken apart at a time: they stay in the nearest cache.
  static constexpr std::size_t kChunk = 512;
  std::unique_ptr<std::byte[]> payload_;
  std::size_t bytes_;
  std::vector<std::size_t> ends_;
  std::size_t cursor_ = 0;
};

struct SlotShape {
  std::int64_t base_x = 0;
  std::int64_t base_y = 0;
  std::uint8_t width = 4;
};

SlotShape shape_of(const InstanceTable& table) {
  SlotShape shape;
  if (table.size() == 0) {
    return shape;
  }
  std::int64_t last_x = table.x[0];
  std::int64_t last_y = table.y[0];
  shape.base_x = last_x;
  shape.base_y = last_y;
  for (std::size_t i = 1; i < table.size(); ++i) {
    shape.base_x = std::min(shape.base_x, table.x[i]);
    shape.base_y = std::min(shape.base_y, table.y[i]);
    last_x = std::max(last_x, table.x[i]);
    last_y = std::max(last_y, table.y[i]);
  }
  const std::uint64_t range =
      std::max(static_cast<std::uint64_t>(last_x) - static_cast<std::uint64_t>(shape.base_x),
               static_cast<std::uint64_t>(last_y) - static_cast<std::uint64_t>(shape.base_y));
  shape.width = range <= std::numeric_limits<std::uint32_t>::max() ? 4 : 8;
  return shape;
}

/// Offsets of a column's indices from the smallest.
template <class Word>
auto offsets(const std::vector<std::int64_t>& column, std::int64_t base) {
  return [from = column.data(), base](std::size_t i) {
    return static_cast<Word>(static_cast<std::uint64_t>(from[i]) - static_cast<std::uint64_t>(base));
  };
}

template <class Word, class From>
auto words_of(const std::vector<From>& column) {
  return [from = column.data()](std::size_t i) { return std::bit_cast<Word>(from[i]); };
}

void write_slot(PayloadWriter& writer, std::byte* entry, std::uint32_t slot, const InstanceTable& table,
                const SlotShape& shape) {
  using namespace tile_layout;
  store_word(entry + kEntrySlotAt, slot);
  store_word(entry + kEntryCountAt, static_cast<std::uint32_t>(table.size()));
  store_word(entry + kEntryPitchAt, table.lattice.pitch);
  store_word(entry + kEntryIdentityStepAt, table.lattice.identity_step);
  store_word(entry + kEntryBaseXAt, shape.base_x);
  store_word(entry + kEntryBaseYAt, shape.base_y);
  store_word(entry + kEntryWidthAt, shape.width);
  const std::size_t count = table.size();
  if (shape.width == 4) {
    using Word = std::uint32_t;
    store_word(entry + kEntryCodeXAt, writer.best<Word>(count, offsets<Word>(table.x, shape.base_x)));
    store_word(entry + kEntryCodeYAt, writer.best<Word>(count, offsets<Word>(table.y, shape.base_y)));
  } else {
    using Word = std::uint64_t;
    store_word(entry + kEntryCodeXAt, writer.best<Word>(count, offsets<Word>(table.x, shape.base_x)));
    store_word(entry + kEntryCodeYAt, writer.best<Word>(count, offsets<Word>(table.y, shape.base_y)));
  }
  if (table.exact()) {
    store_word(entry + kEntryExactAt, std::uint8_t{1});
    store_word(entry + kEntryCodeZAt,
               writer.best<std::uint64_t>(count, words_of<std::uint64_t>(table.z_exact)));
    writer.planes<std::uint16_t>(count, words_of<std::uint16_t>(table.species));
    writer.planes<std::uint32_t>(count, words_of<std::uint32_t>(table.yaw_exact));
    writer.planes<std::uint32_t>(count, words_of<std::uint32_t>(table.scale_exact));
    return;
  }
  store_word(entry + kEntryCodeZAt,
             writer.best<std::uint32_t>(count, words_of<std::uint32_t>(table.z_steps)));
  writer.planes<std::uint16_t>(count, words_of<std::uint16_t>(table.species));
  writer.planes<std::uint16_t>(count, words_of<std::uint16_t>(table.yaw));
  writer.planes<std::uint16_t>(count, words_of<std::uint16_t>(table.scale));
}

struct FreeContext {
  void operator()(ZSTD_CCtx* context) const noexcept { ZSTD_freeCCtx(context); }
};

/// One zstd frame with the content size in its header, appended to `out`.
Status compress(std::span<const std::byte> payload, std::span<const std::size_t> ends,
                std::vector<std::byte>& out) {
  const std::unique_ptr<ZSTD_CCtx, FreeContext> context(ZSTD_createCCtx());
  if (context == nullptr) {
    return make_error(StatusCode::kOutOfMemory, "no memory for the zstd compressor; use a smaller tile");
  }
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kZstdLevel);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_hashLog, kZstdHashLog);
  ZSTD_CCtx_setPledgedSrcSize(context.get(), payload.size());
  // Each flush may add a block header and the remains of zstd's own bound.
  const std::size_t bound = ZSTD_compressBound(payload.size()) + 64 * (ends.size() + 1);
  const auto compressed = std::make_unique_for_overwrite<std::byte[]>(bound);
  ZSTD_outBuffer to{compressed.get(), bound, 0};
  ZSTD_inBuffer from{payload.data(), 0, 0};
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const bool last = i == ends.size();
    from.size = last ? payload.size() : ends[i];
    const std::size_t left =
        ZSTD_compressStream2(context.get(), &to, &from, last ? ZSTD_e_end : ZSTD_e_flush);
    if (left != 0) {
      return make_error(StatusCode::kInternal, ZSTD_isError(left) != 0
                                                   ? std::string("zstd: ") + ZSTD_getErrorName(left)
                                                   : std::string("zstd needs more than its own bound"));
    }
  }
  out.reserve(out.size() + to.pos + tile_layout::kTrailerBytes);
  out.insert(out.end(), compressed.get(), compressed.get() + to.pos);
  return {};
}

Status check_tables(std::span<const std::uint32_t> slots, std::span<const InstanceTable> tables) {
  if (slots.size() != tables.size() || slots.size() > kMaxSlots) {
    return make_error(StatusCode::kInternal, "a tile needs one slot number per table, at most 64");
  }
  for (const InstanceTable& table : tables) {
    const std::size_t count = table.size();
    if (table.y.size() != count || table.z_steps.size() != count || table.species.size() != count ||
        table.yaw.size() != count || table.scale.size() != count) {
      return make_error(StatusCode::kInternal, "the columns of an instance table differ in length");
    }
    if (table.exact() && (table.z_exact.size() != count || table.yaw_exact.size() != count ||
                          table.scale_exact.size() != count)) {
      return make_error(StatusCode::kInternal, "the exact columns of an instance table differ in length");
    }
    for (std::size_t i = 0; i < table.z_exact.size(); ++i) {
      // What is stored is the exact value alone: the other must follow from it.
      if (z_steps_of(table.z_exact[i]) != table.z_steps[i] || table.yaw_exact[i] >> 16 != table.yaw[i] ||
          table.scale_exact[i] >> 16 != table.scale[i]) {
        return make_error(StatusCode::kInternal,
                          "row " + std::to_string(i) +
                              " of an instance table has an exact value that does not round to its other");
      }
    }
    if (count > std::numeric_limits<std::uint32_t>::max()) {
      return make_error(StatusCode::kLimit,
                        "one tile holds more than 4294967295 instances; use a smaller tile");
    }
  }
  return {};
}

}  // namespace

Result<EncodedTile> encode_tile(std::int64_t tile_x, std::int64_t tile_y,
                                std::span<const std::uint32_t> slots, std::span<const InstanceTable> tables,
                                TileCompression compression) {
  using namespace tile_layout;
  STREW_RETURN_IF_ERROR(check_tables(slots, tables));
  try {
    std::size_t bytes = kEntryBytes * tables.size();
    std::vector<SlotShape> shapes;
    for (const InstanceTable& table : tables) {
      shapes.push_back(shape_of(table));
      bytes += table.size() * (std::size_t{2} * shapes.back().width + rest_bytes(table.exact()));
    }
    const bool any_exact =
        std::any_of(tables.begin(), tables.end(), [](const InstanceTable& table) { return table.exact(); });
    PayloadWriter writer(bytes);
    writer.skip(kEntryBytes * tables.size());
    for (std::size_t i = 0; i < tables.size(); ++i) {
      write_slot(writer, writer.at(kEntryBytes * i), slots[i], tables[i], shapes[i]);
    }
    const std::span<const std::byte> payload = writer.payload();

    EncodedTile tile;
    tile.bytes.resize(kHeaderBytes);
    if (compression == TileCompression::kZstd) {
      STREW_RETURN_IF_ERROR(compress(payload, writer.ends(), tile.bytes));
      if (tile.bytes.size() - kHeaderBytes >= payload.size()) {
        compression = TileCompression::kStored;
        tile.bytes.resize(kHeaderBytes);
      }
    }
    if (compression == TileCompression::kStored) {
      tile.bytes.insert(tile.bytes.end(), payload.begin(), payload.end());
    }
    std::byte* header = tile.bytes.data();
    std::copy(kMagic.begin(), kMagic.end(), header);
    store_word(header + kVersionAt, any_exact ? kTileFormatVersion : 1U);
    store_word(header + kSlotCountAt, static_cast<std::uint32_t>(tables.size()));
    store_word(header + kTileXAt, tile_x);
    store_word(header + kTileYAt, tile_y);
    store_word(header + kPayloadBytesAt, static_cast<std::uint64_t>(payload.size()));
    store_word(header + kCompressionAt, static_cast<std::uint32_t>(compression));
    store_word(header + kStoredBytesAt, static_cast<std::uint64_t>(tile.bytes.size() - kHeaderBytes));
    tile.checksum = checksum_bytes(checksum_bytes(0, {header, kContentEnd}), payload);
    store_word(header + kChecksumAt, tile.checksum);
    const std::uint64_t file_checksum = checksum_bytes(0, tile.bytes);
    tile.bytes.resize(tile.bytes.size() + tile_layout::kTrailerBytes);
    store_word(tile.bytes.data() + tile.bytes.size() - kTrailerBytes, file_checksum);
    return tile;
  } catch (const std::bad_alloc&) {
    return make_error(StatusCode::kOutOfMemory, "no memory to encode a tile; use a smaller tile");
  }
}

}  // namespace strew
