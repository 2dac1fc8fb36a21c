// Grids of cells in files: RLE, PBM, PNG and NPY.
#pragma once

#include <optional>
#include <string>

#include "strew/automaton_rle.hpp"
#include "strew/io/files.hpp"

namespace strew {

/// By the extension of `path`: .rle (with rule and border), .pbm (binary, P4), .npy (uint8 of 0 and 1, shape
/// (height, width)), .png (a cell a pixel; grids beyond 4096 cells a side as a picture of their density, of
/// at most 4096 pixels a side). Row 0 is y = 0: NPY has it first; the others are read from the top and have
/// the row of largest y first. Written whole or not at all.
[[nodiscard]] Status write_cells(const std::string& path, const BitGrid& cells, const AutomatonRule& rule,
                                 Border border);
/// Refuses what write_cells would refuse for its name or border alone, before any work is done.
[[nodiscard]] Status check_cells_path(const std::string& path, Border border);

/// A picture of the cells as write_cells draws it: living cells dark on light.
[[nodiscard]] Image draw_cells(const BitGrid& cells, std::int32_t most_pixels = 4096);

/// Reads .rle, .pbm (P1 and P4) or .npy (bool or 8-bit integers, two-dimensional; other than 0 is alive).
/// Only RLE has a rule and a border. Damaged files are refused with the place of the fault.
[[nodiscard]] Result<RlePattern> read_cells(const std::string& path);

}  // namespace strew
