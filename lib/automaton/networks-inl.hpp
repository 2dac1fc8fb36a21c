// Boolean networks of rules over a `Simd` in the enclosing namespace. Textual: no guard, no namespace, so
// that every instruction set gets functions of its own; included by wave_*.cpp after Simd is defined.
//
// Simd has: V, kLanes, load, store, splat, add(a, b, c, sum, carry), select(mask, a, b), logic<table>(x, y,
// z), shl<k>, shr<k>, rotl<k>, lanes_up, lanes_down, bit_and, bit_or, bit_xor, and_not(a, b) = ~a & b,
// day_and_night.

/// Sum of nine cells, T = a0 + 2 (a1 + b0) + 4 b1, and the centre.
struct Counts {
  typename Simd::V c, a0, a1, b0, b1;
};

/// Day & Night: one majority of nine inputs, of which the centre counts against its neighbours' pairs.
struct DayAndNightNetwork {
  STREW_ALWAYS_INLINE explicit DayAndNightNetwork(AutomatonRule) {}
  STREW_ALWAYS_INLINE typename Simd::V operator()(const Counts& n) const {
    return Simd::day_and_night(n.c, n.a0, n.a1, n.b0, n.b1);
  }
};

/// Any rule known at compile time: six three-input functions.
template <std::uint16_t kBirth, std::uint16_t kSurvival>
struct FixedNetwork {
  static constexpr RuleTables kTables = rule_tables({kBirth, kSurvival});
  STREW_ALWAYS_INLINE explicit FixedNetwork(AutomatonRule) {}
  STREW_ALWAYS_INLINE typename Simd::V operator()(const Counts& n) const {
    const auto x1 = Simd::template logic<kTables.x1>(n.c, n.a0, n.a1);
    const auto x0 = Simd::template logic<kTables.x0>(n.c, n.a0, n.a1);
    const auto u = Simd::template logic<kTables.u>(n.c, n.a0, n.b1);
    return Simd::select(Simd::bit_xor(n.a1, n.b0), u, Simd::select(n.b1, x1, x0));
  }
};

/// Any rule at run time: for each pair of totals a constant per state of the centre, chosen by a tree.
class RuntimeNetwork {
  using V = typename Simd::V;

 public:
  STREW_ALWAYS_INLINE explicit RuntimeNetwork(AutomatonRule rule) {
    for (unsigned total = 0; total < 10; ++total) {
      const std::uint64_t dead = lives(rule, false, total) ? ~std::uint64_t{0} : 0;
      const std::uint64_t living = lives(rule, true, total) ? ~std::uint64_t{0} : 0;
      Simd::store(dead_[total], Simd::splat(dead));
      Simd::store(change_[total], Simd::splat(dead ^ living));
    }
  }
  STREW_ALWAYS_INLINE V operator()(const Counts& n) const {
    // pair(k): the answer for T = 2 k + a0.
    const V q0 = pair(n, 0);
    const V q1 = pair(n, 1);
    const V q2 = pair(n, 2);
    const V q3 = pair(n, 3);
    const V q4 = pair(n, 4);
    const V odd = Simd::select(n.b1, q3, q1);
    const V even = Simd::select(n.b1, Simd::select(n.a1, q4, q2), Simd::select(n.a1, q2, q0));
    return Simd::select(Simd::bit_xor(n.a1, n.b0), odd, even);
  }

 private:
  STREW_ALWAYS_INLINE V at(const Counts& n, unsigned total) const {
    // dead ^ (c & change)
    return Simd::template logic<0x78>(Simd::load(dead_[total]), n.c, Simd::load(change_[total]));
  }
  STREW_ALWAYS_INLINE V pair(const Counts& n, unsigned k) const {
    return Simd::select(n.a0, at(n, 2 * k + 1), at(n, 2 * k));
  }
  alignas(64) std::uint64_t dead_[10][Simd::kLanes];
  alignas(64) std::uint64_t change_[10][Simd::kLanes];
};
