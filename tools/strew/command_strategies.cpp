// strew strategies [ID] [--json]: the menu, made from the strategies' own metadata.
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "common.hpp"
#include "fmt/format.h"
#include "strew/strategy.hpp"

namespace strew_tool {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string id;
  bool json = false;
};

std::string_view kind_name(strew::ParameterKind kind) {
  switch (kind) {
    case strew::ParameterKind::kReal:
      return "real";
    case strew::ParameterKind::kInteger:
      return "integer";
    case strew::ParameterKind::kBool:
      return "bool";
    case strew::ParameterKind::kChoice:
      return "choice";
  }
  return "unknown";
}

Json default_json(const strew::ParameterInfo& parameter) {
  switch (parameter.kind) {
    case strew::ParameterKind::kBool:
      return parameter.default_value != 0;
    case strew::ParameterKind::kInteger:
      return static_cast<std::int64_t>(parameter.default_value);
    case strew::ParameterKind::kChoice:
      return std::string(parameter.choices[static_cast<std::size_t>(parameter.default_value)]);
    case strew::ParameterKind::kReal:
      break;
  }
  return parameter.default_value;
}

Json parameter_json(const strew::ParameterInfo& parameter) {
  Json out;
  out["name"] = parameter.name;
  out["kind"] = kind_name(parameter.kind);
  out["unit"] = parameter.unit;
  out["required"] = parameter.required;
  if (!parameter.required) {
    out["default"] = default_json(parameter);
  }
  if (parameter.kind == strew::ParameterKind::kReal || parameter.kind == strew::ParameterKind::kInteger) {
    out["minimum"] = parameter.minimum;
    out["maximum"] = parameter.maximum;
  }
  if (parameter.kind == strew::ParameterKind::kChoice) {
    out["choices"] = parameter.choices;
  }
  out["meaning"] = parameter.meaning;
  return out;
}

Json strategy_json(const strew::StrategyInfo& info) {
  Json out;
  out["id"] = info.id;
  out["backend"] = info.backend;
  out["full_id"] = info.full_id();
  out["description"] = info.description;
  out["source"] = info.source;
  out["output_version"] = info.output_version;
  out["bit_equal_to_reference"] = info.bit_equal_to_reference;
  out["promises"] = strew::promise_names(info.promises);
  out["parameters"] = Json::array();
  for (const strew::ParameterInfo& parameter : info.parameters) {
    out["parameters"].push_back(parameter_json(parameter));
  }
  return out;
}

void print_text(const strew::StrategyInfo& info, bool detailed) {
  fmt::print("{:<24} {}\n", info.full_id(), info.description);
  if (!detailed) {
    return;
  }
  fmt::print(
      "  source: {}\n  output version {}, {}\n  promises: {}\n", info.source, info.output_version,
      info.bit_equal_to_reference ? "bit-equal to its reference" : "not bit-equal to its reference",
      info.promises == 0 ? "none" : fmt::format("{}", fmt::join(strew::promise_names(info.promises), ", ")));
  for (const strew::ParameterInfo& parameter : info.parameters) {
    std::string range;
    if (parameter.kind == strew::ParameterKind::kChoice) {
      range = fmt::format("one of {}", fmt::join(parameter.choices, ", "));
    } else if (parameter.kind == strew::ParameterKind::kBool) {
      range = "true or false";
    } else {
      range = fmt::format("{} in [{}, {}]{}{}", kind_name(parameter.kind), parameter.minimum,
                          parameter.maximum, parameter.unit.empty() ? "" : " ", parameter.unit);
    }
    const std::string fallback =
        parameter.required ? "required" : "default " + default_json(parameter).dump();
    fmt::print("  {:<12} {}; {}. {}\n", parameter.name, range, fallback, parameter.meaning);
  }
}

int run(const Arguments& arguments) {
  const strew::Registry registry = strew::builtin_registry();
  std::vector<const strew::Strategy*> chosen = registry.strategies;
  if (!arguments.id.empty()) {
    // A plain id lists every backend of the algorithm; find() refuses unknown ones and suggests.
    const auto found = registry.find(arguments.id);
    if (!found.ok()) {
      return fail(found.status());
    }
    std::erase_if(chosen, [&](const strew::Strategy* strategy) {
      return strategy->info().id != arguments.id && strategy->info().full_id() != arguments.id;
    });
  }
  if (arguments.json) {
    Json out = Json::array();
    for (const strew::Strategy* strategy : chosen) {
      out.push_back(strategy_json(strategy->info()));
    }
    fmt::print("{}\n", out.dump(2));
    return kExitDone;
  }
  for (const strew::Strategy* strategy : chosen) {
    print_text(strategy->info(), !arguments.id.empty());
  }
  return kExitDone;
}

}  // namespace

void add_strategies(CLI::App& app, int& exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App& command =
      *app.add_subcommand("strategies", "List the algorithms, or one of them with its parameters");
  command.add_option("ID", arguments->id, "Such as poisson/tiled or poisson/tiled/ref");
  command.add_flag("--json", arguments->json, "Print a JSON array");
  command.callback([arguments, &exit_code] { exit_code = run(*arguments); });
}

}  // namespace strew_tool
