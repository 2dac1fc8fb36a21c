// Layers of a given amount: exact counts, whatever the world is cut into.
#include <algorithm>
#include <atomic>
#include <set>

#include "quota.hpp"
#include "strew/scatter_census.hpp"
#include "world_fixture.hpp"

namespace strew {
namespace {

/// The fixture's forest, in which canopy, or shrubs, has an amount: what keeps away from it depends on it.
ScatterSpec counted(const Rect& extent, std::size_t layer, AmountSpec amount) {
  ScatterSpec spec = forest(extent);
  spec.layers[layer].amount = amount;
  return spec;
}

AmountSpec smallest(std::int64_t minimum, std::int64_t maximum, double square = 0) {
  return {AmountSpec::Choice::kSmallest, minimum, maximum, square};
}
AmountSpec reserved(std::int64_t count, double square = 0) {
  return {AmountSpec::Choice::kReserved, count, count, square};
}

const Rect kExtent = metres(-130, -90, 170, 210);

std::vector<ScatterSpec> worlds() {
  std::vector<ScatterSpec> out;
  for (const std::size_t layer : {std::size_t{0}, std::size_t{1}}) {
    out.push_back(counted(kExtent, layer, smallest(300, 300)));
    out.push_back(counted(kExtent, layer, smallest(2, 9, 170)));
    out.push_back(counted(kExtent, layer, smallest(0, 1, 9.5)));  // counted several at a time
    out.push_back(counted(kExtent, layer, reserved(300)));
    out.push_back(counted(kExtent, layer, reserved(3, 40)));
  }
  out.push_back(counted(kExtent, 0, reserved(100)));
  out.back().layers[1].amount = smallest(200, 250);
  out.back().layers[2].amount = reserved(500);
  return out;
}

TEST(ScatterAmount, AnyRectangleEqualsTheWholeCut) {
  for (const ScatterSpec& spec : worlds()) {
    const Scatter scatter = make_scatter(spec);
    const auto whole = generate(scatter, kExtent);
    for (std::int64_t i = 0; i < 4; ++i) {
      const PhiloxCounter random = cell_draw(stream_key(3, 3), i, 0, 0);
      const double x = -130 + 280 * draw_unit(random[0]);
      const double y = -90 + 280 * draw_unit(random[1]);
      const Rect rect = metres(x, y, x + 1 + 60 * draw_unit(random[2]), y + 1 + 60 * draw_unit(random[3]));
      EXPECT_EQ(by_id(scatter, generate(scatter, rect), rect),
                by_id(scatter, whole, intersection(rect, kExtent)));
    }
  }
}

TEST(ScatterAmount, TilesOfAnySizeAddUpWithOneCensusOrManyInAnyOrder) {
  for (const ScatterSpec& spec : worlds()) {
    const Scatter scatter = make_scatter(spec);
    const auto hash_of = [&](const std::vector<InstanceTable>& tables) {
      SetHash hash;
      for (std::size_t s = 0; s < tables.size(); ++s) {
        hash.merge(hash_instances(scatter.slots()[s].slot, tables[s]));
      }
      return hash;
    };
    const std::uint64_t whole = hash_of(generate(scatter, kExtent)).digest();
    const Hills hills;
    for (const double size : {37.0, 150.0}) {
      Census census(scatter, hills);
      std::vector<Rect> tiles;
      for (double y = -90; y < 210; y += size) {
        for (double x = -130; x < 170; x += size) {
          tiles.push_back(metres(x, y, x + size, y + size));
        }
      }
      std::sort(tiles.begin(), tiles.end(), [](const Rect& a, const Rect& b) {
        return mix64(static_cast<std::uint64_t>(a.x0 + 3 * a.y0)) <
               mix64(static_cast<std::uint64_t>(b.x0 + 3 * b.y0));
      });
      if (size > 100) {
        ASSERT_TRUE(census.prepare(tiles, {}).ok());
      }
      SetHash hash;
      for (const Rect& tile : tiles) {
        std::vector<InstanceTable> tables;
        ASSERT_TRUE(scatter.generate(tile, hills, {}, tables, {}, &census).ok());
        hash.merge(hash_of(tables));
      }
      EXPECT_EQ(hash.digest(), whole);
    }
  }
}

TEST(ScatterAmount, CountsOfTheWorldAreExact) {
  for (const std::int64_t count : {0, 1, 17, 400, 5000}) {
    for (const AmountSpec& amount : {smallest(count, count), reserved(count)}) {
      const Scatter scatter = make_scatter(counted(kExtent, 1, amount));
      std::vector<SlotReport> reports(scatter.slots().size());
      const auto tables = generate(scatter, kExtent, reports);
      EXPECT_EQ(tables[2].size(), static_cast<std::size_t>(count));
      EXPECT_EQ(scatter.requested(1), static_cast<std::uint64_t>(count));
      std::uint64_t rejected = 0;
      for (const std::uint64_t n : reports[2].rejected) {
        rejected += n;
      }
      EXPECT_EQ(reports[2].candidates, reports[2].placed + rejected);
      EXPECT_GT(reports[2].rejected[static_cast<std::size_t>(Rejection::kAmount)], 0U);
    }
  }
}

TEST(ScatterAmount, WhereFewerAreAcceptedAllOfThemStand) {
  const Scatter all = make_scatter(forest(kExtent));
  const auto free = generate(all, kExtent);
  const Hills hills;
  for (const AmountSpec& amount : {smallest(100000, 100000), reserved(100000), smallest(50000, 50000, 50)}) {
    const Scatter scatter = make_scatter(counted(kExtent, 1, amount));
    const auto tables = generate(scatter, kExtent);
    EXPECT_EQ(tables[2].x, free[2].x);
    EXPECT_EQ(tables[2].y, free[2].y);
    EXPECT_EQ(tables[2].species, free[2].species);
    if (amount.per_square_m == 0) {
      Census census(scatter, hills);
      std::uint64_t standing = 0;
      ASSERT_TRUE(census.standing(1, {}, standing).ok());
      EXPECT_EQ(standing, free[2].size());
    }
  }
}

// Independent of the implementation: all points that the rules accept, sorted by what the header says.
TEST(ScatterAmount, SmallestHashesOfTheWorldAreASubsetThatGrows) {
  std::set<std::uint64_t> before;
  for (const std::int64_t count : {10, 100, 1000}) {
    const Scatter scatter = make_scatter(counted(kExtent, 1, smallest(count, count)));
    const auto tables = generate(scatter, kExtent);
    std::set<std::uint64_t> ids;
    for (std::size_t i = 0; i < tables[2].size(); ++i) {
      ids.insert(instance_id(1, tables[2].lattice, tables[2].x[i], tables[2].y[i]));
    }
    EXPECT_TRUE(std::includes(ids.begin(), ids.end(), before.begin(), before.end()));
    before = ids;
  }
}

TEST(ScatterAmount, SquaresHoldAnAmountInTheirRange) {
  const Scatter scatter = make_scatter(counted(kExtent, 1, smallest(2, 9, 70)));
  const auto tables = generate(scatter, kExtent);
  std::map<std::pair<std::int64_t, std::int64_t>, int> squares;
  const Coord side = 70 * kUnitsPerMetre;
  for (std::size_t i = 0; i < tables[2].size(); ++i) {
    ++squares[{floor_div(tables[2].x[i] * tables[2].lattice.pitch, side),
               floor_div(tables[2].y[i] * tables[2].lattice.pitch, side)}];
  }
  std::set<int> seen;
  for (std::int64_t y = -1; y <= 1; ++y) {  // squares that lie in the extent as a whole
    for (std::int64_t x = -1; x <= 1; ++x) {
      const int count = squares[{x, y}];
      EXPECT_GE(count, 2);
      EXPECT_LE(count, 9);
      seen.insert(count);
    }
  }
  EXPECT_GT(seen.size(), 2U);
}

TEST(ScatterAmount, ReservedPerSquareIsExactInSquaresThatHoldEnough) {
  const Scatter scatter = make_scatter(counted(kExtent, 1, reserved(3, 40)));
  const auto tables = generate(scatter, kExtent);
  EXPECT_EQ(tables[2].size(), 168U);  // 3 * 300 * 300 / 40^2 = 168.75
  const Scatter free = make_scatter(forest(kExtent));
  const auto all = generate(free, kExtent);
  const Coord side = 40 * kUnitsPerMetre;
  const auto count = [&](const InstanceTable& table, std::int64_t x, std::int64_t y) {
    int n = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
      n += floor_div(table.x[i] * table.lattice.pitch, side) == x &&
                   floor_div(table.y[i] * table.lattice.pitch, side) == y
               ? 1
               : 0;
    }
    return n;
  };
  for (std::int64_t y = -2; y <= 4; ++y) {
    for (std::int64_t x = -3; x <= 3; ++x) {
      EXPECT_GE(count(tables[2], x, y), std::min(3, count(all[2], x, y))) << x << " " << y;
      EXPECT_LE(count(tables[2], x, y), 6) << x << " " << y;
    }
  }
}

/// The hills with the biome of a rectangle repainted.
class Repainted final : public TerrainSource {
 public:
  explicit Repainted(const Rect& area) : area_(area) {}
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    STREW_RETURN_IF_ERROR(hills_.window(need, out));
    const RasterView<std::uint8_t>& view = out.view.biome;
    for (std::size_t i = 0; i < out.biome.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const Coord x = view.x0 + (view.first_column + at % view.width) * 10 * kUnitsPerMetre;
      const Coord y = view.y0 + (view.first_row + at / view.width) * 10 * kUnitsPerMetre;
      if (area_.contains(x, y)) {
        out.biome[i] = 3;
      }
    }
    return {};
  }

