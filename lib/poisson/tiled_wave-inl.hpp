// The order of work in a window, whatever the vectors: included inside the namespace of a kernel after
// tiled_stage-inl.hpp, with first_darts and list_points.
//
// Rows are made some at a time and go through the stages one behind the other, like a wave: a row enters a
// stage when the rows around it have left the one before, up to four rows ahead. (Its region is what the
// points of older stages leave; such a point is two rows away at most, and its disc is added to the masks
// once the rows that it reaches, two more, have no dart of its stage left.) So nothing is computed twice
// along the columns, whatever their length, and some 75 rows are alive at a time.

class Wave {
 public:
  explicit Wave(const KernelWindow& window) : window_(window), stages_(window.lists->stages), work_(window_) {
    for (std::size_t number = 0; number < kStages; ++number) {
      KernelLists::Stage& stage = stages_[number];
      stage.active.size = 0;
      stage.landed.size = 0;
      stage.waiting.size = 0;
      const std::int32_t reach = halo_of(number);
      stage.x0 = larger(2, window_.core.x0 - reach);
      stage.x1 = smaller(window_.width - 2, window_.core.x1 + reach);
      stage.first = larger(2, window_.core.y0 - reach);
      stage.limit = smaller(window_.y_end - 2, window_.core.y1 + reach);
      stage.entered = stage.first;
      stage.resolved = stage.first;
      stage.unknown_depth = larger(stage.x0, stage.first) - 1;
    }
    handed_ = window_.core.y0;
  }

  /// False when a cell of the core is left unknown, when the arrays have too few rows for what is alive, or
  /// when the taker of rows wants no more.
  bool run() {
    while (handed_ < window_.core.y1) {
      if (top_ < window_.y_end && !add_rows()) {
        return false;
      }
      for (std::size_t number = 0; number < kStages; ++number) {
        if (!work_.advance(number, may_enter(number))) {
          return false;
        }
      }
      if (!hand_over(smaller(stages_[kStages - 1].resolved, window_.core.y1))) {
        return false;
      }
    }
    return true;
  }

 private:
  /// How far around the core cells take part in a stage; those farther away cannot matter to it from this
  /// stage on, and stay unknown. The distances are experience, and never wrong: when they are too short for a
  /// place, a cell of the core turns out unknown, and the window is evaluated again with a wider halo.
  [[nodiscard]] std::int32_t halo_of(std::size_t stage) const {
    constexpr std::int32_t kReach[kStages] = {32, 28, 25, 22, 19, 17, 15, 13, 12, 11, 10};
    return window_.core.x0 * kReach[stage] / kReach[0];
  }

  /// The rows before this may enter a stage.
  [[nodiscard]] std::int32_t may_enter(std::size_t number) const {
    const KernelLists::Stage& stage = stages_[number];
    if (number == 0) {
      return smaller(stage.limit, top_);
    }
    const KernelLists::Stage& before = stages_[number - 1];
    // Nothing enters the one before any more: all that it has is decided or unknown.
    return before.entered == before.limit ? stage.limit : smaller(stage.limit, before.resolved - 4);
  }

  /// The next rows, with their first darts. Above them nothing may be taken for known.
  bool add_rows() {
    const std::int32_t count = smaller(window_.step, window_.y_end - top_);
    constexpr std::int32_t kAbove = 2;
    if (top_ + count + kAbove > window_.rows && !forget_rows(count + kAbove)) {
      return false;
    }
    first_darts(window_, top_, top_ + count);
    top_ += count;
    if (top_ < window_.y_end) {
      const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(top_) * window_.stride;
      const auto size = static_cast<std::size_t>(kAbove * window_.stride) * sizeof(std::uint32_t);
      __builtin_memset(window_.clock + from, 0, size);
      __builtin_memset(window_.position + from, 0, size);
    }
    return true;
  }

  /// Moves the rows that are alive to the beginning of the arrays; false when that makes no room for `count`
  /// more.
  bool forget_rows(std::int32_t count) {
    constexpr std::int32_t kBelow = 8;  // of the lowest row with something to decide; 4 are read
    std::int32_t low = handed_;
    for (const KernelLists::Stage& stage : stages_) {
      low = smaller(low, stage.resolved - kBelow);
    }
    if (low <= 0 || top_ - low + count > window_.rows) {
      return false;
    }
    const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(low) * window_.stride;
    const auto cells = static_cast<std::size_t>(top_ - low) * static_cast<std::size_t>(window_.stride);
    __builtin_memmove(window_.position, window_.position + from, cells * sizeof *window_.position);
    __builtin_memmove(window_.clock, window_.clock + from, cells * sizeof *window_.clock);
    __builtin_memmove(window_.covered, window_.covered + from, cells * sizeof *window_.covered);
    top_ -= low;
    handed_ -= low;
    window_.y0 += low;
    window_.y_begin -= low;
    window_.y_end -= low;
    window_.core.y0 -= low;
    window_.core.y1 -= low;
    for (KernelLists::Stage& stage : stages_) {
      stage.first -= low;
      stage.limit -= low;
      stage.entered -= low;
      stage.resolved -= low;
      for (WordList* const list : {&stage.active, &stage.landed, &stage.waiting}) {
        for (std::size_t i = 0; i < list->size; ++i) {
          list->memory[i] -= static_cast<std::uint32_t>(low) << 16;
        }
      }
    }
    return true;
  }

  /// Hands over the points of the rows before `to`; false when no more are wanted.
  bool hand_over(std::int32_t to) {
    WordList& across = window_.lists->across;
    WordList& along = window_.lists->along;
    across.reserve_more(static_cast<std::size_t>(window_.width));
    along.reserve_more(static_cast<std::size_t>(window_.width));
    for (; handed_ < to; ++handed_) {
      const std::size_t count = list_points(window_, handed_, across.memory.data(), along.memory.data());
      if (!window_.take_row(window_.taker, across.memory.data(), along.memory.data(), count)) {
        return false;
      }
    }
    return true;
  }

  KernelWindow window_;
  std::array<KernelLists::Stage, kStages>& stages_;
  StageWork work_;
  std::int32_t top_ = 0;     ///< rows below have their first darts
  std::int32_t handed_ = 0;  ///< rows below are handed over
};
