// The order of work in a window, whatever the vectors: included inside the namespace of a kernel, which has
// defined Redraw, scan_due, scan_rest, take_due, append, earliest, land, cover and prefetch_cover.

class Stages {
 public:
  explicit Stages(const KernelWindow& window)
      : window_(window), lists_(*window.lists), chords_(row_chords()), redraw_(window) {}

  bool run() {
    first_darts(window_);
    // The first stages hold much of the window: they are collected by a scan of all clocks, the rest from a
    // list of what is left.
    end_ = kFirstStageEnd;
    for (std::size_t stage = 0; stage < kScannedStages; ++stage) {
      shrink(stage);
      scan_due(window_, box_, begin_, end_, lists_);
      if (!run_stage()) {
        return false;
      }
      next_stage();
    }
    listing_ = true;
    scan_rest(window_, box_, begin_, lists_);
    for (std::size_t stage = kScannedStages; lists_.later.size > 0; ++stage) {
      shrink(stage);
      take_due(window_, box_, end_, lists_);
      if (!run_stage()) {
        return false;
      }
      next_stage();
    }
    return true;
  }

 private:
  static constexpr std::size_t kScannedStages = 5;  // to time 2

  void next_stage() {
    begin_ = end_;
    end_ += end_;
  }

  /// Leaves out the cells that are too far from the core to matter to it from this stage on, as if they were
  /// unknown. The distances are experience, and never wrong: when they are too short for a place, a cell of
  /// the core turns out unknown, and the block is evaluated again with a wider halo.
  void shrink(std::size_t stage) {
    constexpr std::int32_t kReach[] = {32, 28, 25, 22, 19, 17, 15, 13, 12, 11, 10, 9, 8};
    constexpr std::size_t kReaches = sizeof kReach / sizeof kReach[0];
    const std::int32_t share = kReach[stage < kReaches ? stage : kReaches - 1];
    const std::int32_t reach = window_.core.x0 * share / kReach[0];
    box_ = {larger(2, window_.core.x0 - reach), larger(2, window_.core.y0 - reach),
            smaller(window_.width - 2, window_.core.x1 + reach),
            smaller(window_.height - 2, window_.core.y1 + reach)};
    redraw_.note_unknown_depth(smaller(box_.x0, box_.y0) - 1);
  }

  static std::int32_t smaller(std::int32_t a, std::int32_t b) noexcept { return a < b ? a : b; }
  static std::size_t smaller_size(std::size_t a, std::size_t b) noexcept { return a < b ? a : b; }
  static std::int32_t larger(std::int32_t a, std::int32_t b) noexcept { return a > b ? a : b; }

  [[nodiscard]] std::ptrdiff_t index(std::uint32_t packed) const noexcept {
    return cell_index(window_, packed);
  }

  /// Rounds until nothing in the stage moves; false when a cell of the core is left unknown.
  bool run_stage() {
    lists_.landed.size = 0;
    bool progress = true;
    while (progress) {
      if (!replace_dead()) {
        return false;
      }
      progress = land_earliest();
    }
    for (std::size_t i = 0; i < lists_.active.size; ++i) {
      if (window_.core.contains(lists_.active.memory[i])) {
        return false;
      }
      redraw_.note_unknown(lists_.active.memory[i]);
    }
    constexpr std::size_t kAhead = 4;
    for (std::size_t i = 0; i < lists_.landed.size; ++i) {
      if (i + kAhead < lists_.landed.size) {
        prefetch_cover(window_, chords_, index(lists_.landed.memory[i + kAhead]));
      }
      cover(window_, chords_, index(lists_.landed.memory[i]));
    }
    return true;
  }

  /// Replaces the darts of the dead list until none in this stage is dead. False when one in the core is
  /// unknown.
  bool replace_dead() {
    WordList& dead = lists_.dead;
    while (dead.size > 0) {
      lists_.active.reserve_more(dead.size);
      lists_.later.reserve_more(dead.size);
      std::size_t again = 0;
      for (std::size_t first = 0; first < dead.size; first += Redraw::kBatch) {
        const std::size_t count = smaller_size(dead.size - first, Redraw::kBatch);
        if (!redraw_.replace(dead.memory.data() + first, count, begin_, end_, listing_, again)) {
          return false;
        }
      }
      dead.size = again;
    }
    return true;
  }

  /// Lands the active darts that no dart around is earlier than, and lists the dead; true when there was
  /// either.
  bool land_earliest() {
    WordList& active = lists_.active;
    WordList& landed = lists_.landed;
    WordList& dead = lists_.dead;
    landed.reserve_more(active.size);
    dead.reserve_more(active.size);
    const std::size_t before = active.size;
    const std::size_t landed_before = landed.size;
    // First all questions, without a branch, then all landings: two darts that are the earliest around are no
    // neighbours, so none of them changes the answer of another.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t packed = active.memory[i];
      const std::ptrdiff_t cell = index(packed);
      const bool lost = (window_.position[cell] & kDead) != 0;
      const bool first = earliest(window_, cell);
      dead.memory[dead.size] = packed;
      dead.size += lost ? 1 : 0;
      landed.memory[landed.size] = packed;
      landed.size += static_cast<std::size_t>(!lost & first);
      active.memory[kept] = packed;
      kept += static_cast<std::size_t>(!lost & !first);
    }
    for (std::size_t i = landed_before; i < landed.size; ++i) {
      land(window_, index(landed.memory[i]));
    }
    active.size = kept;
    return kept != before;
  }

  const KernelWindow& window_;
  KernelLists& lists_;
  const RowChords& chords_;
  Redraw redraw_;
  float begin_ = 0;
  float end_ = 0;
  WindowRect box_;  ///< the cells that are still evaluated
  bool listing_ = false;
};
