// One stage of the rain, over the rows that have entered it, whatever the vectors: included inside the
// namespace of a kernel, which has defined Redraw, scan_due, scan_rest, take_waiting, sort_taken,
// test_darts, ask_darts, take_where, earliest, land and cover, and included tiled_border-inl.hpp.

inline std::int32_t smaller(std::int32_t a, std::int32_t b) noexcept {
  return a < b ? a : b;
}
inline std::int32_t larger(std::int32_t a, std::int32_t b) noexcept {
  return a > b ? a : b;
}

class StageWork {
 public:
  explicit StageWork(const KernelWindow& window)
      : window_(window), lists_(*window.lists), chords_(row_chords()), redraw_(window) {}

  /// Lets the rows before `to` enter a stage, and decides what can be decided in it. False when a cell of the
  /// core is left unknown.
  bool advance(std::size_t number, std::int32_t to) {
    Stage& stage = lists_.stages[number];
    if (to <= stage.entered && stage.active.size == 0) {
      return true;
    }
    if (number > 0) {
      stage.unknown_depth = larger(stage.unknown_depth, lists_.stages[number - 1].unknown_depth);
    }
    const bool late = number == kLateStage;
    redraw_.enter(number);
    lists_.dead.size = 0;
    lists_.taken.size = 0;
    if (to > stage.entered) {
      if (number < kListedStage) {
        // In the first stage no dart is lost or to be tested, and nothing is covered yet.
        scan_due(window_, stage, to, number, number == 0 ? stage.active : lists_.taken);
      } else {
        if (number == kListedStage) {
          scan_rest(window_, stage, to, number, lists_);
        }
        take_waiting(stage, to, stage.waiting, lists_.taken);
      }
      stage.entered = to;
      test_taken(stage, late);
    }
    do {
      if (!replace_dead()) {
        return false;
      }
    } while (late ? act_earliest(stage) : land_earliest(stage));
    if (!settle_unknown(stage)) {
      return false;
    }
    cover_points(stage);
    return true;
  }

 private:
  using Stage = KernelLists::Stage;

  /// Room for an answer of each of `count` cells.
  [[nodiscard]] std::uint32_t* answers_to(std::size_t count) {
    lists_.answers.size = 0;
    lists_.answers.reserve_more(count);
    return lists_.answers.memory.data();
  }
  [[nodiscard]] std::ptrdiff_t index(std::uint32_t packed) const noexcept {
    return cell_index(window_, packed);
  }

  /// Tests the darts that were drawn on what an older stage left against the points of now: lost ones are to
  /// be replaced, in the late stage when their time comes.
  [[gnu::noinline]] void test_taken(Stage& stage, bool late) {
    WordList& taken = lists_.taken;
    WordList& dead = lists_.dead;
    WordList& active = stage.active;
    dead.reserve_more(taken.size);
    active.reserve_more(dead.size + taken.size);
    taken.reserve_more(0);  // a vector past the last is read and written
    sort_taken(window_, taken, dead, active);
    const std::uint32_t* const cells = taken.memory.data();
    std::uint32_t* const answers = answers_to(taken.size);
    test_darts(window_, cells, taken.size, answers);
    dead.size += take_where(cells, answers, taken.size, kLost, dead.memory.data() + dead.size);
    active.size += take_where(cells, answers, taken.size, kMayLand, active.memory.data() + active.size);
    if (late) {
      for (std::size_t i = 0; i < dead.size; ++i) {
        window_.position[index(dead.memory[i])] |= kDead;
        active.push(dead.memory[i]);
      }
      dead.size = 0;
    }
  }

  /// Replaces the darts of the dead list until none in this stage is dead. False when one in the core is
  /// unknown.
  bool replace_dead() {
    WordList& dead = lists_.dead;
    while (dead.size > 0) {
      std::size_t again = 0;
      for (std::size_t first = 0; first < dead.size; first += Redraw::kBatch) {
        const std::size_t left = dead.size - first;
        if (!redraw_.replace(dead.memory.data() + first, left < Redraw::kBatch ? left : Redraw::kBatch,
                             again)) {
          return false;
        }
      }
      dead.size = again;
    }
    return true;
  }

  /// Lands the active darts that no dart in their reach is earlier than, and lists the dead; true when there
  /// was either.
  [[gnu::noinline]] bool land_earliest(Stage& stage) {
    WordList& active = stage.active;
    WordList& landed = stage.landed;
    WordList& dead = lists_.dead;
    landed.reserve_more(active.size);
    dead.reserve_more(active.size);
    const KernelWindow window = window_;
    const std::size_t before = active.size;
    const std::size_t landed_before = landed.size;
    std::uint32_t* const cells = active.memory.data();
    std::uint32_t* const answers = answers_to(before);
    // First all questions, without a branch, then all landings: of two darts in conflict the later one waits,
    // so no landing changes the answer of another.
    ask_darts(window, cells, before, answers);
    dead.size += take_where(cells, answers, before, kLost, dead.memory.data() + dead.size);
    landed.size += take_where(cells, answers, before, kMayLand, landed.memory.data() + landed.size);
    active.size = take_where(cells, answers, before, kMustWait, cells);
    for (std::size_t i = landed_before; i < landed.size; ++i) {
      land(window, cell_index(window, landed.memory[i]));
    }
    return active.size != before;
  }

