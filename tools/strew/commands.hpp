// The subcommands. Each adds itself to the application; its callback leaves the exit code in `exit_code`.
#pragma once

#include <CLI/CLI.hpp>

namespace strew_tool {

void add_analyze(CLI::App& app, int& exit_code);
void add_bake(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_init(CLI::App& app, int& exit_code);
void add_life(CLI::App& app, int& exit_code);
void add_merge(CLI::App& app, int& exit_code);
void add_plan(CLI::App& app, int& exit_code);
void add_points(CLI::App& app, int& exit_code);
void add_preview(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_snap(CLI::App& app, int& exit_code);
void add_strategies(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);

}  // namespace strew_tool
