// What all subcommands share: exit codes, errors, threads and ISA, cancellation, rectangles given as text.
#pragma once

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strew/context.hpp"
#include "strew/types.hpp"

namespace strew_tool {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;
inline constexpr int kExitViolated = 3;
inline constexpr int kExitInterrupted = 130;

/// Says the error on standard error and returns its exit code: 2 for what the user can correct in the call or
/// its inputs, 130 for a cancelled run, 1 for the rest.
[[nodiscard]] int fail(const strew::Status& status);
/// The same code without a word.
[[nodiscard]] int exit_code_of(const strew::Status& status);

/// --threads, --isa and --executor.
struct RunOptions {
  std::uint32_t threads = 0;
  std::string isa = "best";
  std::string executor = "pool";
};
void add_run_options(CLI::App& command, RunOptions& options);

/// The threads of a command and the context that lends them. The context points into the Runner: keep it
/// alive.
class Runner {
 public:
  [[nodiscard]] static strew::Result<Runner> create(const RunOptions& options);
  [[nodiscard]] strew::RunContext context() const;

 private:
  std::unique_ptr<strew::ThreadPool> pool_;
  std::unique_ptr<strew::ShuffledExecutor> shuffled_;
  strew::Isa isa_ = strew::Isa::kBest;
};

/// From the first call on, Ctrl-C (and SIGTERM, and SIGHUP where it is not ignored) sets the returned flag; a
/// second one ends the process at once.
[[nodiscard]] const std::atomic<bool>& interrupt_flag();

/// "a,b,c" to exactly `count` finite numbers; `where` names the option in the error.
[[nodiscard]] strew::Result<std::vector<double>> parse_numbers(std::string_view text, char separator,
                                                               std::size_t count, std::string_view where);
/// "x0,y0,x1,y1" in metres.
[[nodiscard]] strew::Result<strew::Rect> parse_region(std::string_view text);
/// The part of `world` that the --region text names (all of it when the text is empty); refuses a region
/// outside, and says so on standard error when a part of it lies outside. `called`: what messages call
/// `world`.
[[nodiscard]] strew::Result<strew::Rect> region_in(const strew::Rect& world, const std::string& region_text,
                                                   const char* called = "world");
/// "[x0, x1) x [y0, y1) m".
[[nodiscard]] std::string describe(const strew::Rect& rect);
/// Text to a whole 64-bit seed, decimal or 0x-hexadecimal.
[[nodiscard]] strew::Result<std::optional<std::uint64_t>> parse_seed(const std::string& text);

/// Sixteen hexadecimal digits: a 64-bit number as a JSON number would lose bits in most readers.
[[nodiscard]] std::string hex(std::uint64_t value);
/// 1234567 as "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t value);
/// "12.3 MiB".
[[nodiscard]] std::string bytes_text(std::uint64_t bytes);

}  // namespace strew_tool