 private:
  Rect area_;
  Hills hills_;
};

// Canopy, which may not stand on class 3, has an amount by square: what a repainted corner of one square
// frees is taken up within that square, and what stands around follows as far as it reaches.
TEST(ScatterAmount, AChangeOfGroundStaysInItsSquare) {
  const Scatter scatter = make_scatter(counted(kExtent, 0, smallest(9, 9, 100)));
  const Rect square = metres(0, 0, 100, 100);
  std::vector<InstanceTable> changed;
  ASSERT_TRUE(scatter.generate(kExtent, Repainted(metres(20, 20, 60, 60)), {}, changed).ok());
  const auto before = generate(scatter, kExtent);
  const auto outside = [&](const std::vector<InstanceTable>& tables, Coord reach) {
    ById all = by_id(scatter, tables, kExtent);
    for (const auto& [id, columns] : by_id(scatter, tables, expanded(square, reach))) {
      all.erase(id);
    }
    return all;
  };
  EXPECT_NE(by_id(scatter, changed, kExtent), by_id(scatter, before, kExtent));
  EXPECT_EQ(outside(changed, scatter.reach()), outside(before, scatter.reach()));
  const auto canopy_ids = [&](const std::vector<InstanceTable>& tables) {
    std::vector<InstanceTable> canopy(tables.size());
    canopy[0] = tables[0];
    return outside(canopy, 0);
  };
  EXPECT_EQ(canopy_ids(changed), canopy_ids(before));
}

