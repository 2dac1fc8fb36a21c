// The dart after a lost one in vectors of xsimd: included inside the namespace of a unit by
// tiled_xsimd-inl.hpp.

/// The dart after a lost one: next_dart of the reference.
class Redraw {
 public:
  explicit Redraw(const KernelWindow& window) : window_(window), squares_(window.lists->squares) {}

  static constexpr std::size_t kBatch = 256;
  /// The stage that darts are replaced in.
  void enter(std::size_t stage) {
    stage_ = stage;
    end_ = kEnds[stage];
  }

  /// Replaces the lost darts of `count` cells, and puts each cell in the list it belongs to: the active ones
  /// of the stage; the dead ones, of which `again` stand already; those waiting for a later stage, if the
  /// rows have come to the listed ones. False when it is not known what older stages left of a cell of the
  /// core.
  bool replace(const std::uint32_t* cells, std::size_t count, std::size_t& again) {
    KernelLists& lists = *window_.lists;
    KernelLists::Stage& stage = lists.stages[stage_];
    stage.active.reserve_more(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t packed = cells[i];
      if (border_depth(window_, packed) <= stage.unknown_depth + 2 && !surroundings_known(packed)) {
        if (!mark_unknown(window_, stage, packed)) {
          return false;
        }
        continue;
      }
      const std::ptrdiff_t cell = cell_index(window_, packed);
      begin(packed, window_.clock[cell]);
      dart_ = kDead;
      gather(cell);
      const bool found = find(~window_.covered[cell]);
      const bool lost = !found || covered(fresh_x_, fresh_y_, fresh_count_, dart_);
      window_.clock[cell] = time_;
      window_.position[cell] = dart_ | (lost ? kDead : 0U);
      if (time_ < end_) {
        (lost ? lists.dead.memory[again++] : stage.active.memory[stage.active.size++]) = packed;
      } else if (stage_ >= kListedStage && time_ < kNever) {
        lists.stages[stage_number(time_)].waiting.add(packed);
      }
    }
    return true;
  }

 private:
  static constexpr std::size_t kMostPoints = kNeighbours.size() + 16;
  static constexpr std::int32_t kFar = 4 * kCellSteps;

  [[nodiscard]] bool surroundings_known(std::uint32_t packed) const {
    const std::ptrdiff_t cell = cell_index(window_, packed);
    bool known = true;
    for (const CellOffset offset : kNeighbours) {
      known = known && window_.clock[cell + offset.y * window_.stride + offset.x] >= kBegins[stage_];
    }
    return known;
  }
  void begin(std::uint32_t packed, float time) {
    x_ = window_.x0 + static_cast<std::int64_t>(packed & 0xFFFFU);
    y_ = window_.y0 + static_cast<std::int64_t>(packed >> 16);
    entry_ = time;
    time_ = time;
  }
  static float gap_of(std::uint32_t count, std::int32_t side) {
    return kCellArea / (static_cast<float>(count) * static_cast<float>(side * side));
  }
  [[nodiscard]] float advanced(float gap, std::uint32_t wait) const {
    const float later = time_ + exact_exponential(wait) * gap;
    const float next = float_of(bits_of(time_) + 1U);
    return later < next ? next : later;
  }

  void gather(std::ptrdiff_t cell) {
    old_count_ = 0;
    fresh_count_ = 0;
    for (const CellOffset offset : kNeighbours) {
      const std::uint32_t word = window_.position[cell + offset.y * window_.stride + offset.x];
      if ((word & kIsPoint) != 0) {
        const bool fresh = (word & kIsFresh) != 0;
        std::size_t& count = fresh ? fresh_count_ : old_count_;
        (fresh ? fresh_x_ : old_x_)[count] =
            offset.x * kCellSteps + static_cast<std::int32_t>(word & 0x1FFFU);
        (fresh ? fresh_y_ : old_y_)[count] =
            offset.y * kCellSteps + static_cast<std::int32_t>((word >> 16) & 0x1FFFU);
        ++count;
      }
    }
    for (std::int32_t k = 0; k < kLanes; ++k) {
      old_x_[old_count_ + static_cast<std::size_t>(k)] = kFar;
      old_y_[old_count_ + static_cast<std::size_t>(k)] = kFar;
      fresh_x_[fresh_count_ + static_cast<std::size_t>(k)] = kFar;
      fresh_y_[fresh_count_ + static_cast<std::size_t>(k)] = kFar;
    }
  }
  static bool covered(const std::int32_t* xs, const std::int32_t* ys, std::size_t count, std::uint32_t dart) {
    const Ints x(static_cast<std::int32_t>(dart & 0x1FFFU));
    const Ints y(static_cast<std::int32_t>((dart >> 16) & 0x1FFFU));
    for (std::size_t i = 0; i < count; i += Ints::size) {
      const Ints dx = Ints::load_unaligned(xs + i) - x;
      const Ints dy = Ints::load_unaligned(ys + i) - y;
      if (xsimd::any(dx * dx + dy * dy < Ints(kRadiusSquared))) {
        return true;
      }
    }
    return false;
  }

