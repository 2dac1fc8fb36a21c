// One stage of the rain, over the rows that have entered it, whatever the vectors: included inside the
// namespace of a kernel, which has defined Redraw, scan_due, scan_rest, take_waiting, sort_taken,
// test_darts, ask_darts, land_piece, cover_piece and earliest, and included tiled_border-inl.hpp.

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
      lists_.taken.reserve_more(0);  // a vector past the last is read and written
      if (!take_in(stage, late)) {
        return false;
      }
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

  /// Calls piece(cells, count) for all of a list, kPiece at most at a time.
  template <class Piece>
  static void each_piece(const WordList& list, const Piece& piece) {
    for (std::size_t first = 0; first < list.size; first += kPiece) {
      const std::size_t left = list.size - first;
      piece(list.memory.data() + first, left < kPiece ? left : kPiece);
    }
  }
  [[nodiscard]] std::ptrdiff_t index(std::uint32_t packed) const noexcept {
    return cell_index(window_, packed);
  }

  /// Takes in the cells that have come into the stage, a piece at a time, so that what is read of a cell is
  /// still near when its dart is replaced. False when one in the core is unknown.
  [[nodiscard]] bool take_in(Stage& stage, bool late) {
    const WordList& taken = lists_.taken;
    for (std::size_t first = 0; first < taken.size; first += kPiece) {
      const std::size_t left = taken.size - first;
      test_taken(stage, lists_.taken.memory.data() + first, left < kPiece ? left : kPiece, late);
      while (lists_.dead.size >= Redraw::kBatch) {
        if (!replace_last()) {
          return false;
        }
      }
    }
    return true;
  }

  /// Tests the darts of `count` cells that were drawn on what an older stage left against the points of now:
  /// lost ones are to be replaced, in the late stage when their time comes.
  [[gnu::noinline]] void test_taken(Stage& stage, std::uint32_t* cells, std::size_t count, bool late) {
    WordList& dead = lists_.dead;
    WordList& active = stage.active;
    dead.reserve_more(count);
    active.reserve_more(dead.size + count);
    const std::size_t left = sort_taken(window_, cells, count, dead, active);
    test_darts(window_, cells, left, dead, active);
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
  [[nodiscard]] bool replace_dead() {
    while (lists_.dead.size > 0) {
      if (!replace_last()) {
        return false;
      }
    }
    return true;
  }
  /// Replaces the darts of the last cells of the dead list, those that are lost again stay in it.
  [[nodiscard]] bool replace_last() {
    WordList& dead = lists_.dead;
    const std::size_t count = dead.size < Redraw::kBatch ? dead.size : Redraw::kBatch;
    const std::size_t first = dead.size - count;
    std::size_t again = first;
    if (!redraw_.replace(dead.memory.data() + first, count, again)) {
      return false;
    }
    dead.size = again;
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
    const std::size_t before = active.size;
    std::uint32_t* const cells = active.memory.data();
    std::size_t kept = 0;
    // First all questions of a piece, without a branch, then all landings: of two darts in conflict the later
    // one waits, so no landing changes the answer of another.
    for (std::size_t first = 0; first < before; first += kPiece) {
      const std::size_t left = before - first;
      const std::size_t landed_before = landed.size;
      kept += ask_darts(window_, cells + first, left < kPiece ? left : kPiece, dead, landed, cells + kept);
      land_piece(window_, landed.memory.data() + landed_before, landed.size - landed_before);
    }
    active.size = kept;
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
    each_piece(landed,
               [&](const std::uint32_t* cells, std::size_t count) { land_piece(window_, cells, count); });
    each_piece(landed, [&](const std::uint32_t* cells, std::size_t count) {
      cover_piece(window_, chords_, cells, count);
    });
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
    each_piece(ready, [&](const std::uint32_t* cells, std::size_t count) {
      cover_piece(window_, chords_, cells, count);
    });
  }

  const KernelWindow& window_;
  KernelLists& lists_;
  const RowChords& chords_;
  Redraw redraw_;
};
