#include "tile_store.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "bytes.hpp"
#include "strew/random.hpp"
#include "tile_layout.hpp"
#include "tile_tables.hpp"

namespace strew {
namespace {

using strew_test::make_table;
using strew_test::same_table;

constexpr Lattice kSquares{1483000, 8192};

void expect_round_trip(const std::vector<std::uint32_t>& slots, const std::vector<InstanceTable>& tables,
                       TileCompression compression) {
  const auto encoded = encode_tile(-3, 7, slots, tables, compression);
  ASSERT_TRUE(encoded.ok()) << encoded.status().text();
  const auto decoded = decode_tile(encoded.value().bytes, "tile");
  ASSERT_TRUE(decoded.ok()) << decoded.status().text();
  EXPECT_EQ(decoded.value().tile_x, -3);
  EXPECT_EQ(decoded.value().tile_y, 7);
  EXPECT_EQ(decoded.value().checksum, encoded.value().checksum);
  EXPECT_EQ(decoded.value().slots, slots);
  ASSERT_EQ(decoded.value().tables.size(), tables.size());
  for (std::size_t i = 0; i < tables.size(); ++i) {
    EXPECT_TRUE(same_table(decoded.value().tables[i], tables[i])) << i;
  }
}

std::vector<InstanceTable> several_tables() {
  InstanceTable empty;
  empty.lattice = {1000, 1};
  return {make_table(-50, 1000, 40, 30, kSquares), empty, make_table(3, -4, 1, 1, {7, 8192}),
          make_table(100, 100, 60, 60, {97, 1})};
}

TEST(TileStore, RoundTripsEmptyOneAndMany) {
  for (const TileCompression compression : {TileCompression::kStored, TileCompression::kZstd}) {
    expect_round_trip({}, {}, compression);
    expect_round_trip({0}, {InstanceTable{}}, compression);
    expect_round_trip({63}, {make_table(5, 6, 1, 1, kSquares)}, compression);
    expect_round_trip({0, 1, 62, 63}, several_tables(), compression);
    expect_round_trip({4}, {make_table(-100, -100, 300, 300, kSquares)}, compression);
  }
}

TEST(TileStore, RoundTripsExtremeValues) {
  InstanceTable table;
  table.lattice = {1, 1};
  table.x = {-kCoordLimit, kCoordLimit, 0};
  table.y = {-kCoordLimit, 0, kCoordLimit};
  table.z_steps = {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max(), -1};
  table.species = {0, 65535, 1};
  table.yaw = {65535, 0, 32768};
  table.scale = {1, 65535, 0};
  expect_round_trip({0}, {table}, TileCompression::kStored);
  expect_round_trip({0}, {table}, TileCompression::kZstd);
}

/// As the generator makes them: the other columns are rounded from these.
InstanceTable exact_table(InstanceTable table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    const std::uint64_t draw = mix64(i);
    const double within = static_cast<double>(draw >> 11) * 0x1p-53 - 0.5;
    table.z_exact.push_back((table.z_steps[i] + 0.999 * within) / 1024);
    table.yaw_exact.push_back(std::uint32_t{table.yaw[i]} << 16 | (draw & 0xFFFFU));
    table.scale_exact.push_back(std::uint32_t{table.scale[i]} << 16 | (draw >> 16 & 0xFFFFU));
  }
  return table;
}

TEST(TileStore, ExactColumnsRoundTripBitForBit) {
  InstanceTable extreme = make_table(0, 0, 6, 1, kSquares);
  const double values[] = {-0.0, 0x1p-1074, -2000000, 2000000, 0.1, -1234.56789};
  for (std::size_t i = 0; i < 6; ++i) {
    extreme.z_steps[i] = z_steps_of(values[i]);
  }
  extreme = exact_table(extreme);
  extreme.z_exact.assign(std::begin(values), std::end(values));
  std::vector<InstanceTable> mixed = several_tables();
  mixed[0] = exact_table(mixed[0]);
  mixed[3] = exact_table(mixed[3]);
  for (const TileCompression compression : {TileCompression::kStored, TileCompression::kZstd}) {
    expect_round_trip({0}, {extreme}, compression);
    expect_round_trip({0, 1, 62, 63}, mixed, compression);
  }
}

TEST(TileStore, OnlyTilesWithExactColumnsHaveVersionTwo) {
  const InstanceTable table = make_table(5, 6, 3, 3, kSquares);
  const auto version = [](const InstanceTable& one) {
    return load_word<std::uint32_t>(
        encode_tile(0, 0, std::vector<std::uint32_t>{0}, {&one, 1}).value().bytes.data() +
        tile_layout::kVersionAt);
  };
  EXPECT_EQ(version(table), 1U);
  EXPECT_EQ(version(exact_table(table)), 2U);
  // Exact values that do not round to the others would be lost.
  InstanceTable wrong = exact_table(table);
  ++wrong.yaw[4];
  const auto refused = encode_tile(0, 0, std::vector<std::uint32_t>{0}, {&wrong, 1});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.status().message.find("row 4"), std::string::npos) << refused.status().message;
}

TEST(TileStore, TheContentChecksumDoesNotDependOnCompression) {
  const std::vector<std::uint32_t> slots = {0, 1, 62, 63};
  const auto stored = encode_tile(0, 0, slots, several_tables(), TileCompression::kStored);
  const auto packed = encode_tile(0, 0, slots, several_tables(), TileCompression::kZstd);
  ASSERT_TRUE(stored.ok() && packed.ok());
  EXPECT_EQ(stored.value().checksum, packed.value().checksum);
  EXPECT_LT(packed.value().bytes.size(), stored.value().bytes.size());
}

