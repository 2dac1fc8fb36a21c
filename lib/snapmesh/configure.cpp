// Parameters by name to rules and passes; methods by name.
#include <string>

#include "guard.hpp"
#include "parameters.hpp"

namespace strew::snap {
namespace {

constexpr StrategyInfo kRulesInfo{.id = "snapmesh",
                                  .backend = "ref",
                                  .description = "parameters of all selection methods",
                                  .source = "",
                                  .parameters = kRuleParameters};

bool is_rule(std::string_view name) noexcept {
  return std::any_of(kRuleParameters.begin(), kRuleParameters.end(),
                     [&](const ParameterInfo& info) { return info.name == name; });
}

void apply(const ResolvedParameters& given, Rules& rules) {
  const auto flag = [&](std::string_view name, bool& out) {
    out = given.given(name) ? given.boolean(name) : out;
  };
  const auto whole = [&](std::string_view name, auto& out) {
    if (given.given(name)) {
      out = static_cast<std::remove_reference_t<decltype(out)>>(given.integer(name));
    }
  };
  const auto real = [&](std::string_view name, double& out) {
    out = given.given(name) ? given.real(name) : out;
  };
  flag("use_starter", rules.use_starter);
  real("piece_distance", rules.piece_distance);
  whole("max_fails", rules.max_fails);
  flag("check_overlaps", rules.check_overlaps);
  flag("match_pins", rules.match_pins);
  flag("match_colours", rules.match_colours);
  whole("pin_tolerance", rules.pin_tolerance);
  whole("starter_tolerance", rules.starter_tolerance);
  whole("cap_pieces", rules.cap_pieces);
  real("joint_tolerance", rules.joint_tolerance);
  whole("backtrack", rules.backtrack);
  flag("join_loops", rules.join_loops);
  flag("prefer_loops", rules.prefer_loops);
  flag("close_dead_ends", rules.close_dead_ends);
  whole("work_limit", rules.work_limit);
}

}  // namespace

std::span<const ParameterInfo> rule_parameters() noexcept {
  return kRuleParameters;
}

Rules standard_rules() noexcept {
  Rules rules;
  rules.mode = Mode::kStandard;
  rules.piece_distance = 0;
  rules.check_overlaps = true;
  rules.match_pins = true;
  rules.match_colours = true;
  return rules;
}

Status configure(const SelectionMethod& method, const ParameterSet& parameters, Rules& rules, Pass& pass) {
  return guarded([&]() -> Status {
    ParameterSet of_rules;
    ParameterSet of_method;
    for (const ParameterSet::Entry& entry : parameters.entries()) {
      (is_rule(entry.name) ? of_rules : of_method).set(entry.name, entry.value);
    }
    STREW_ASSIGN(const ResolvedParameters given, ResolvedParameters::resolve(kRulesInfo, of_rules));
    STREW_ASSIGN(const ResolvedParameters own, ResolvedParameters::resolve(method.info(), of_method));
    apply(given, rules);
    pass = {};
    pass.method = &method;
    return method.prepare(own, pass.state);
  });
}

Result<const SelectionMethod*> find_method(const Registry& registry, std::string_view id) {
  return guarded([&]() -> Result<const SelectionMethod*> {
    const std::string full =
        id.find('/') == std::string_view::npos ? "snapmesh/" + std::string(id) : std::string(id);
    STREW_ASSIGN(const Strategy* const strategy, registry.find(full));
    if (const auto* method = dynamic_cast<const SelectionMethod*>(strategy)) {
      return method;
    }
    return invalid_argument(
        "'" + full + "' does not assemble maps; use snapmesh/arena, corridor, star or branch", "method");
  });
}

Result<Map> assemble(const Registry& registry, std::string_view id, const Kit& kit, std::int64_t seed,
                     Rules rules, const ParameterSet& parameters, const RunContext& context,
                     std::vector<Event>* events) {
  return guarded([&]() -> Result<Map> {
    STREW_ASSIGN(const SelectionMethod* const method, find_method(registry, id));
    Pass pass;
    STREW_RETURN_IF_ERROR(configure(*method, parameters, rules, pass));
    STREW_ASSIGN(Assembler assembler, Assembler::create(kit, rules, {pass}, context.max_isa));
    STREW_RETURN_IF_ERROR(assembler.run(seed, events));
    Map map;
    assembler.copy_map(map);
    return map;
  });
}

}  // namespace strew::snap
