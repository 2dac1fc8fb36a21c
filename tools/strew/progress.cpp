#include "progress.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "common.hpp"
#include "fmt/format.h"

namespace strew_tool {
namespace {

constexpr std::chrono::milliseconds kTerminalInterval{100};
constexpr std::chrono::seconds kPipeInterval{5};
constexpr std::size_t kBarWidth = 24;

std::string duration_text(double seconds) {
  const auto whole = static_cast<std::uint64_t>(seconds + 0.5);
  if (whole >= 3600) {
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  }
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

}  // namespace

ProgressLine::ProgressLine(bool quiet) : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1) {}

bool ProgressLine::on_progress(void* self, const strew::BakeProgress& progress) {
  static_cast<ProgressLine*>(self)->show(progress);
  return true;
}

void ProgressLine::show(const strew::BakeProgress& progress) {
  const auto now = Clock::now();
  const bool last = progress.tiles_done == progress.tiles_total;
  if (quiet_ || (now < next_ && !last)) {
    return;
  }
  next_ = now;
  if (terminal_) {
    next_ += kTerminalInterval;
  } else {
    next_ += kPipeInterval;
  }
  const double seconds = std::max(1e-3, std::chrono::duration<double>(now - start_).count());
  const double done = static_cast<double>(progress.tiles_done);
  const double total = static_cast<double>(std::max<std::uint64_t>(1, progress.tiles_total));
  const double left = done > 0 ? seconds / done * (total - done) : 0;
  const std::string figures = fmt::format(
      "{}/{} tiles, {} instances, {:.2f} M/s, ETA {}, {}", progress.tiles_done, progress.tiles_total,
      grouped(progress.instances), static_cast<double>(progress.instances) / seconds / 1e6,
      duration_text(left), bytes_text(strew::peak_memory_bytes()));
  if (terminal_) {
    const auto filled = static_cast<std::size_t>(done / total * static_cast<double>(kBarWidth));
    const std::string bar =
        std::string(filled, '#') + std::string(kBarWidth - std::min(kBarWidth, filled), '.');
    fmt::print(stderr, "\r[{}] {}\033[K", bar, figures);
    line_open_ = true;
  } else {
    fmt::print(stderr, "{}\n", figures);
  }
  std::fflush(stderr);
}

void ProgressLine::finish() {
  if (line_open_) {
    fmt::print(stderr, "\n");
    line_open_ = false;
  }
}

}  // namespace strew_tool