// A changed weight moves no point of a layer with an amount, and a layer after it changes nothing.
TEST(ScatterAmount, WeightsAndLaterLayersChangeNoChoice) {
  ScatterSpec spec = counted(kExtent, 0, reserved(120));
  const Scatter plain = make_scatter(spec);
  const ById before = by_id(plain, generate(plain, kExtent), kExtent);
  spec.layers[0].species[0].weight = 50;
  spec.layers.push_back(layer("stones", 6));
  spec.layers.back().amount = smallest(80, 80);
  spec.layers.back().spacing_m = {{"canopy", 4}};
  const Scatter more = make_scatter(spec);
  const ById after = by_id(more, generate(more, kExtent), kExtent);
  EXPECT_EQ(after.size(), before.size() + 80);
  for (const auto& [id, columns] : before) {
    ASSERT_TRUE(after.contains(id));
    EXPECT_EQ(after.at(id)[0], columns[0]);
    EXPECT_EQ(after.at(id)[1], columns[1]);
  }
}

// An exact number of `random` points that keep their distance.
TEST(ScatterAmount, RandomStandsExactlyAsOftenAsAsked) {
  for (const std::int64_t count : {1, 250, 2000}) {
    ScatterSpec spec;
    spec.seed = 9;
    spec.extent = metres(-100, -100, 300, 200);
    spec.layers.push_back(layer("bushes", 1));
    spec.layers[0].strategy = "random";
    spec.layers[0].parameters = {};
    spec.layers[0].parameters.set("density", 0.05);
    spec.layers[0].parameters.set("radius", 2.0);
    spec.layers[0].amount = smallest(count, count);
    const Scatter scatter = make_scatter(spec);
    const auto whole = generate(scatter, spec.extent);
    EXPECT_EQ(whole[0].size(), static_cast<std::size_t>(count));
    std::size_t sum = 0;
    for (double x = -100; x < 300; x += 80) {
      sum += generate(scatter, metres(x, -100, x + 80, 200))[0].size();
    }
    EXPECT_EQ(sum, static_cast<std::size_t>(count));
    // As many in each half as its share, within chance: the smallest hashes have no place.
    const auto west = static_cast<double>(generate(scatter, metres(-100, -100, 100, 200))[0].size());
    EXPECT_NEAR(west, static_cast<double>(count) / 2, 4.5 * std::sqrt(static_cast<double>(count)) / 2 + 0.5);
  }
}

