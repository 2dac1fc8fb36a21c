// Progress of a bake on standard error: one line redrawn on a terminal, a plain line now and then when piped.
#pragma once

#include <chrono>
#include <cstdint>

#include "strew/world/bake.hpp"

namespace strew_tool {

class ProgressLine {
 public:
  explicit ProgressLine(bool quiet);
  /// For BakeProgressFn: `self` is a ProgressLine. Always goes on; Ctrl-C arrives by the context's flag.
  static bool on_progress(void* self, const strew::BakeProgress& progress);
  /// Ends the redrawn line, so that what follows begins on a line of its own.
  void finish();

 private:
  void show(const strew::BakeProgress& progress);

  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool terminal_;
  bool line_open_ = false;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_ = start_;
};

}  // namespace strew_tool