  /// The same in the late stage, where what a dart is replaced by depends on all earlier points: only a cell
  /// that no dart around is earlier than may do anything, and points cover at once.
  [[gnu::noinline]] bool act_earliest(Stage& stage) {
    WordList& active = stage.active;
    WordList& landed = stage.landed;
    WordList& dead = lists_.dead;
    landed.reserve_more(active.size);
    dead.reserve_more(active.size);
    const KernelWindow window = window_;
    const std::size_t before = active.size;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t packed = active.memory[i];
      const std::ptrdiff_t cell = cell_index(window, packed);
      if (window.covered[cell] == ~std::uint64_t{0}) {
        window.clock[cell] = __builtin_huge_valf();
        continue;
      }
      const bool lost = (window.position[cell] & kDead) != 0;
      const bool first = earliest(window, cell);
      dead.memory[dead.size] = packed;
      dead.size += static_cast<std::size_t>(lost & first);
      landed.memory[landed.size] = packed;
      landed.size += static_cast<std::size_t>(!lost & first);
      active.memory[kept] = packed;
      kept += static_cast<std::size_t>(!first);
    }
    for (std::size_t i = 0; i < landed.size; ++i) {
      land(window, cell_index(window, landed.memory[i]));
    }
    for (std::size_t i = 0; i < landed.size; ++i) {
      cover(window, chords_, cell_index(window, landed.memory[i]));
    }
    landed.size = 0;
    active.size = kept;
    return kept != before;
  }

  /// Sorts out the darts that nothing moves any more: one that waits for an unknown cell is unknown for ever;
  /// false when it is in the core. The others wait for rows to come.
  [[gnu::noinline]] bool settle_unknown(Stage& stage) {
    WordList& active = stage.active;
    for (bool changed = true; changed;) {
      std::size_t kept = 0;
      for (std::size_t i = 0; i < active.size; ++i) {
        const std::uint32_t packed = active.memory[i];
        if (border_depth(window_, packed) > stage.unknown_depth + 2 || !waits_for_unknown(stage, packed)) {
          active.memory[kept++] = packed;
        } else if (!mark_unknown(window_, stage, packed)) {
          return false;
        }
      }
      changed = kept != active.size;
      active.size = kept;
    }
    constexpr std::int32_t kAll = 1 << 30;
    std::int32_t resolved = stage.entered == stage.limit && active.size == 0 ? kAll : stage.entered;
    for (std::size_t i = 0; i < active.size; ++i) {
      resolved = smaller(resolved, static_cast<std::int32_t>(active.memory[i] >> 16));
    }
    stage.resolved = resolved;
    return true;
  }

  /// Whether a cell's dart waits for that of a cell whose fate is unknown: one that is marked so, or takes no
  /// part in the stage.
  [[nodiscard]] bool waits_for_unknown(const Stage& stage, std::uint32_t packed) const {
    const auto x = static_cast<std::int32_t>(packed & 0xFFFFU);
    const auto y = static_cast<std::int32_t>(packed >> 16);
    const std::ptrdiff_t cell = index(packed);
    for (const CellOffset offset : kNeighbours) {
      const std::ptrdiff_t other = cell + offset.y * window_.stride + offset.x;
      const bool precedes = offset.y < 0 || (offset.y == 0 && offset.x < 0);
      const bool earlier = window_.clock[other] < window_.clock[cell] ||
                           (window_.clock[other] == window_.clock[cell] && precedes);
      const bool takes_part = x + offset.x >= stage.x0 && x + offset.x < stage.x1 &&
                              y + offset.y >= stage.first && y + offset.y < stage.limit;
      if (earlier && (!takes_part || (window_.position[other] & kUnknown) != 0)) {
        return true;
      }
    }
    return false;
  }

  /// Adds what the points cover whose discs reach only rows with nothing left to decide in the stage.
  [[gnu::noinline]] void cover_points(Stage& stage) {
    WordList& landed = stage.landed;
    WordList& ready = lists_.taken;
    ready.size = 0;
    ready.reserve_more(landed.size);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < landed.size; ++i) {
      const std::uint32_t packed = landed.memory[i];
      const bool is_ready = static_cast<std::int32_t>(packed >> 16) + 2 < stage.resolved;
      landed.memory[kept] = packed;
      kept += static_cast<std::size_t>(!is_ready);
      ready.memory[ready.size] = packed;
      ready.size += static_cast<std::size_t>(is_ready);
    }
    landed.size = kept;
    const KernelWindow window = window_;
    for (std::size_t i = 0; i < ready.size; ++i) {
      cover(window, chords_, cell_index(window, ready.memory[i]));
    }
  }

  const KernelWindow& window_;
  KernelLists& lists_;
  const RowChords& chords_;
  Redraw redraw_;
};
