// Points read from each format, and from files that other programs write.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "shared_data.hpp"
#include "strew/io/files.hpp"
#include "strew/random.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::TemporaryFolder;
using strew_test::write_file;

class ReadPoints : public testing::Test {
 protected:
  PointColumns read(const std::string& name, const std::string& bytes) {
    write_file(folder_.file(name), bytes);
    auto points = read_points(folder_.file(name));
    EXPECT_TRUE(points.ok()) << points.status().text();
    return points.ok() ? points.value() : PointColumns{};
  }
  void refused(const std::string& name, const std::string& bytes, const std::vector<std::string>& says) {
    write_file(folder_.file(name), bytes);
    const auto points = read_points(folder_.file(name));
    ASSERT_FALSE(points.ok()) << bytes;
    EXPECT_EQ(points.status().code, StatusCode::kInvalidArgument) << points.status().text();
    EXPECT_EQ(points.status().where, folder_.file(name));
    for (const std::string& words : says) {
      EXPECT_NE(points.status().message.find(words), std::string::npos)
          << words << " is not in: " << points.status().message;
    }
  }
  TemporaryFolder folder_;
};

void expect_points(const PointColumns& points, const std::vector<double>& x, const std::vector<double>& y) {
  EXPECT_EQ(points.x, x);
  EXPECT_EQ(points.y, y);
}

TEST_F(ReadPoints, WhatWritePointsWrites) {
  PointSet points;
  points.lattice.pitch = 30'000'001;
  for (std::uint32_t i = 0; i < 500; ++i) {
    const auto draw = philox4x32({i, 0, 0, 0}, {1, 2});
    points.x.push_back(static_cast<std::int32_t>(draw[0]));
    points.y.push_back(static_cast<std::int32_t>(draw[1]));
  }
  for (const char* name : {"p.csv", "p.npy", "p.ply"}) {
    ASSERT_TRUE(write_points(folder_.file(name), points, {}).ok());
    const auto read = read_points(folder_.file(name));
    ASSERT_TRUE(read.ok()) << read.status().text();
    ASSERT_EQ(read.value().size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      ASSERT_EQ(read.value().x[i], to_metres(points.unit_x(i)));
      ASSERT_EQ(read.value().y[i], to_metres(points.unit_y(i)));
    }
  }
}

TEST_F(ReadPoints, CsvColumnsStandAnywhere) {
  expect_points(read("a.csv", "id,y,name,x\n1,2.5,oak,-3\n2,+4,\"elm, old\",5e2\n"), {-3, 500}, {2.5, 4});
  expect_points(read("a.csv", "\xEF\xBB\xBFX; Y\r\n1 ; 2\r\n\r\n3;4"), {1, 3}, {2, 4});
  expect_points(read("a.txt", "\"x_m\"\t\"y_m\"\n1\t2\n"), {1}, {2});
  expect_points(read("a.csv", "x_m,x,y\n1,2,3\n"), {2}, {3});
  expect_points(read("a.csv", "x,y\n"), {}, {});
}

TEST_F(ReadPoints, CsvErrorsNameTheLine) {
  refused("a.csv", "", {"is empty"});
  refused("a.csv", "\n\n", {"blank lines"});
  refused("a.csv", "lon,lat\n1,2\n", {"line 1", "columns x and y", "lon,lat"});
  refused("a.csv", "1.5,2.5\n3,4\n", {"line 1", "columns x and y"});
  refused("a.csv", "x,y\n1,2\n\n3,nan\n", {"line 4", "y is not a number"});
  refused("a.csv", "x,y\n1,2\n-inf,3\n", {"line 3", "x is infinite"});
  refused("a.csv", "x,y\n1,2\n7\n", {"line 3", "1 field"});
  refused("a.csv", "x,y\n1,2\n7,\n", {"line 3", "y is \"\""});
  refused("a.csv", "x,y\n1,2\n7,8 m\n", {"line 3", "8 m"});
  refused("a.csv", "x,y\n1,1e999\n", {"line 2"});
}

std::string npy(const std::string& header, const std::string& data) {
  std::string bytes("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  return bytes + header + data;
}
template <class T>
std::string raw(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) {
    std::array<char, sizeof(T)> buffer;
    std::memcpy(buffer.data(), &value, sizeof value);
    bytes.append(buffer.data(), buffer.size());
  }
  return bytes;
}

TEST_F(ReadPoints, NpyTypesAndOrders) {
  const std::string head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n";
  expect_points(read("a.npy", npy(head, raw<float>({1, 2, 9, 3, 4, 9}))), {1, 3}, {2, 4});
  const std::string columns = "{'descr': '<f8', 'fortran_order': True, 'shape': (3, 2), }\n";
  expect_points(read("a.npy", npy(columns, raw<double>({1, 2, 3, 4, 5, 6}))), {1, 2, 3}, {4, 5, 6});
  const std::string big = "{'descr': '>f8', 'fortran_order': False, 'shape': (1, 2), }\n";
  expect_points(read("a.npy", npy(big, std::string("\x3f\xf0\0\0\0\0\0\0\x40\0\0\0\0\0\0\0", 16))), {1}, {2});
  const std::string none = "{'descr': '<f8', 'fortran_order': False, 'shape': (0, 2), }\n";
  expect_points(read("named.csv", npy(none, "")), {}, {});  // told apart by its content
}

