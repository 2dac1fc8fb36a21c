#include "common.hpp"

#include <charconv>
#include <cmath>
#include <csignal>

#include "fmt/format.h"

namespace strew_tool {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free,
              "the signal handler may only store to a lock-free flag");

extern "C" void on_interrupt(int number) {
  interrupted.store(true, std::memory_order_relaxed);
  std::signal(number, SIG_DFL);
}

}  // namespace

int exit_code_of(const strew::Status& status) {
  using strew::StatusCode;
  switch (status.code) {
    case StatusCode::kOk:
      return kExitDone;
    case StatusCode::kCancelled:
      return kExitInterrupted;
    case StatusCode::kInvalidArgument:
    case StatusCode::kNotFound:
    case StatusCode::kUnsupported:
      return kExitUsage;
    default:
      return kExitFailed;
  }
}

int fail(const strew::Status& status) {
  fmt::print(stderr, "strew: {}: {}\n",
             status.code == strew::StatusCode::kCancelled ? "interrupted" : "error", status.text());
  return exit_code_of(status);
}

void add_run_options(CLI::App& command, RunOptions& options) {
  command.add_option("--threads", options.threads, "Worker threads (default: as many as the machine has)")
      ->check(CLI::Range(1, 1024));
  command.add_option("--isa", options.isa, "Widest instruction set: scalar, sse4, avx2, avx512, best")
      ->capture_default_str();
  command
      .add_option("--executor", options.executor,
                  "pool, serial, or shuffled (one thread, shuffled order: a test of order independence)")
      ->check(CLI::IsMember({"pool", "serial", "shuffled"}))
      ->capture_default_str()
      ->group("Testing");
}

strew::Result<Runner> Runner::create(const RunOptions& options) {
  Runner runner;
  STREW_ASSIGN(runner.isa_, strew::parse_isa(options.isa));
  if (options.executor == "pool" && options.threads != 1) {
    STREW_ASSIGN(strew::ThreadPool pool, strew::ThreadPool::create(options.threads));
    runner.pool_ = std::make_unique<strew::ThreadPool>(std::move(pool));
  } else if (options.executor == "shuffled") {
    const std::uint32_t workers = options.threads != 0 ? options.threads : 7U;
    runner.shuffled_ = std::make_unique<strew::ShuffledExecutor>(0x5eedU, workers);
  }
  return runner;
}

strew::RunContext Runner::context() const {
  strew::RunContext context;
  if (pool_ != nullptr) {
    context.executor = &pool_->executor();
  } else if (shuffled_ != nullptr) {
    context.executor = &shuffled_->executor();
  }
  context.max_isa = isa_;
  context.cancel = &interrupt_flag();
  return context;
}

const std::atomic<bool>& interrupt_flag() {
  static const bool installed = [] {
    std::signal(SIGINT, on_interrupt);
    std::signal(SIGTERM, on_interrupt);
#ifdef SIGHUP
    // A closed terminal; under nohup it stays ignored.
    if (std::signal(SIGHUP, on_interrupt) == SIG_IGN) {
      std::signal(SIGHUP, SIG_IGN);
    }
#endif
    return true;
  }();
  static_cast<void>(installed);
  return interrupted;
}

strew::Result<std::vector<double>> parse_numbers(std::string_view text, char separator, std::size_t count,
                                                 std::string_view where) {
  std::vector<double> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || !std::isfinite(value)) {
      return strew::invalid_argument(
          fmt::format("expected {} finite numbers separated by '{}', found \"{}\"", count, separator, text),
          std::string(where));
    }
    numbers.push_back(value);
    at = next;
    if (at == end || *at != separator) {
      break;
    }
    ++at;
  }
  if (at != end || numbers.size() != count) {
    return strew::invalid_argument(
        fmt::format("expected {} numbers separated by '{}', found \"{}\"", count, separator, text),
        std::string(where));
  }
  return numbers;
}

strew::Result<strew::Rect> parse_region(std::string_view text) {
  STREW_ASSIGN(const std::vector<double> sides, parse_numbers(text, ',', 4, "--region"));
  return strew::rect_from_metres(sides[0], sides[1], sides[2], sides[3], "--region");
}

strew::Result<strew::Rect> region_in(const strew::Rect& world, const std::string& region_text,
                                     const char* called) {
  if (region_text.empty()) {
    return world;
  }
  STREW_ASSIGN(const strew::Rect region, parse_region(region_text));
  const strew::Rect common = strew::intersection(region, world);
  if (common.empty()) {
    return strew::invalid_argument(
        fmt::format("{} lies outside the {}, which is {}: give a rectangle that overlaps it",
                    describe(region), called, describe(world)),
        "--region");
  }
  if (common != region) {
    fmt::print(stderr, "strew: --region reaches beyond the {}; taking {}\n", called, describe(common));
  }
  return common;
}

std::string describe(const strew::Rect& rect) {
  return fmt::format("[{}, {}) x [{}, {}) m", strew::to_metres(rect.x0), strew::to_metres(rect.x1),
                     strew::to_metres(rect.y0), strew::to_metres(rect.y1));
}

strew::Result<std::optional<std::uint64_t>> parse_seed(const std::string& text) {
  if (text.empty()) {
    return std::optional<std::uint64_t>();
  }
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  const char* const begin = text.data() + (hexadecimal ? 2 : 0);
  const char* const end = text.data() + text.size();
  std::uint64_t value = 0;
  const auto [next, error] = std::from_chars(begin, end, value, hexadecimal ? 16 : 10);
  if (error != std::errc() || next != end) {
    return strew::invalid_argument(
        fmt::format("expected a whole number in [0, 2^64), decimal or 0x-hexadecimal, found \"{}\"", text),
        "--seed");
  }
  return std::optional<std::uint64_t>(value);
}

std::string hex(std::uint64_t value) {
  return fmt::format("{:016x}", value);
}

std::string grouped(std::uint64_t value) {
  std::string digits = std::to_string(value);
  for (std::size_t at = digits.size(); at > 3; at -= 3) {
    digits.insert(at - 3, ",");
  }
  return digits;
}

std::string bytes_text(std::uint64_t bytes) {
  const double value = static_cast<double>(bytes);
  constexpr std::uint64_t kMebi = std::uint64_t{1} << 20;
  if (bytes < kMebi) {
    return fmt::format("{:.1f} KiB", value / 1024.0);
  }
  if (bytes < 1024 * kMebi) {
    return fmt::format("{:.1f} MiB", value / (1024.0 * 1024.0));
  }
  return fmt::format("{:.2f} GiB", value / (1024.0 * 1024.0 * 1024.0));
}

}  // namespace strew_tool
