// Batched validation of positions against terrain. Names: validate/rule/backend/isa/positions/threads. The
// positions run row by row over a tile, as a strategy's points do. "copy" moves the same bytes in and out and
// does nothing: the limit. Every backend's output is compared with the reference before it is timed.
#include "strew/terrain.hpp"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "strew/random.hpp"

namespace {

constexpr std::size_t kPositions = std::size_t{1} << 16;
constexpr double kTileMetres = 512;
constexpr std::int32_t kSide = 180;  // samples; 3 m apart

/// A tile's terrain and candidates; the rules reject about a quarter each.
struct Tile {
  std::vector<float> elevation;
  std::vector<float> slope;
  std::vector<std::uint8_t> biome;
  std::vector<float> map;
  std::vector<strew::Coord> x;
  std::vector<strew::Coord> y;
  strew::RasterView<float> map_view;
  strew::TerrainView view;
  std::vector<strew::Shapes> shapes;
  std::vector<const strew::Shapes*> shape_list;

  Tile() {
    for (std::int32_t r = 0; r < kSide; ++r) {
      for (std::int32_t c = 0; c < kSide; ++c) {
        elevation.push_back(static_cast<float>(200 + 100 * std::sin(c * 0.05) * std::cos(r * 0.04)));
        slope.push_back(static_cast<float>(20 + 15 * std::sin(c * 0.03 + r * 0.06)));
        biome.push_back(static_cast<std::uint8_t>(1 + (c / 30 + r / 40) % 4));
        map.push_back(static_cast<float>(0.5 + 0.5 * std::sin(c * 0.08)));
      }
    }
    view.elevation = {elevation.data(), kSide, kSide, kSide, 0, 0, 3, 3, 0, false};
    view.slope = view.elevation;
    view.slope.data = slope.data();
    view.biome = {biome.data(), kSide, kSide, kSide, 0, 0, 3, 3, 0, false};
    map_view = view.elevation;
    map_view.data = map.data();
    view.maps = {&map_view, 1};
    strew::ShapeData river;
    river.lines.emplace_back();
    for (int i = 0; i <= 64; ++i) {
      river.lines[0].push_back({static_cast<strew::Coord>(i * 8.0 * 4294967296.0),
                                static_cast<strew::Coord>((256 + 80 * std::sin(i * 0.2)) * 4294967296.0)});
    }
    river.buffer_m = 8;
    shapes.push_back(std::move(strew::Shapes::create(river, 50).value()));
    shape_list.push_back(&shapes[0]);
    view.shapes = shape_list;
    const auto columns = static_cast<std::size_t>(std::sqrt(static_cast<double>(kPositions)));
    const strew::PhiloxKey key = strew::stream_key(1, 2);
    for (std::size_t i = 0; i < kPositions; ++i) {
      const auto draw = strew::cell_draw(key, static_cast<std::int64_t>(i), 0, 0);
      const double step = kTileMetres / static_cast<double>(columns);
      x.push_back(static_cast<strew::Coord>((static_cast<double>(i % columns) + strew::draw_unit(draw[0])) *
                                            step * 4294967296.0));
      y.push_back(static_cast<strew::Coord>((static_cast<double>(i / columns) + strew::draw_unit(draw[1])) *
                                            step * 4294967296.0));
    }
  }
};

const Tile& tile() {
  static const Tile kTile;
  return kTile;
}

struct Output {
  std::vector<std::uint64_t> words = std::vector<std::uint64_t>(kPositions / 64 + 1);
  std::vector<double> altitude = std::vector<double>(kPositions);
  strew::RejectionCounts counts{};
};

void finish(benchmark::State& state, const Output& out) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : out.words) {
    hash = strew::mix64(hash ^ word);
  }
  state.counters["positions_per_second"] =
      benchmark::Counter(static_cast<double>(kPositions), benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::to_string(hash));
}