/// Ground only where x > 200 m: blocks in the west are short of all of their quota.
class East final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    STREW_RETURN_IF_ERROR(hills_.window(need, out));
    for (std::size_t i = 0; i < out.elevation.size(); ++i) {
      const auto column = static_cast<std::int64_t>(i) % out.view.elevation.width;
      if (out.view.elevation.x0 + (out.view.elevation.first_column + column) * 10 * kUnitsPerMetre <
          200 * kUnitsPerMetre) {
        out.elevation[i] = -1;
      }
    }
    out.view.elevation.nodata = -1;
    out.view.elevation.has_nodata = true;
    horn_slope(out.view.elevation, out.slope);
    out.view.slope = out.view.elevation;
    out.view.slope.data = out.slope.data();
    return {};
  }

 private:
  Hills hills_;
};

TEST(ScatterAmount, ShortBlocksPassTheirRemainderOnAndRoundTheEnd) {
  // From the last block in Morton order, (1, 1) of 2 x 2 blocks of 256 m, and from the west.
  for (const auto& [x0, x1] : {std::pair{-300.0, 300.0}, std::pair{0.0, 1100.0}}) {
    const Rect extent = metres(x0, 0, x1, 300);
    ScatterSpec spec;
    spec.seed = 3;
    spec.extent = extent;
    spec.layers.push_back(layer("chests", 6));
    spec.layers[0].amount = reserved(150);
    const Scatter scatter = make_scatter(spec);
    const East terrain;
    std::vector<InstanceTable> whole;
    ASSERT_TRUE(scatter.generate(extent, terrain, {}, whole).ok());
    EXPECT_EQ(whole[0].size(), 150U);
    std::size_t sum = 0;
    ById parts;
    for (double x = x0; x < x1; x += 150) {
      std::vector<InstanceTable> part;
      const Rect tile = metres(x, 0, x + 150, 300);
      ASSERT_TRUE(scatter.generate(tile, terrain, {}, part).ok());
      sum += part[0].size();
      parts.merge(by_id(scatter, part, tile));
    }
    EXPECT_EQ(sum, 150U);
    EXPECT_EQ(parts, by_id(scatter, whole, extent));
  }
}

