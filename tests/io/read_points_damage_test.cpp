// Damaged point files: every truncation and many changed bytes end in points or in an error that says why,
// never in a crash, and a file cut short in its data is never taken for a whole one.
#include <gtest/gtest.h>

#include <cmath>

#include "strew/io/files.hpp"
#include "strew/random.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::read_file;
using strew_test::TemporaryFolder;
using strew_test::write_file;

constexpr std::size_t kPoints = 40;

class DamagedPoints : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    path_ = folder_.file(std::string("p") + GetParam());
    if (std::string(GetParam()) == ".ascii.ply") {
      bytes_ = "ply\nformat ascii 1.0\nelement vertex 40\nproperty float x\nproperty float y\nend_header\n";
      for (std::size_t i = 0; i < kPoints; ++i) {
        bytes_ += std::to_string(i) + ".25 " + std::to_string(i * i) + "\n";
      }
      return;
    }
    PointSet points;
    points.lattice.pitch = kUnitsPerMetre / 4;
    for (std::size_t i = 0; i < kPoints; ++i) {
      points.x.push_back(static_cast<std::int64_t>(17 * i % 101));
      points.y.push_back(static_cast<std::int64_t>(i));
    }
    ASSERT_TRUE(write_points(path_, points, {}).ok());
    bytes_ = read_file(path_);
  }

  void check(const std::string& bytes) {
    write_file(path_, bytes);
    const auto points = read_points(path_);
    if (!points.ok()) {
      EXPECT_EQ(points.status().code, StatusCode::kInvalidArgument) << points.status().text();
      EXPECT_EQ(points.status().where, path_);
      EXPECT_GT(points.status().message.size(), 10U);
      return;
    }
    EXPECT_EQ(points.value().x.size(), points.value().y.size());
    for (std::size_t i = 0; i < points.value().size(); ++i) {
      EXPECT_TRUE(std::isfinite(points.value().x[i]) && std::isfinite(points.value().y[i]));
    }
  }

  TemporaryFolder folder_;
  std::string path_;
  std::string bytes_;
};

TEST_P(DamagedPoints, EveryTruncation) {
  const bool says_how_many = std::string(GetParam()) != ".csv";
  for (std::size_t size = 0; size < bytes_.size(); ++size) {
    const std::string cut = bytes_.substr(0, size);
    check(cut);
    const auto points = read_points(path_);
    // Text may lose the end of its last number unseen; a count in the header betrays every other loss.
    const bool within_last_number = std::string(GetParam()) == ".ascii.ply" && size + 5 > bytes_.size();
    if (says_how_many && !within_last_number) {
      EXPECT_FALSE(points.ok()) << size;
    } else if (points.ok()) {
      EXPECT_LE(points.value().size(), kPoints);
    }
  }
}

TEST_P(DamagedPoints, ChangedBytes) {
  for (std::uint32_t trial = 0; trial < 1000; ++trial) {
    const auto draw = philox4x32({trial, 0, 0, 0}, {9, 9});
    std::string changed = bytes_;
    // Half of the changes in the first bytes, where the headers are.
    const auto range = static_cast<std::uint32_t>(
        draw[3] % 2 == 0 ? std::min<std::size_t>(160, changed.size()) : changed.size());
    changed[draw_below(draw[0], range)] = static_cast<char>(draw[1] & 0xFFU);
    if (draw[2] % 3 == 0) {
      changed.erase(draw_below(draw[2], range), 1);
    }
    check(changed);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedPoints, testing::Values(".csv", ".npy", ".ply", ".ascii.ply"),
                         [](const auto& format) {
                           std::string name = format.param;
                           std::erase(name, '.');
                           return name;
                         });

}  // namespace
}  // namespace strew