TEST(TileStore, EveryTruncationIsCorrupt) {
  for (const TileCompression compression : {TileCompression::kStored, TileCompression::kZstd}) {
    const std::vector<std::uint32_t> slots = {0, 1, 62, 63};
    const auto encoded = encode_tile(0, 0, slots, several_tables(), compression);
    ASSERT_TRUE(encoded.ok());
    const std::vector<std::byte>& bytes = encoded.value().bytes;
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      // A copy of exactly that length, so that a sanitizer sees any read beyond it.
      const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
      const auto decoded = decode_tile(cut, "tile");
      ASSERT_FALSE(decoded.ok()) << length;
      ASSERT_EQ(decoded.status().code, StatusCode::kCorrupt) << length;
    }
  }
}

TEST(TileStore, RandomDamageIsCorrupt) {
  const std::vector<std::uint32_t> slots = {0, 1, 62, 63};
  for (const TileCompression compression : {TileCompression::kStored, TileCompression::kZstd}) {
    const auto encoded = encode_tile(0, 0, slots, several_tables(), compression);
    ASSERT_TRUE(encoded.ok());
    const std::vector<std::byte>& bytes = encoded.value().bytes;
    for (std::uint64_t trial = 0; trial < 2000; ++trial) {
      std::vector<std::byte> damaged = bytes;
      const std::uint64_t changes = 1 + trial % 4;
      for (std::uint64_t change = 0; change < changes; ++change) {
        // Every other trial hits the header, where the sizes are.
        const std::size_t reach = trial % 2 == 0 ? tile_layout::kHeaderBytes : bytes.size();
        damaged[mix64(trial * 16 + change) % reach] =
            static_cast<std::byte>(mix64(~trial * 16 + change) & 0xFFU);
      }
      if (damaged == bytes) {
        continue;
      }
      const auto decoded = decode_tile(damaged, "tile");
      ASSERT_FALSE(decoded.ok()) << trial;
      ASSERT_EQ(decoded.status().code, StatusCode::kCorrupt) << trial;
    }
  }
}

/// Makes both checksums right again, as a hostile writer would.
void forge(std::vector<std::byte>& bytes) {
  using namespace tile_layout;
  const std::size_t end = bytes.size() - kTrailerBytes;
  const std::span<const std::byte> all(bytes);
  if (load_word<std::uint32_t>(bytes.data() + kCompressionAt) == 0) {
    store_word(bytes.data() + kChecksumAt, checksum_bytes(checksum_bytes(0, all.first(kContentEnd)),
                                                          all.subspan(kHeaderBytes, end - kHeaderBytes)));
  }
  store_word(bytes.data() + end, checksum_bytes(0, all.first(end)));
}

TEST(TileStore, ForgedFilesNeverCrash) {
  using namespace tile_layout;
  const std::vector<std::uint32_t> slots = {0, 1, 62, 63};
  for (const TileCompression compression : {TileCompression::kStored, TileCompression::kZstd}) {
    const auto encoded = encode_tile(0, 0, slots, several_tables(), compression);
    ASSERT_TRUE(encoded.ok());
    const std::vector<std::byte>& bytes = encoded.value().bytes;
    for (std::uint64_t trial = 0; trial < 4000; ++trial) {
      std::vector<std::byte> forged = bytes;
      store_word(forged.data() + kVersionAt, static_cast<std::uint32_t>(1 + trial % 2));
      const std::size_t reach = kHeaderBytes + 4 * kEntryBytes;
      forged[mix64(trial) % reach] = static_cast<std::byte>(mix64(~trial) & 0xFFU);
      forge(forged);
      const auto decoded = decode_tile(forged, "tile");
      if (decoded.ok()) {
        for (const InstanceTable& table : decoded.value().tables) {
          ASSERT_LE(table.size(), bytes.size() * kMaxExpansion);
        }
      }
    }
  }
}

TEST(TileStore, ANewerFormatIsRefusedByName) {
  const auto encoded = encode_tile(0, 0, {}, {}, TileCompression::kStored);
  ASSERT_TRUE(encoded.ok());
  std::vector<std::byte> bytes = encoded.value().bytes;
  store_word(bytes.data() + tile_layout::kVersionAt, std::uint32_t{3});
  forge(bytes);
  const auto decoded = decode_tile(bytes, "tiles/0_0.strewtile");
  ASSERT_FALSE(decoded.ok());
  EXPECT_EQ(decoded.status().code, StatusCode::kUnsupported);
  EXPECT_EQ(decoded.status().where, "tiles/0_0.strewtile");
  EXPECT_NE(decoded.status().message.find("version 3"), std::string::npos) << decoded.status().message;
}

TEST(TileStore, AHugeClaimedSizeIsRefusedBeforeAllocation) {
  const auto encoded = encode_tile(0, 0, std::vector<std::uint32_t>{0}, std::vector<InstanceTable>(1));
  ASSERT_TRUE(encoded.ok());
  for (const std::uint64_t claim : {std::uint64_t{1} << 40, std::numeric_limits<std::uint64_t>::max()}) {
    std::vector<std::byte> bytes = encoded.value().bytes;
    store_word(bytes.data() + tile_layout::kPayloadBytesAt, claim);
    forge(bytes);
    const auto decoded = decode_tile(bytes, "tile");
    ASSERT_FALSE(decoded.ok());
    EXPECT_EQ(decoded.status().code, StatusCode::kCorrupt);
  }
}

TEST(TileStore, RowsOutOfOrderAreFound) {
  InstanceTable table = make_table(-3, -3, 6, 6, kSquares);
  std::size_t row = 0;
  EXPECT_TRUE(rows_in_order(table, row));
  std::swap(table.x[10], table.x[11]);
  std::swap(table.y[10], table.y[11]);
  EXPECT_FALSE(rows_in_order(table, row));
  EXPECT_EQ(row, 11U);
}

}  // namespace
}  // namespace strew