/// Counts the windows that are asked for, and how far they reach.
class Watching final : public TerrainSource {
 public:
  [[nodiscard]] Status window(const Rect& need, TerrainWindow& out) const override {
    least_x = std::min(least_x, need.x0);
    most_x = std::max(most_x, need.x1);
    if (++windows == 5 && cancel_after_five != nullptr) {
      *cancel_after_five = true;
    }
    return hills_.window(need, out);
  }
  mutable Coord least_x = kCoordLimit;
  mutable Coord most_x = -kCoordLimit;
  mutable int windows = 0;
  std::atomic<bool>* cancel_after_five = nullptr;

 private:
  Hills hills_;
};

TEST(ScatterAmount, ARegionReadsTheBlocksItNeeds) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 16384, 16384);
  spec.layers.push_back(layer("chests", 6));
  spec.layers[0].amount = reserved(200);  // cells of 1024 m, one block
  spec.layers[0].amount->per_square_m = 0;
  spec.layers[0].amount->minimum = spec.layers[0].amount->maximum = 40000;  // cells of 64 m, blocks of 1024 m
  const Scatter scatter = make_scatter(spec);
  const Watching terrain;
  std::vector<InstanceTable> part;
  ASSERT_TRUE(scatter.generate(metres(8200, 8200, 8210, 8210), terrain, {}, part).ok());
  EXPECT_GT(to_metres(terrain.least_x), 5000);  // Morton order comes from the west by way of a few blocks
  EXPECT_LT(to_metres(terrain.most_x), 16500);
}

TEST(ScatterAmount, SmallSquaresAreCountedTogether) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 1000, 1000);
  spec.layers.push_back(layer("chests", 3));
  spec.layers[0].amount = smallest(0, 1, 2);
  const Scatter scatter = make_scatter(spec);
  const Watching terrain;
  std::vector<InstanceTable> part;
  ASSERT_TRUE(scatter.generate(metres(100, 100, 300, 300), terrain, {}, part).ok());
  EXPECT_LT(terrain.windows, 20);  // of 10,000 squares
}

TEST(ScatterAmount, WhatACensusForgetsIsFoundAgain) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 1200, 1200);
  spec.layers.push_back(layer("chests", 5));
  spec.layers[0].amount = smallest(0, 1, 1);  // more squares than are remembered
  const Scatter scatter = make_scatter(spec);
  const Watching terrain;
  Census census(scatter, terrain);
  const Rect first = metres(0, 0, 120, 120);
  std::uint64_t before = 0;
  ASSERT_TRUE(census.fingerprint(first, {}, before).ok());
  const int once = terrain.windows;
  std::uint64_t unused = 0;
  ASSERT_TRUE(census.fingerprint(first, {}, unused).ok());
  EXPECT_EQ(terrain.windows, once);  // remembered
  for (int row = 0; row < 10; ++row) {
    ASSERT_TRUE(census.fingerprint(metres(0, row * 120, 1200, row * 120 + 120), {}, unused).ok());
  }
  const int all = terrain.windows;
  std::uint64_t after = 0;
  ASSERT_TRUE(census.fingerprint(first, {}, after).ok());
  EXPECT_GT(terrain.windows, all);  // forgotten
  EXPECT_EQ(after, before);
}

TEST(ScatterAmount, CountingStopsWhereTheCallerCancels) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 100, 100);
  spec.layers.push_back(layer("chests", 50));
  spec.layers[0].amount = smallest(5, 5, 100000);  // one square of 150,000 pieces
  const Scatter scatter = make_scatter(spec);
  Watching terrain;
  std::atomic<bool> cancel = false;
  terrain.cancel_after_five = &cancel;
  RunContext context;
  context.cancel = &cancel;
  std::vector<InstanceTable> part;
  EXPECT_EQ(scatter.generate(metres(0, 0, 100, 100), terrain, context, part).code, StatusCode::kCancelled);
  EXPECT_LT(terrain.windows, 10);
}