void run(benchmark::State& state, const strew::Constraints& rules, bool bare, std::string isa_name,
         bool by_xsimd) {
  strew::TerrainView view = tile().view;
  if (bare) {
    view = {};
    view.maps = tile().view.maps;
    view.shapes = tile().view.shapes;
  }
  Output expected;
  strew::validate_batch_ref(tile().x, tile().y, view, rules, expected.words, expected.altitude,
                            expected.counts);
  Output out;
  if (isa_name == "ref") {
    for (auto _ : state) {
      out.counts = {};
      strew::validate_batch_ref(tile().x, tile().y, view, rules, out.words, out.altitude, out.counts);
      benchmark::DoNotOptimize(out.words.data());
    }
  } else {
    const strew::Isa isa = strew::parse_isa(isa_name).value();
    const auto validate = [&]() {
      return by_xsimd ? strew::validate_batch_xsimd(tile().x, tile().y, view, rules, out.words, out.altitude,
                                                    out.counts, isa)
                      : strew::validate_batch(tile().x, tile().y, view, rules, out.words, out.altitude,
                                              out.counts, isa);
    };
    const strew::Status status = validate();
    if (!status.ok() || out.words != expected.words || out.counts != expected.counts) {
      state.SkipWithError(status.ok() ? "differs from the reference" : status.text().c_str());
      return;
    }
    for (auto _ : state) {
      out.counts = {};
      static_cast<void>(validate());
      benchmark::DoNotOptimize(out.words.data());
    }
  }
  finish(state, out);
}

/// The bytes that validation reads of its points and writes, and nothing else.
void copy(benchmark::State& state) {
  Output out;
  std::vector<strew::Coord> x(kPositions);
  for (auto _ : state) {
    std::memcpy(x.data(), tile().x.data(), kPositions * sizeof(strew::Coord));
    std::memcpy(out.altitude.data(), tile().y.data(), kPositions * sizeof(double));
    benchmark::DoNotOptimize(x.data());
    benchmark::DoNotOptimize(out.altitude.data());
  }
  finish(state, out);
}

strew::Constraints rules_of(const std::string& name) {
  strew::Constraints rules;
  const bool all = name == "altitude_slope_biome_noise" || name == "everything";
  if (all || name == "altitude") {
    rules.altitude_m = strew::Range{150, 400};
  }
  if (all || name == "slope") {
    rules.slope_degrees = strew::Range{0, 30};
  }
  if (all || name == "biome") {
    rules.biomes.emplace().set(1).set(2).set(3);
  }
  if (all || name == "noise" || name == "noise_5_octaves" || name == "noise_ridged") {
    strew::NoiseRule noise;
    noise.noise.frequency = 0.02;
    noise.noise.octaves = name == "noise_5_octaves" ? 5 : 1;
    noise.noise.kind = name == "noise_ridged" ? strew::NoiseKind::kRidged : strew::NoiseKind::kFbm;
    noise.threshold = -0.2;
    rules.noise = noise;
  }
  if (name == "everything" || name == "mask") {
    rules.maps.push_back({0, {0.3, HUGE_VAL}, 0, 1, false});
  }
  if (name == "everything" || name == "density") {
    rules.maps.push_back({0, {0.8, HUGE_VAL}, 0.7, 2, false});
  }
  if (name == "everything" || name == "shape") {
    rules.shapes.push_back({0, {0, HUGE_VAL}, 20, 3, false});
  }
  return rules;
}

const bool registered = [] {
  benchmark::RegisterBenchmark("validate/copy/memcpy/best/65536/1", copy);
  for (const std::string name :
       {"none", "altitude", "slope", "biome", "noise", "noise_5_octaves", "noise_ridged", "mask", "density",
        "shape", "altitude_slope_biome_noise", "everything"}) {
    for (const std::string variant : {"ref/scalar", "hwy/scalar", "hwy/sse4", "hwy/avx2", "hwy/avx512",
                                      "xsimd/sse4", "xsimd/avx2", "xsimd/avx512"}) {
      const bool by_xsimd = variant.starts_with("xsimd");
      const std::string isa = variant == "ref/scalar" ? "ref" : variant.substr(variant.find('/') + 1);
      // Rules that need no terrain are timed without it.
      const bool bare = name.starts_with("noise") || name == "mask" || name == "density" || name == "shape";
      const std::string full = "validate/" + name + "/" + variant + "/65536/1";
      benchmark::RegisterBenchmark(
          full.c_str(), [=](benchmark::State& state) { run(state, rules_of(name), bare, isa, by_xsimd); });
    }
  }
  return true;
}();

}  // namespace