  static std::uint32_t inside(std::uint32_t corner, std::int32_t side, std::uint32_t place) {
    const auto within = static_cast<std::uint32_t>(side - 1);
    return corner | (place & within) | (((place >> 10) & within) << 16);
  }
  /// The first draw, on the clear sub-squares; whether it hit.
  bool draw_first(std::uint64_t clear, std::uint32_t count) {
    const std::array<std::uint32_t, 2> drawn = dart_words(window_.keys, x_, y_, entry_, 0);
    time_ = advanced(gap_of(count, kSubSide), drawn[1]);
    for (std::uint32_t rank = draw_below(square_word(drawn[0], drawn[1]), count); rank > 0; --rank) {
      clear &= clear - 1;
    }
    dart_ = inside(corner(__builtin_ctzll(clear)), kSubSide, drawn[0]);
    return !covered(old_x_, old_y_, old_count_, dart_);
  }
  /// The volley of a level; whether one of its darts hit.
  bool fire(const WordList& parts, std::int32_t side, std::uint32_t level) {
    const auto count = static_cast<std::uint32_t>(parts.size);
    std::uint32_t places[kVolley];
    std::uint32_t choices[kVolley];
    volley_words(window_.keys, x_, y_, entry_, level, places, choices);
    float times[kVolley];
    volley_times(choices, time_, static_cast<float>(count) * static_cast<float>(side * side), times);
    for (std::size_t i = 0; i < kVolley; ++i) {
      time_ = times[i];
      dart_ = inside(parts.memory[draw_below(square_word(places[i], choices[i]), count)], side, places[i]);
      if (!covered(old_x_, old_y_, old_count_, dart_)) {
        return true;
      }
    }
    return false;
  }

  static std::uint32_t corner(std::int32_t bit) noexcept {
    return static_cast<std::uint32_t>((bit & 7) * kSubSide) |
           (static_cast<std::uint32_t>((bit >> 3) * kSubSide) << 16);
  }

  bool find(std::uint64_t clear) {
    const auto clear_count = static_cast<std::uint32_t>(__builtin_popcountll(clear));
    const bool hit = draw_first(clear, clear_count);
    if (time_ >= end_) {
      dart_ |= kUntested;
      return true;
    }
    if (hit || draws_again(clear_count, end_)) {
      return hit;
    }
    WordList* squares = &squares_[0];
    WordList* parts = &squares_[1];
    squares->size = 0;
    squares->reserve_more(64);
    for (std::uint64_t left = clear; left != 0; left &= left - 1) {
      squares->push(corner(__builtin_ctzll(left)));
    }
    std::uint32_t level = 0;
    for (std::int32_t side = kSubSide / 4;; side /= 4, ++level) {
      split(*squares, side, *parts);
      WordList* const swapped = squares;
      squares = parts;
      parts = swapped;
      if (squares->size == 0) {
        time_ = kNever;
        return false;
      }
      if (fire(*squares, side, level)) {
        return true;
      }
    }
  }

  /// The 4 x 4 parts of side `side` of each square that no single disc covers.
  void split(const WordList& squares, std::int32_t side, WordList& parts) const {
    parts.size = 0;
    parts.reserve_more(16 * squares.size);
    alignas(64) std::int32_t step_x[16];
    alignas(64) std::int32_t step_y[16];
    for (std::int32_t part = 0; part < 16; ++part) {
      step_x[part] = part % 4 * side;
      step_y[part] = part / 4 * side;
    }
    const std::int32_t half = side / 2;
    for (std::size_t s = 0; s < squares.size; ++s) {
      const auto x = static_cast<std::int32_t>(squares.memory[s] & 0x1FFFU);
      const auto y = static_cast<std::int32_t>(squares.memory[s] >> 16);
      for (std::int32_t i = 0; i < 16; i += kLanes) {
        const Ints middle_x = Ints::load_aligned(step_x + i) + Ints(x + half);
        const Ints middle_y = Ints::load_aligned(step_y + i) + Ints(y + half);
        Ints least(kRadiusSquared);
        for (std::size_t p = 0; p < old_count_; ++p) {
          const Ints dx = xsimd::abs(middle_x - Ints(old_x_[p])) + Ints(half);
          const Ints dy = xsimd::abs(middle_y - Ints(old_y_[p])) + Ints(half);
          least = xsimd::min(least, dx * dx + dy * dy);
        }
        alignas(64) std::int32_t nearest[kLanes];
        least.store_aligned(nearest);
        for (std::int32_t k = 0; k < kLanes; ++k) {
          if (nearest[k] == kRadiusSquared) {
            parts.push(static_cast<std::uint32_t>(x + step_x[i + k]) |
                       (static_cast<std::uint32_t>(y + step_y[i + k]) << 16));
          }
        }
      }
    }
  }

  const KernelWindow& window_;
  std::array<WordList, 2>& squares_;
  std::int32_t old_x_[kMostPoints];
  std::int32_t old_y_[kMostPoints];
  std::int32_t fresh_x_[kMostPoints];
  std::int32_t fresh_y_[kMostPoints];
  std::size_t old_count_ = 0;
  std::size_t fresh_count_ = 0;
  std::size_t stage_ = 0;
  std::int64_t x_ = 0;
  std::int64_t y_ = 0;
  float entry_ = 0;
  float time_ = 0;
  float end_ = 0;
  std::uint32_t dart_ = 0;
};