TEST(ScatterAmount, ReservedPointsAreSpreadEvenly) {
  ScatterSpec spec;
  spec.extent = metres(0, 0, 1024, 1024);
  spec.layers.push_back(layer("chests", 4));
  spec.layers[0].amount = reserved(256);  // cells of 64 m
  const Scatter scatter = make_scatter(spec);
  const auto tables = generate(scatter, spec.extent);
  std::set<std::pair<std::int64_t, std::int64_t>> cells;
  for (std::size_t i = 0; i < tables[0].size(); ++i) {
    cells.insert({floor_div(tables[0].x[i] * tables[0].lattice.pitch, 64 * kUnitsPerMetre),
                  floor_div(tables[0].y[i] * tables[0].lattice.pitch, 64 * kUnitsPerMetre)});
  }
  EXPECT_EQ(cells.size(), 256U);
}

TEST(QuotaGrid, QuotasAddUpInBlocksAndCells) {
  for (const double square : {0.0, 7.0, 33.0}) {
    for (const std::int64_t count : {1, 5, 99}) {
      auto made =
          scatter::QuotaGrid::make(reserved(count, square), metres(-77.5, 13, 901.25, 1200), "amount");
      ASSERT_TRUE(made.ok());
      const scatter::QuotaGrid& grid = made.value();
      std::uint64_t sum = 0;
      for (std::size_t block = 0; block < grid.blocks(); ++block) {
        std::uint64_t cells = 0;
        for (const std::uint64_t quota : grid.cell_quotas(block)) {
          cells += quota;
        }
        EXPECT_EQ(cells, grid.quota(block));
        sum += cells;
      }
      EXPECT_EQ(sum, grid.total());
    }
  }
}

TEST(QuotaGrid, DealsRestInRoundsOfMortonOrder) {
  const std::array<std::uint64_t, 4> quotas = {2, 0, 1, 3};
  const std::array<std::uint64_t, 4> accepts = {0, 5, 9, 3};
  EXPECT_EQ(scatter::deal_to_cells(6, quotas, accepts), (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(scatter::deal_to_cells(9, quotas, accepts), (std::vector<std::uint64_t>{0, 3, 3, 3}));
  EXPECT_EQ(scatter::deal_to_cells(17, quotas, accepts), (std::vector<std::uint64_t>{0, 5, 9, 3}));
}

TEST(ScatterAmount, BadAmountsAreRefusedByField) {
  const auto refused = [](const AmountSpec& amount) {
    const auto made = Scatter::create(counted(kExtent, 1, amount), {true, true});
    return made.ok() ? std::string("accepted") : made.status().where;
  };
  EXPECT_EQ(refused(smallest(-1, 3)), "layers[1].amount.count");
  EXPECT_EQ(refused(smallest(5, 3)), "layers[1].amount.count");
  EXPECT_EQ(refused(smallest(0, 5000000)), "layers[1].amount.count");
  EXPECT_EQ(refused({AmountSpec::Choice::kReserved, 1, 2, 0}), "layers[1].reserved.count");
  EXPECT_EQ(refused(smallest(0, 3, 0.5)), "layers[1].amount.per_square_m");
  EXPECT_EQ(refused(smallest(0, 3, NAN)), "layers[1].amount.per_square_m");
  EXPECT_EQ(refused(reserved(4000000, 1)), "layers[1].reserved");
  ScatterSpec wide = counted(metres(0, 0, 1e6, 1e6), 1, reserved(1, 10));
  wide.layers[0].secondaries.clear();
  EXPECT_EQ(Scatter::create(wide, {true, true}).status().where, "layers[1].reserved");
  wide.layers[1].amount = reserved(1, 1000);
  EXPECT_TRUE(Scatter::create(wide, {true, true}).ok());
}

}  // namespace
}  // namespace strew
