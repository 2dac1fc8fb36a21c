// What strew life is asked for and how it answers.
#pragma once

#include <string>

#include "common.hpp"

namespace strew_tool {

struct LifeArguments {
  std::string rule;
  std::string size;
  double fill = 0.7;
  std::string seed = "0";
  std::int64_t generations = 10;
  std::string border;
  std::string input;
  std::string output;
  std::string region;
  std::string animate;
  std::string variant = "best";
  std::int32_t depth = 0;
  bool population = false;
  bool regions = false;
  bool json = false;
  RunOptions run;
};

/// Runs the command; the exit code.
[[nodiscard]] int run_life(const LifeArguments& arguments);

}  // namespace strew_tool
