// The reader in tools/ agrees with the library about every integer of a bake.
#include <bit>
#include <cstdlib>
#include <sstream>

#include "bake_fixture.hpp"

namespace strew {
namespace {

using namespace strew_test;

/// A Python that has NumPy, or empty.
std::string python() {
  for (const char* candidate : {"python3", "/usr/bin/python3"}) {
    if (std::system((std::string(candidate) + " -c 'import numpy' 2>/dev/null").c_str()) == 0) {
      return candidate;
    }
  }
  return {};
}

std::string raw_text(const std::string& folder) {
  std::ostringstream text;
  const Manifest manifest = load_manifest(folder).value();
  for (const BakedTile& tile : manifest.tiles) {
    const std::vector<InstanceTable> tables = load_tile(folder, manifest, tile).value();
    for (std::size_t s = 0; s < tables.size(); ++s) {
      const InstanceTable& table = tables[s];
      const std::uint32_t slot = manifest.slots[s].slot;
      for (std::size_t i = 0; i < table.size(); ++i) {
        text << tile.tile_x << ' ' << tile.tile_y << ' ' << slot << ' '
             << instance_id(slot, table.lattice, table.x[i], table.y[i]) << ' ' << table.x[i] << ' '
             << table.y[i] << ' ' << table.z_steps[i] << ' ' << table.species[i] << ' ' << table.yaw[i] << ' '
             << table.scale[i];
        if (table.exact()) {
          text << ' ' << std::bit_cast<std::int64_t>(table.z_exact[i]) << ' ' << table.yaw_exact[i] << ' '
               << table.scale_exact[i];
        }
        text << '\n';
      }
    }
  }
  return text.str();
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Why the reader cannot be run, or empty.
std::string what_lacks() {
  if (python().empty() || std::getenv("STREW_SOURCE_DIR") == nullptr) {
    return "needs python3 with NumPy, and STREW_SOURCE_DIR";
  }
  if (std::system(
          (python() + " -c 'import zstandard' 2>/dev/null || zstd --version >/dev/null 2>&1").c_str()) != 0) {
    return "needs the Python module zstandard or the command zstd";
  }
  return {};
}

TEST(PythonReader, ReadsWhatTheLibraryReads) {
  if (const std::string lacks = what_lacks(); !lacks.empty()) {
    GTEST_SKIP() << lacks;
  }
  const std::string interpreter = python();
  const char* source = std::getenv("STREW_SOURCE_DIR");
  const TemporaryFolder folder;
  const std::string bake = folder / "bake";
  bake_flat(forest_world(), bake, tiles_of(64));
  // One tile uncompressed, with altitudes below zero and far apart.
  Manifest manifest = load_manifest(bake).value();
  BakedTile& tile = manifest.tiles[5];
  std::vector<InstanceTable> tables = load_tile(bake, manifest, tile).value();
  for (std::size_t i = 0; i < tables[0].size(); ++i) {
    tables[0].z_steps[i] = static_cast<std::int32_t>(mix64(i));
  }
  std::vector<std::uint32_t> slots;
  for (const BakedSlot& slot : manifest.slots) {
    slots.push_back(slot.slot);
  }
  const auto stored = encode_tile(tile.tile_x, tile.tile_y, slots, tables, TileCompression::kStored).value();
  tile.checksum = stored.checksum;
  ASSERT_TRUE(write_atomically(bake + "/" + tile.file, stored.bytes).ok());
  write_manifest(bake, manifest);

  const std::string command = interpreter + " '" + source + "/tools/read_tiles.py' '" + bake + "' --raw '" +
                              (folder / "raw.txt") + "' --csv '" + (folder / "rows.csv") + "' > '" +
                              (folder / "counts.txt") + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const std::string expected = raw_text(bake);
  ASSERT_GT(expected.size(), 100000U);
  EXPECT_TRUE(read_text(folder / "raw.txt") == expected);
  const std::string csv = read_text(folder / "rows.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), std::count(expected.begin(), expected.end(), '\n') + 1);
  EXPECT_NE(read_text(folder / "counts.txt").find("canopy/mushrooms"), std::string::npos);

  // Damage is noticed there too.
  std::vector<std::byte> bytes = read_whole_file(bake + "/" + tile.file).value();
  bytes[100] ^= std::byte{4};
  ASSERT_TRUE(write_atomically(bake + "/" + tile.file, bytes).ok());
  EXPECT_NE(std::system((command + " 2>/dev/null").c_str()), 0);
}

TEST(PythonReader, ReadsExactColumnsBitForBit) {
  if (const std::string lacks = what_lacks(); !lacks.empty()) {
    GTEST_SKIP() << lacks;
  }
  const TemporaryFolder folder;
  ScatterSpec spec = forest_spec();
  spec.exact_columns = true;
  const Scatter scatter = std::move(Scatter::create(spec, {})).value();
  bake_flat(scatter, folder / "bake", tiles_of(64));
  const std::string command = python() + " '" + std::getenv("STREW_SOURCE_DIR") + "/tools/read_tiles.py' '" +
                              (folder / "bake") + "' --raw '" + (folder / "raw.txt") + "' > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  const std::string expected = raw_text(folder / "bake");
  ASSERT_GT(expected.size(), 100000U);
  EXPECT_TRUE(read_text(folder / "raw.txt") == expected);
}

}  // namespace
}  // namespace strew