TEST_F(ReadPoints, NpyErrors) {
  const auto with = [](const std::string& type, const std::string& shape, const std::string& data) {
    return npy("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }\n", data);
  };
  refused("a.npy", with("<i8", "(1, 2)", raw<double>({1, 2})), {"float64", "'<i8'", "astype"});
  refused("a.npy", with("<f8", "(2,)", raw<double>({1, 2})), {"shape (n, 2)", "(2,)"});
  refused("a.npy", with("<f8", "(2, 1)", raw<double>({1, 2})), {"shape (n, 2)"});
  refused("a.npy", with("<f8", "(2, 2)", raw<double>({1, 2, 3})), {"2 rows", "3 numbers", "truncated"});
  refused("a.npy", with("<f8", "(18446744073709551615, 4)", ""), {"truncated"});
  refused("a.npy", with("<f8", "(4611686018427387904, 4)", raw<double>({1})), {"truncated"});
  refused("a.npy", with("<f8", "(2, 2)", raw<double>({1, 2, NAN, 3})), {"row 1", "x is not a number"});
  refused("a.npy", "x,y\n1,2\n", {"does not begin"});
  refused("a.npy", std::string("\x93NUMPY\x09\x00\x00\x00", 10), {"version 9"});
}

const std::string kPlyHead = "ply\nformat ascii 1.0\ncomment by hand\n";

TEST_F(ReadPoints, PlyAsciiAndBinary) {
  expect_points(
      read("a.ply", kPlyHead + "element camera 2\nproperty float f\nelement vertex 2\nproperty float "
                               "z\nproperty float x\nproperty int y\nelement face 0\nproperty list uchar int "
                               "vertex_indices\nend_header\n0.5\n0.5\n9 1.5 -2\n9 3 4"),
      {1.5, 3}, {-2, 4});
  expect_points(read("a.ply",
                     "ply\r\nformat ascii 1.0\r\nelement vertex 1\r\nproperty double x\r\nproperty double "
                     "y\r\nend_header\r\n1 2\r\n"),
                {1}, {2});
  const std::string binary =
      "ply\nformat binary_little_endian 1.0\nelement skip 1\nproperty uchar a\nproperty short b\n"
      "element vertex 2\nproperty float x\nproperty uchar red\nproperty short y\nend_header\n";
  expect_points(read("a.ply", binary + "abc" + raw<float>({1.5F}) + "r" + raw<std::int16_t>({-7}) +
                                  raw<float>({2.5F}) + "r" + raw<std::int16_t>({8})),
                {1.5, 2.5}, {-7, 8});
}

TEST_F(ReadPoints, PlyErrors) {
  const std::string vertex = "element vertex 2\nproperty float x\nproperty float y\n";
  refused("a.ply", kPlyHead + vertex + "end_header\n1 2\n", {"2 vertices", "holds 1"});
  refused("a.ply", kPlyHead + vertex + "end_header\n1 2\n3 nan\n", {"line 9", "y is not a number"});
  refused("a.ply", kPlyHead + vertex + "end_header\n1 2\n3 three\n", {"line 9", "2 numbers"});
  refused("a.ply", kPlyHead + vertex, {"header", "truncated"});
  refused("a.ply", kPlyHead + "element vertex 2\nproperty float x\nend_header\n1\n2\n", {"x and y"});
  refused("a.ply", kPlyHead + "element vertex 1\nproperty list uchar int x\nproperty float y\nend_header\n",
          {"x and y"});
  refused("a.ply", kPlyHead + "element face 1\nproperty float x\nend_header\n1\n", {"no element vertex"});
  refused("a.ply", kPlyHead + "element vertex many\nend_header\n", {"line 4"});
  refused("a.ply", "ply\nformat binary_middle_endian 1.0\nend_header\n", {"line 2"});
  refused("a.ply", "ply\nelement vertex 0\nend_header\n", {"no format"});
  refused(
      "a.ply",
      "ply\nformat binary_little_endian 1.0\nelement vertex 18446744073709551615\nproperty float x\nproperty "
      "float y\nend_header\nabcdefgh",
      {"holds 1", "truncated"});
  refused("a.ply",
          "ply\nformat binary_little_endian 1.0\nelement a 9999999999999999999\nproperty float b\n" + vertex +
              "end_header\n",
          {"element a"});
  refused("a.ply", "solid\n", {"does not begin"});
}

TEST_F(ReadPoints, FoldersAndMissingFiles) {
  EXPECT_EQ(read_points(folder_.path()).status().code, StatusCode::kInvalidArgument);
  EXPECT_EQ(read_points(folder_.file("nowhere.csv")).status().code, StatusCode::kNotFound);
}

TEST_F(ReadPoints, RealTrees) {
  STREW_REQUIRE_SHARED(path, "bei_trees.csv");
  const auto points = read_points(path);
  ASSERT_TRUE(points.ok()) << points.status().text();
  EXPECT_EQ(points.value().size(), 3604U);
  EXPECT_EQ(points.value().x.front(), 11.7);
  EXPECT_EQ(points.value().y.front(), 151.1);
}

}  // namespace
}  // namespace strew
