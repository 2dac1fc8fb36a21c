// The wave: several generations in one pass over a strip, over a `Simd` in the enclosing namespace. Textual,
// as networks-inl.hpp, which goes before it.
//
// Layout of a strip's row, V = 2^log_v vectors of N words: cell x = 64 (N i + j) + V l + v lies in vector v,
// lane j, bit V l + i. The left and right neighbours of a cell are then the same bit of the adjacent vectors,
// and only the outermost vectors need a shift: all positions move on by one. The layout is made from
// row-major words by exchanging the log_v lowest bits of the bit number with those of the vector number, its
// own inverse.
//
// Rows stream through: when a row of generation g is made, generation g + 1 has what it needs for the row
// below. Each generation keeps two rows of history; all of it stays in the first-level cache.

template <int kLogV>
struct Strip {
  using V = typename Simd::V;
  static constexpr int kVectors = 1 << kLogV;
  static constexpr std::ptrdiff_t kN = Simd::kLanes;
  static constexpr std::ptrdiff_t kWords = kN << kLogV;

  /// Exchanges bit numbers and vector numbers.
  static STREW_ALWAYS_INLINE void exchange(V* r) {
    if constexpr (Simd::kRotates) {
      // Stage k exchanges bit k of the two numbers between vectors i and i | 2^k, which is two shifts and two
      // selections. With vector i held rotated by i bits throughout, the shifts vanish and only the masks
      // rotate.
      rotate<1>(r);
      exchange_rotated<0>(r);
      exchange_rotated<1>(r);
      exchange_rotated<2>(r);
      exchange_rotated<3>(r);
      rotate_back<1>(r);
    } else {
      exchange_shifted<0>(r);
      exchange_shifted<1>(r);
      exchange_shifted<2>(r);
      exchange_shifted<3>(r);
      exchange_shifted<4>(r);
      exchange_shifted<5>(r);
    }
  }
  template <int kIndex>
  static STREW_ALWAYS_INLINE void rotate(V* r) {
    if constexpr (kIndex < kVectors) {
      r[kIndex] = Simd::template rotl<kIndex>(r[kIndex]);
      rotate<kIndex + 1>(r);
    }
  }
  template <int kIndex>
  static STREW_ALWAYS_INLINE void rotate_back(V* r) {
    if constexpr (kIndex < kVectors) {
      r[kIndex] = Simd::template rotl<64 - kIndex>(r[kIndex]);
      rotate_back<kIndex + 1>(r);
    }
  }
  /// Bits whose number has bit k clear.
  static constexpr std::uint64_t clear_mask(int k) {
    return ~std::uint64_t{0} / ((std::uint64_t{1} << (1 << k)) + 1);
  }
  template <int kBit>
  static STREW_ALWAYS_INLINE void exchange_rotated(V* r) {
    static_assert(kLogV <= 4);
    if constexpr (kBit < kLogV) {
      constexpr int kShift = 1 << kBit;
      constexpr std::uint64_t kClear = clear_mask(kBit);
      STREW_UNROLL
      for (int i = 0; i < kVectors; ++i) {
        if ((i & kShift) == 0) {
          const int turn = i % kShift;  // rotations by multiples of 2 kShift leave the mask as it is
          const V mask = Simd::splat(turn == 0 ? kClear : (kClear << turn) | (kClear >> (64 - turn)));
          const V a = r[i];
          const V b = r[i | kShift];
          r[i] = Simd::select(mask, a, b);
          r[i | kShift] = Simd::select(mask, b, a);
        }
      }
    }
  }
  template <int kBit>
  static STREW_ALWAYS_INLINE void exchange_shifted(V* r) {
    if constexpr (kBit < kLogV) {
      constexpr int kShift = 1 << kBit;
      const V mask = Simd::splat(clear_mask(kBit));
      for (int i = 0; i < kVectors; ++i) {
        if ((i & kShift) == 0) {
          const V a = r[i];
          const V b = r[i | kShift];
          const V change = Simd::bit_and(Simd::bit_xor(Simd::template shr<kShift>(a), b), mask);
          r[i] = Simd::bit_xor(a, Simd::template shl<kShift>(change));
          r[i | kShift] = Simd::bit_xor(b, change);
        }
      }
    }
  }

