// strew points ID: one strategy on a plain rectangle.
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "output_folder.hpp"
#include "strew/hash.hpp"
#include "strew/io/files.hpp"
#include "strew/strategy.hpp"

namespace strew_tool {
namespace {

struct Arguments {
  std::string id;
  std::string size;
  std::string origin = "0,0";
  std::string region;
  std::string seed = "0";
  std::string path;
  bool json = false;
  std::vector<std::string> settings;
  RunOptions run;
};

strew::Result<strew::ParameterSet> parse_settings(const std::vector<std::string>& settings) {
  strew::ParameterSet parameters;
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return strew::invalid_argument(fmt::format("expected name=value, found \"{}\"", setting), "--set");
    }
    parameters.set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return parameters;
}

strew::Result<strew::Rect> parse_world(const Arguments& arguments) {
  STREW_ASSIGN(const std::vector<double> size, parse_numbers(arguments.size, 'x', 2, "--size"));
  STREW_ASSIGN(const std::vector<double> origin, parse_numbers(arguments.origin, ',', 2, "--origin"));
  return strew::rect_from_metres(origin[0], origin[1], origin[0] + size[0], origin[1] + size[1], "--size");
}

void keep_inside(const strew::Rect& region, strew::PointSet& points) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (region.contains(points.unit_x(i), points.unit_y(i))) {
      points.x[kept] = points.x[i];
      points.y[kept] = points.y[i];
      if (!points.class_of.empty()) {
        points.class_of[kept] = points.class_of[i];
      }
      ++kept;
    }
  }
  points.x.resize(kept);
  points.y.resize(kept);
  points.class_of.resize(points.class_of.empty() ? 0 : kept);
}

// "best" by its name: the widest instruction set that the strategy takes, found with a one-unit request. A
// reference is scalar whatever is allowed.
strew::Isa isa_in_force(const strew::PointStrategy& strategy, const strew::ResolvedParameters& parameters,
                        strew::PointRequest request, strew::RunContext context) {
  if (strategy.info().backend == "ref" || context.max_isa != strew::Isa::kBest) {
    return strategy.info().backend == "ref" ? strew::Isa::kScalar : context.max_isa;
  }
  request.region = {request.region.x0, request.region.y0, request.region.x0 + 1, request.region.y0 + 1};
  strew::PointSet points;
  for (const strew::Isa isa : {strew::Isa::kAvx512, strew::Isa::kAvx2, strew::Isa::kSse4}) {
    context.max_isa = isa;
    if (strategy.generate(request, parameters, context, points).ok()) {
      return isa;
    }
  }
  return strew::Isa::kScalar;
}

struct Outcome {
  strew::SetHash hash;
  std::string full_id;
  std::string isa;
  std::uint32_t threads = 1;
  double seconds = 0;
};

strew::Result<Outcome> generate(const Arguments& arguments) {
  STREW_ASSIGN(const auto seed, parse_seed(arguments.seed));
  STREW_ASSIGN(const strew::Rect world, parse_world(arguments));
  STREW_ASSIGN(const strew::Rect region, region_in(world, arguments.region));
  STREW_ASSIGN(const strew::ParameterSet parameters, parse_settings(arguments.settings));
  if (!arguments.path.empty()) {
    STREW_RETURN_IF_ERROR(strew::check_points_path(arguments.path));
    STREW_RETURN_IF_ERROR(prepare_output_file(arguments.path));
  }
  const strew::Generator generator;
  STREW_ASSIGN(const strew::PointStrategy* const strategy, generator.registry().find_points(arguments.id));
  STREW_ASSIGN(const Runner runner, Runner::create(arguments.run));
  const strew::RunContext context = runner.context();
  // The sequential classics depend on the rectangle they are given: they get all of it, and the crop is cut
  // after.
  const bool crop_first = (strategy->info().promises & strew::kCropEqualsWhole) != 0;
  const strew::PointRequest request = {
      .region = crop_first ? region : world, .seed = seed.value_or(0), .stream = 0};
  STREW_ASSIGN(const auto resolved, strew::ResolvedParameters::resolve(strategy->info(), parameters));
  const auto start = std::chrono::steady_clock::now();
  std::chrono::steady_clock::duration hashing{};
  double seconds = 0;
  strew::SetHash hash;
  if (arguments.path.empty() && crop_first) {
    // Nothing is kept, so the points pass through part by part: some millions of them at a time.
    const double distance = strategy->minimum_distance(resolved);
    STREW_RETURN_IF_ERROR(generator.stream(
        strategy->info().full_id(), request, parameters, 3072 * (distance > 0 ? distance : 1.0),
        [&](const strew::PointSet& part) -> strew::Status {
          const auto made = std::chrono::steady_clock::now();
          STREW_ASSIGN(const strew::SetHash of_part, strew::hash_points(part, context));
          hash.merge(of_part);
          hashing += std::chrono::steady_clock::now() - made;
          return {};
        },
        context));
    // As below, of the making alone.
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start - hashing).count();
  } else {
    STREW_ASSIGN(strew::PointSet points,
                 generator.points(strategy->info().full_id(), request, parameters, context));
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!crop_first) {
      keep_inside(region, points);
    }
    hash = strew::hash_points(points);
    if (!arguments.path.empty()) {
      STREW_RETURN_IF_ERROR(strew::write_points(arguments.path, points, region));
    }
  }
  const strew::Isa isa = isa_in_force(*strategy, resolved, request, context);
  return Outcome{.hash = hash,
                 .full_id = strategy->info().full_id(),
                 .isa = std::string(strew::to_string(isa)),
                 .threads = strew::worker_count(context),
                 .seconds = seconds};
}

int run(const Arguments& arguments) {
  const auto outcome = generate(arguments);
  if (!outcome.ok()) {
    return fail(outcome.status());
  }
  const Outcome& done = outcome.value();
  const std::uint64_t count = done.hash.count;
  const std::string hash = hex(done.hash.digest());
  const double rate = done.seconds > 0 ? static_cast<double>(count) / done.seconds : 0;
  if (arguments.json) {
    const nlohmann::ordered_json out = {
        {"count", count},          {"hash", hash},    {"seconds", done.seconds}, {"points_per_second", rate},
        {"threads", done.threads}, {"isa", done.isa}, {"strategy", done.full_id}};
    fmt::print("{}\n", out.dump(2));
  } else {
    fmt::print("{}: {} points in {:.3f} s, {:.2f} million/s on {} thread{} ({})\nhash {}\n", done.full_id,
               grouped(count), done.seconds, rate / 1e6, done.threads, done.threads == 1 ? "" : "s", done.isa,
               hash);
  }
  return kExitDone;
}

}  // namespace

void add_points(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command = *app.add_subcommand("points", "Run one algorithm on a plain rectangle");
  command.add_option("ID", arguments->id, "Such as poisson/tiled; see strew strategies")->required();
  command.add_option("--size", arguments->size, "WxH in metres")->required();
  command.add_option("--origin", arguments->origin, "x,y of the south-west corner in metres")
      ->capture_default_str();
  command.add_option("--region", arguments->region, "x0,y0,x1,y1 in metres: only this part of the rectangle");
  command.add_option("--seed", arguments->seed, "Seed, a whole number below 2^64")->capture_default_str();
  command.add_option("--set", arguments->settings, "name=value: parameters of the algorithm")->take_all();
  command.add_option("-o,--output", arguments->path, "FILE.csv, .npy, .ply or .png");
  command.add_flag("--json", arguments->json, "Print one JSON object on standard output");
  add_run_options(command, arguments->run);
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
