#include <gtest/gtest.h>
#include <png.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

#include "strew/io/files.hpp"
#include "strew/random.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::read_file;
using strew_test::TemporaryFolder;

const Rect kRegion{0, 0, 100 * kUnitsPerMetre, 50 * kUnitsPerMetre};

/// Points on a lattice of about 7 mm, anywhere in the region.
PointSet scattered(std::size_t count, Coord shift = 0) {
  PointSet points;
  points.lattice.pitch = 30'000'001;
  for (std::size_t i = 0; i < count; ++i) {
    const PhiloxCounter draw = philox4x32({static_cast<std::uint32_t>(i), 0, 0, 0}, {1, 2});
    points.x.push_back((shift + draw_below(draw[0], 100) * kUnitsPerMetre + draw[1]) / points.lattice.pitch);
    points.y.push_back((shift + draw_below(draw[2], 50) * kUnitsPerMetre + draw[3]) / points.lattice.pitch);
  }
  return points;
}

std::vector<std::pair<double, double>> parse_csv(const std::string& text) {
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "x,y");
  std::vector<std::pair<double, double>> result;
  while (std::getline(lines, line)) {
    char* comma = nullptr;
    char* end = nullptr;
    const double x = std::strtod(line.c_str(), &comma);
    EXPECT_EQ(*comma, ',');
    const double y = std::strtod(comma + 1, &end);
    EXPECT_EQ(*end, '\0') << line;
    result.emplace_back(x, y);
  }
  return result;
}

/// `count` little-endian doubles from the end of a file.
std::vector<double> trailing_doubles(const std::string& bytes, std::size_t count) {
  std::vector<double> result(count);
  EXPECT_GE(bytes.size(), count * 8);
  if (count > 0) {
    std::memcpy(result.data(), bytes.data() + bytes.size() - count * 8, count * 8);
  }
  return result;
}

TEST(WritePoints, CsvReadsBackExactly) {
  const TemporaryFolder folder;
  for (const Coord shift : {Coord{0}, -3'000'000 * kUnitsPerMetre, 10'000'000 * kUnitsPerMetre}) {
    const PointSet points = scattered(2000, shift);
    ASSERT_TRUE(write_points(folder.file("p.csv"), points, kRegion).ok());
    const auto parsed = parse_csv(read_file(folder.file("p.csv")));
    ASSERT_EQ(parsed.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(parsed[i].first, to_metres(points.unit_x(i)));
      ASSERT_EQ(parsed[i].second, to_metres(points.unit_y(i)));
    }
  }
}

TEST(WritePoints, CsvIsPlainDecimalText) {
  const TemporaryFolder folder;
  PointSet points;
  points.x = {1, 100'000 * kUnitsPerMetre, -kUnitsPerMetre / 2};
  points.y = {0, 1 << 20, -1};
  ASSERT_TRUE(write_points(folder.file("p.csv"), points, kRegion).ok());
  EXPECT_EQ(
      read_file(folder.file("p.csv")),
      "x,y\n0.00000000023283064365386963,0\n100000,0.000244140625\n-0.5,-0.00000000023283064365386963\n");
}

TEST(WritePoints, MinimumDistanceSurvivesTheText) {
  const TemporaryFolder folder;
  PointSet points;
  points.lattice.pitch = kUnitsPerMetre / 1024;
  // Pythagorean offsets: pairs exactly 5 units of 1/1024 m apart, the tightest a set of that radius allows.
  for (std::int64_t i = 0; i < 1000; ++i) {
    points.x.insert(points.x.end(), {1000 * i, 1000 * i + 3});
    points.y.insert(points.y.end(), {777 * i, 777 * i + 4});
  }
  ASSERT_TRUE(write_points(folder.file("p.csv"), points, kRegion).ok());
  const auto parsed = parse_csv(read_file(folder.file("p.csv")));
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i + 1 < parsed.size(); i += 2) {
    const double dx = parsed[i].first - parsed[i + 1].first;
    const double dy = parsed[i].second - parsed[i + 1].second;
    smallest = std::min(smallest, std::sqrt(dx * dx + dy * dy));
  }
  EXPECT_EQ(smallest, 5.0 / 1024);
}

