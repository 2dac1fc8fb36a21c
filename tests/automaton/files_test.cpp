// Cells in files: round trips by extension, orientation, damaged files, nothing half-written.
#include <gtest/gtest.h>

#include "patterns.hpp"
#include "strew/io/cells.hpp"
#include "temporary_folder.hpp"

namespace strew {
namespace {

using strew_test::grid_of;
using strew_test::TemporaryFolder;
using strew_test::text_of;

TEST(CellFiles, RoundTripByExtension) {
  const TemporaryFolder folder;
  for (const std::int64_t width : {1, 7, 8, 9, 64, 131}) {
    const BitGrid grid = strew_test::random_grid(width, 13, 0.4, static_cast<std::uint64_t>(width));
    for (const char* name : {"a.rle", "b.pbm", "c.npy", "D.RLE"}) {
      const Status written = write_cells(folder.file(name), grid, kDayAndNight, Border::kDead);
      ASSERT_TRUE(written.ok()) << written.text();
      const auto back = read_cells(folder.file(name));
      ASSERT_TRUE(back.ok()) << back.status().text();
      EXPECT_TRUE(back.value().cells == grid) << name << " " << width;
    }
  }
}

TEST(CellFiles, RowsStandAsDocumented) {
  const TemporaryFolder folder;
  const BitGrid grid = grid_of("x../..." /* row 0 is y = 0 */);
  ASSERT_TRUE(write_cells(folder.file("a.pbm"), grid, kDayAndNight, Border::kDead).ok());
  EXPECT_EQ(strew_test::read_file(folder.file("a.pbm")), std::string("P4\n3 2\n\0\x80", 9));
  ASSERT_TRUE(write_cells(folder.file("a.npy"), grid, kDayAndNight, Border::kDead).ok());
  const std::string npy = strew_test::read_file(folder.file("a.npy"));
  EXPECT_EQ(npy.substr(npy.size() - 6), std::string("\1\0\0\0\0\0", 6));
  ASSERT_TRUE(write_cells(folder.file("a.rle"), grid, kDayAndNight, Border::kPeriodic).ok());
  EXPECT_EQ(strew_test::read_file(folder.file("a.rle")), "x = 3, y = 2, rule = B3678/S34678:T3,2\n$o!\n");
  const Image image = draw_cells(grid);
  EXPECT_LT(image.rgb[9], 100);  // the lower left pixel is dark
  EXPECT_GT(image.rgb[0], 200);
}

TEST(CellFiles, LargeGridsAreDrawnAsDensity) {
  BitGrid grid = BitGrid::create(100, 60).value();
  for (std::int64_t x = 0; x < 50; ++x) {
    for (std::int64_t y = 0; y < 60; ++y) {
      grid.set(x, y, true);
    }
  }
  const Image image = draw_cells(grid, 10);
  EXPECT_EQ(image.width, 10);
  EXPECT_EQ(image.height, 6);
  EXPECT_EQ(image.rgb[0], 30);
  EXPECT_EQ(image.rgb[27], 244);
  const TemporaryFolder folder;
  EXPECT_TRUE(write_cells(folder.file("a.png"), grid, kDayAndNight, Border::kAlive).ok());
}

TEST(CellFiles, WhatCannotBeWrittenIsRefusedBeforehand) {
  const TemporaryFolder folder;
  const BitGrid grid = grid_of("x");
  EXPECT_FALSE(write_cells(folder.file("a.rle"), grid, kDayAndNight, Border::kAlive).ok());
  EXPECT_FALSE(write_cells(folder.file("a.txt"), grid, kDayAndNight, Border::kDead).ok());
  EXPECT_FALSE(write_cells(folder.file("none/a.pbm"), grid, kDayAndNight, Border::kDead).ok());
  EXPECT_EQ(folder.entries(), 0U);
}

TEST(CellFiles, DamagedFilesAreRefused) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& name, const std::string& bytes, const std::string& says) {
    const std::string path = folder.file(name);
    strew_test::write_file(path, bytes);
    const auto cells = read_cells(path);
    ASSERT_FALSE(cells.ok()) << says;
    EXPECT_NE(cells.status().text().find(says), std::string::npos) << cells.status().text();
    EXPECT_EQ(cells.status().where, path);
  };
  refused("a.pbm", "P5\n3 3\n", "neither P1 nor P4");
  refused("a.pbm", "P4\n3\n", "expected a number");
  refused("a.pbm", "P4\n30 30\nabc", "truncated");
  refused("a.pbm", "P4\n2000000000 2000000000\nabc", "cells; expected");
  refused("a.pbm", "P4\n0 3\n", "0x3");
  refused("a.pbm", "P1\n2 2\n0 1 2 0", "expected 0 or 1");
  refused("a.rle", "x = 3, y = 3\n3o", "truncated");
  refused("a.npy", "nothing", "no NPY file");
  refused("a.txt", "x", "extension");
  EXPECT_EQ(read_cells(folder.file("absent.rle")).status().code, StatusCode::kNotFound);
  // A good NPY at every truncated length.
  ASSERT_TRUE(write_cells(folder.file("b.npy"), grid_of("x.x/.x."), kDayAndNight, Border::kDead).ok());
  const std::string npy = strew_test::read_file(folder.file("b.npy"));
  for (std::size_t length = 0; length < npy.size(); ++length) {
    strew_test::write_file(folder.file("c.npy"), npy.substr(0, length));
    EXPECT_FALSE(read_cells(folder.file("c.npy")).ok()) << length;
  }
}

}  // namespace
}  // namespace strew
