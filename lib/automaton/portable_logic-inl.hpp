// Operations that follow from Simd's basic ones, for instruction sets without ternary logic. Textual, a base
// of Simd: `Derived` has V, kLanes, splat, bit_and, bit_or, bit_xor, and_not, shl, shr, rotl, lanes_up,
// lanes_down, first_lane(value), last_lane(value).

template <class Derived, class V>
struct PortableLogic {
  static constexpr bool kRotates = false;  ///< whether rotl is one instruction

  /// Full adder: five operations.
  static STREW_ALWAYS_INLINE void add(V a, V b, V c, V& sum, V& carry) {
    const V x = Derived::bit_xor(a, b);
    const V both = Derived::bit_and(a, b);
    sum = Derived::bit_xor(x, c);
    carry = Derived::bit_or(both, Derived::bit_and(x, c));
  }
  static STREW_ALWAYS_INLINE V majority(V a, V b, V c) {
    return Derived::bit_or(Derived::bit_and(a, b), Derived::bit_and(c, Derived::bit_or(a, b)));
  }
  /// majority(majority(a0, a1, b0), b1, c ^ a1 ^ b0).
  static STREW_ALWAYS_INLINE V day_and_night(V c, V a0, V a1, V b0, V b1) {
    const V p = Derived::bit_xor(a1, b0);
    const V m = Derived::bit_or(Derived::bit_and(a1, b0), Derived::bit_and(a0, p));
    const V q = Derived::bit_xor(c, p);
    return majority(m, b1, q);
  }
  static STREW_ALWAYS_INLINE V select(V mask, V a, V b) {
    return Derived::bit_or(Derived::bit_and(mask, a), Derived::and_not(mask, b));
  }
  /// Table bit 2 y + z.
  template <unsigned kTable>
  static STREW_ALWAYS_INLINE V logic2(V y, V z) {
    const V ones = Derived::splat(~std::uint64_t{0});
    if constexpr (kTable >= 8) {
      return Derived::bit_xor(ones, logic2<15 - kTable>(y, z));
    } else if constexpr (kTable == 0) {
      return Derived::splat(0);
    } else if constexpr (kTable == 1) {
      return Derived::bit_xor(ones, Derived::bit_or(y, z));
    } else if constexpr (kTable == 2) {
      return Derived::and_not(y, z);
    } else if constexpr (kTable == 3) {
      return Derived::bit_xor(ones, y);
    } else if constexpr (kTable == 4) {
      return Derived::and_not(z, y);
    } else if constexpr (kTable == 5) {
      return Derived::bit_xor(ones, z);
    } else if constexpr (kTable == 6) {
      return Derived::bit_xor(y, z);
    } else {
      return Derived::bit_xor(ones, Derived::bit_and(y, z));
    }
  }
  /// Table bit 4 x + 2 y + z.
  template <unsigned kTable>
  static STREW_ALWAYS_INLINE V logic(V x, V y, V z) {
    if constexpr (kTable == 0x78) {
      return Derived::bit_xor(x, Derived::bit_and(y, z));
    } else if constexpr (kTable / 16 == kTable % 16) {
      return logic2<kTable % 16>(y, z);
    } else if constexpr (kTable / 16 == 0) {
      return Derived::and_not(x, logic2<kTable % 16>(y, z));
    } else if constexpr (kTable % 16 == 0) {
      return Derived::bit_and(x, logic2<kTable / 16>(y, z));
    } else {
      return select(x, logic2<kTable / 16>(y, z), logic2<kTable % 16>(y, z));
    }
  }
};

/// The layout of Strip: the value at position P - 1 of each position P, positions counted along a row (bit
/// group of 2^kLogV bits, then lane, then bit inside its group). Nothing enters at the first position.
template <class Simd, int kLogV>
struct Positions {
  using V = typename Simd::V;
  static constexpr int kChunk = 1 << kLogV;
  static constexpr std::uint64_t kLow =
      kChunk == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (kChunk % 64)) - 1;
  static constexpr std::uint64_t kHigh = kLow << (64 - kChunk);

  static STREW_ALWAYS_INLINE V next(V x) {
    V z;
    if constexpr (kChunk == 64) {
      z = Simd::lanes_up(x);
    } else {
      const V y = Simd::template rotl<kChunk>(x);
      z = Simd::select(Simd::splat(kLow), Simd::lanes_up(y), y);
    }
    const V a = Simd::bit_and(z, Simd::first_lane(kLow >> 1));
    return Simd::bit_or(Simd::and_not(Simd::first_lane(kLow), z), Simd::template shl<1>(a));
  }
  static STREW_ALWAYS_INLINE V previous(V x) {
    V z;
    if constexpr (kChunk == 64) {
      z = Simd::lanes_down(x);
    } else {
      const V y = Simd::template rotl<64 - kChunk>(x);
      z = Simd::select(Simd::splat(kHigh), Simd::lanes_down(y), y);
    }
    const V a = Simd::bit_and(z, Simd::last_lane(kHigh & (kHigh << 1)));
    return Simd::bit_or(Simd::and_not(Simd::last_lane(kHigh), z), Simd::template shr<1>(a));
  }
};