TEST(WritePoints, NpyHeaderAndData) {
  const TemporaryFolder folder;
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{12345}}) {
    const PointSet points = scattered(count);
    ASSERT_TRUE(write_points(folder.file("p.npy"), points, kRegion).ok());
    const std::string bytes = read_file(folder.file("p.npy"));
    ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const std::size_t header =
        static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + header) % 64, 0U);
    EXPECT_EQ(bytes[10 + header - 1], '\n');
    const std::string shape = "'shape': (" + std::to_string(count) + ", 2)";
    EXPECT_NE(bytes.substr(10, header).find("'descr': '<f8', 'fortran_order': False, " + shape),
              std::string::npos);
    ASSERT_EQ(bytes.size(), 10 + header + count * 16);
    const auto values = trailing_doubles(bytes, count * 2);
    for (std::size_t i = 0; i < count; ++i) {
      ASSERT_EQ(values[2 * i], to_metres(points.unit_x(i)));
      ASSERT_EQ(values[2 * i + 1], to_metres(points.unit_y(i)));
    }
  }
}

TEST(WritePoints, PlyHeaderAndData) {
  const TemporaryFolder folder;
  const PointSet points = scattered(321);
  ASSERT_TRUE(write_points(folder.file("p.PLY"), points, kRegion).ok());
  const std::string bytes = read_file(folder.file("p.PLY"));
  const std::string header =
      "ply\nformat binary_little_endian 1.0\nelement vertex 321\nproperty double x\nproperty double y\n"
      "property double z\nend_header\n";
  ASSERT_EQ(bytes.substr(0, header.size()), header);
  ASSERT_EQ(bytes.size(), header.size() + 321U * 24);
  const auto values = trailing_doubles(bytes, 321U * 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(values[3 * i], to_metres(points.unit_x(i)));
    ASSERT_EQ(values[3 * i + 1], to_metres(points.unit_y(i)));
    ASSERT_EQ(values[3 * i + 2], 0);
  }
}

TEST(WritePoints, ClassesGoIntoAColumnOfTheirOwn) {
  const TemporaryFolder folder;
  PointSet points = scattered(100);
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.class_of.push_back(static_cast<std::uint8_t>(i % 5));
  }
  ASSERT_TRUE(write_points(folder.file("p.csv"), points, kRegion).ok());
  std::istringstream lines(read_file(folder.file("p.csv")));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_EQ(line, "x,y,class");
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(line.substr(line.rfind(',')), "," + std::to_string(i % 5));
  }
  ASSERT_TRUE(write_points(folder.file("p.npy"), points, kRegion).ok());
  const std::string npy = read_file(folder.file("p.npy"));
  EXPECT_NE(npy.find("'shape': (100, 3)"), std::string::npos);
  const auto values = trailing_doubles(npy, points.size() * 3);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(values[3 * i], to_metres(points.unit_x(i)));
    ASSERT_EQ(values[3 * i + 2], static_cast<double>(i % 5));
  }
  ASSERT_TRUE(write_points(folder.file("p.ply"), points, kRegion).ok());
  const std::string ply = read_file(folder.file("p.ply"));
  const std::size_t body = ply.find("property uchar class\nend_header\n") + 32;
  ASSERT_EQ(ply.size(), body + points.size() * 25);
  EXPECT_EQ(ply[body + 25 * 7 + 24], 7 % 5);
  points.class_of.pop_back();
  EXPECT_EQ(write_points(folder.file("q.csv"), points, kRegion).code, StatusCode::kInvalidArgument);
}