  /// From row-major words to the layout.
  static STREW_ALWAYS_INLINE void enter(const std::uint64_t* words, std::uint64_t* row) {
    V r[kVectors];
    STREW_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      r[i] = Simd::load_unaligned(words + i * kN);
    }
    exchange(r);
    STREW_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      Simd::store(row + i * kN, r[i]);
    }
  }
  /// From the layout to the grid, the words kept alone: strips write side by side. `done`: room for a row.
  static STREW_ALWAYS_INLINE void leave(const std::uint64_t* row, const RowSink& sink, std::int64_t y,
                                        std::uint64_t* done) {
    std::uint64_t* const to = sink.origin + (y - sink.y0) * sink.stride;
    V r[kVectors];
    STREW_UNROLL
    for (int i = 0; i < kVectors; ++i) {
      r[i] = Simd::load(row + i * kN);
    }
    exchange(r);
    const std::int64_t end = sink.skipped + sink.kept;
    if (sink.skipped <= kN && end >= kWords - kN) {
      STREW_UNROLL
      for (int i = 1; i + 1 < kVectors; ++i) {
        Simd::store_unaligned(to + i * kN, r[i]);
      }
      Simd::store(done, r[0]);
      Simd::store(done + kWords - kN, r[kVectors - 1]);
      copy(done, sink.skipped, kN, to);
      copy(done, kWords - kN, end, to);
    } else {
      STREW_UNROLL
      for (int i = 0; i < kVectors; ++i) {
        Simd::store(done + i * kN, r[i]);
      }
      copy(done, sink.skipped, end, to);
    }
    to[end - 1] &= sink.last_mask;
  }
  static STREW_ALWAYS_INLINE void copy(const std::uint64_t* from, std::int64_t first, std::int64_t end,
                                       std::uint64_t* to) {
    for (std::int64_t w = first; w < end; ++w) {
      to[w] = from[w];
    }
  }

  /// The vectors before the first and after the last.
  static STREW_ALWAYS_INLINE void close(std::uint64_t* row) {
    Simd::store(row - kN, Simd::template next_position<kLogV>(Simd::load(row + (kVectors - 1) * kN)));
    Simd::store(row + kVectors * kN, Simd::template previous_position<kLogV>(Simd::load(row)));
  }

  template <class Network>
  static STREW_ALWAYS_INLINE void step(const Network& network, const std::uint64_t* up,
                                       const std::uint64_t* mid, const std::uint64_t* down,
                                       std::uint64_t* out) {
    V s[3];
    V m[3];
    V centre[2];
    column(up - kN, mid - kN, down - kN, s[0], m[0], centre[0]);
    column(up, mid, down, s[1], m[1], centre[0]);
    STREW_UNROLL
    for (int v = 0; v < kVectors; ++v) {
      const std::ptrdiff_t at = v * kN;
      column(up + at + kN, mid + at + kN, down + at + kN, s[2], m[2], centre[1]);
      Counts n;
      n.c = centre[0];
      Simd::add(s[0], s[1], s[2], n.a0, n.b0);
      Simd::add(m[0], m[1], m[2], n.a1, n.b1);
      Simd::store(out + at, network(n));
      s[0] = s[1];
      m[0] = m[1];
      s[1] = s[2];
      m[1] = m[2];
      centre[0] = centre[1];
    }
  }
  static STREW_ALWAYS_INLINE void column(const std::uint64_t* up, const std::uint64_t* mid,
                                         const std::uint64_t* down, V& sum, V& carry, V& centre) {
    centre = Simd::load_once(mid);
    Simd::add(Simd::load_once(up), centre, Simd::load_once(down), sum, carry);
  }

  /// Cells outside the grid keep the border's state.
  static void keep_border(const std::uint64_t* mask, V border, std::uint64_t* row) {
    for (int v = 0; v < kVectors; ++v) {
      Simd::store(row + v * kN, Simd::select(Simd::load(mask + v * kN), Simd::load(row + v * kN), border));
    }
  }
  static void all_border(V border, std::uint64_t* row) {
    for (int v = -1; v <= kVectors; ++v) {
      Simd::store(row + v * kN, border);
    }
  }

  /// Lines of the rows to come, asked for a few at a time between generations: all at once they would fill
  /// the processor's buffers for misses, and everything would wait. A strip's rows lie too far apart for the
  /// processor to foresee them.
  class Ahead {
   public:
    STREW_ALWAYS_INLINE Ahead(const WaveJob& job, std::int64_t y) : read_(job.memory), write_(job.memory) {
      const std::int64_t source = y + 8;
      const std::int64_t sink = y - job.depth + 3;
      if (job.source.origin != nullptr && source >= job.source.low && source < job.source.high) {
        read_ = job.source.origin + (source - job.source.low) * job.source.stride;
      }
      if (sink >= job.sink.y0 && sink < job.sink.y0 + job.sink.rows) {
        write_ = job.sink.origin + (sink - job.sink.y0) * job.sink.stride;
      }
    }
    STREW_ALWAYS_INLINE void prefetch(int lines) {
      for (int i = 0; i < lines; ++i) {
        STREW_PREFETCH_READ(read_);
        STREW_PREFETCH_WRITE(write_);
        read_ += 8;
        write_ += 8;
      }
    }

   private:
    const std::uint64_t* read_;
    const std::uint64_t* write_;
  };

  template <class Network>
  static STREW_NOINLINE void run(const WaveJob& job) {
    const Network network(job.rule);
    const V border = Simd::splat(job.border);
    constexpr std::size_t kRow = (wave_row_words(Simd::kLanes, kLogV) + 7) / 8 * 8;
    // Rows are named by the address of vector 0, which is a vector behind the start.
    std::uint64_t* at = job.memory + kN;
    const auto take = [&at]() {
      std::uint64_t* const row = at;
      at += kRow;
      return row;
    };
    std::uint64_t* const scratch = take() - kN;
    std::uint64_t* const done = take() - kN;
    std::uint64_t* const mask = take();
    if (job.mask != nullptr) {
      enter(job.mask, mask);
    }
    constexpr int kMaxDepth = 64;
    std::uint64_t* older[kMaxDepth];
    std::uint64_t* newer[kMaxDepth];
    for (int g = 0; g < job.depth; ++g) {
      older[g] = take();
      newer[g] = take();
    }
    std::uint64_t* fresh = take();
    std::uint64_t* spare = take();
    const std::int64_t first = job.y0 - job.depth;
    const std::int64_t last = job.y1 + job.depth;
    const int lines_per_step = static_cast<int>((kWords / 8 + job.depth) / job.depth);
    for (std::int64_t y = first; y < last; ++y) {
      Ahead ahead(job, y);
      enter(job.source.row(job.source.self, y, scratch), fresh);
      close(fresh);
      for (int g = 0; g < job.depth; ++g) {
        ahead.prefetch(lines_per_step);
        // fresh: row y - g of generation g. Row y - g - 1 of generation g + 1 follows from it.
        const std::int64_t row = y - g - 1;
        const bool known = row > first + g;
        if (known) {
          if (row < job.row_low || row >= job.row_high) {
            all_border(border, spare);
          } else {
            step(network, older[g], newer[g], fresh, spare);
            if (job.mask != nullptr) {
              keep_border(mask, border, spare);
            }
            close(spare);
          }
        }
        std::uint64_t* const free = older[g];
        older[g] = newer[g];
        newer[g] = fresh;
        fresh = spare;
        spare = free;
        if (!known) {
          break;
        }
        if (g + 1 == job.depth) {
          leave(fresh, job.sink, row, done);
        }
      }
    }
  }
};

template <int kLogV>
void run_strip(const WaveJob& job) {
  if (job.rule == kDayAndNight) {
    Strip<kLogV>::template run<DayAndNightNetwork>(job);
  } else if (job.rule == kLife) {
    Strip<kLogV>::template run<FixedNetwork<kLife.birth, kLife.survival>>(job);
  } else if (job.rule == kCaves) {
    Strip<kLogV>::template run<FixedNetwork<kCaves.birth, kCaves.survival>>(job);
  } else {
    Strip<kLogV>::template run<RuntimeNetwork>(job);
  }
}

/// 128 words where vectors are wide enough, 64 V words otherwise.
constexpr int kMaxLogV = Simd::kLanes >= 8 ? 4 : Simd::kLanes >= 4 ? 5 : 6;

void run_wave(const WaveJob& job) {
  if (job.log_v == kMaxLogV) {
    run_strip<kMaxLogV>(job);
  } else {
    run_strip<kMaxLogV - 2>(job);
  }
}