TEST(WritePoints, UnknownExtensionsAreRefusedBeforeAnyWork) {
  EXPECT_TRUE(check_points_path("a.csv").ok());
  EXPECT_TRUE(check_points_path("folder.x/a.PNG").ok());
  for (const std::string path : {"a.txt", "a", "a.csv/b", ""}) {
    const Status status = check_points_path(path);
    EXPECT_EQ(status.code, StatusCode::kInvalidArgument);
    EXPECT_NE(status.message.find(".csv, .npy, .ply or .png"), std::string::npos);
    EXPECT_EQ(write_points(path, PointSet{}, kRegion).code, StatusCode::kInvalidArgument);
  }
}

struct Picture {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;
  [[nodiscard]] int at(std::uint32_t column, std::uint32_t row) const {
    return rgb[(row * width + column) * 3];
  }
};

Picture read_png(const std::string& path) {
  png_image png;
  std::memset(&png, 0, sizeof png);
  png.version = PNG_IMAGE_VERSION;
  EXPECT_NE(png_image_begin_read_from_file(&png, path.c_str()), 0) << png.message;
  png.format = PNG_FORMAT_RGB;
  Picture picture{png.width, png.height, std::vector<std::uint8_t>(PNG_IMAGE_SIZE(png))};
  EXPECT_NE(png_image_finish_read(&png, nullptr, picture.rgb.data(), 0, nullptr), 0) << png.message;
  return picture;
}

TEST(PointsPicture, DiscsStandWhereThePointsAreWithYUp) {
  const TemporaryFolder folder;
  PointSet points;
  points.lattice.pitch = kUnitsPerMetre;
  points.x = {25, 200};  // the second lies outside the region
  points.y = {40, 200};
  ASSERT_TRUE(write_points(folder.file("p.png"), points, kRegion).ok());
  const Picture picture = read_png(folder.file("p.png"));
  ASSERT_EQ(picture.width, 2048U);
  ASSERT_EQ(picture.height, 1024U);
  EXPECT_LT(picture.at(512, 205), 40);  // 25 of 100 m from the west, 10 of 50 m from the top
  EXPECT_EQ(picture.at(512, 819), 255);
  EXPECT_EQ(picture.at(0, 0), 255);
}

TEST(PointsPicture, DenseSetsAreDrawnAsDensity) {
  const TemporaryFolder folder;
  PointSet points;
  points.lattice.pitch = kUnitsPerMetre / 64;
  // Western half twice as dense as the eastern: 2048 x 1024 pixels hold 1.5 points each on average.
  for (std::int64_t y = 0; y < 50 * 64; ++y) {
    for (std::int64_t x = 0; x < 100 * 64; ++x) {
      if (x < 50 * 64 || (x + y) % 2 == 0) {
        points.x.push_back(x);
        points.y.push_back(y);
      }
    }
  }
  ASSERT_TRUE(write_points(folder.file("p.png"), points, kRegion).ok());
  const Picture picture = read_png(folder.file("p.png"));
  double west = 0;
  double east = 0;
  for (std::uint32_t row = 0; row < picture.height; ++row) {
    for (std::uint32_t column = 0; column < picture.width; ++column) {
      (column < picture.width / 2 ? west : east) += 255 - picture.at(column, row);
    }
  }
  EXPECT_NEAR(west / east, 2, 0.1);
}

TEST(WritePng, RefusesPicturesThatDoNotAddUp) {
  const TemporaryFolder folder;
  const std::string path = folder.file("p.png");
  EXPECT_EQ(write_png(path, Image{}).code, StatusCode::kInvalidArgument);
  EXPECT_EQ(write_png(path, Image{2, 2, std::vector<std::uint8_t>(11)}).code, StatusCode::kInvalidArgument);
  EXPECT_EQ(write_png(path, Image{2'000'000'000, 2'000'000'000, {}}).code, StatusCode::kInvalidArgument);
  EXPECT_EQ(write_points(path, PointSet{}, Rect{}).code, StatusCode::kInvalidArgument);
  EXPECT_EQ(folder.entries(), 0U);
  ASSERT_TRUE(write_png(path, Image{2, 1, {1, 2, 3, 4, 5, 6}}).ok());
  EXPECT_EQ(read_png(path).rgb, (std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace strew
