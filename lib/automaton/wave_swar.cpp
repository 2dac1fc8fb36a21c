// The wave on 64-bit words: vectors of one lane, for any machine.
#include "kernels.hpp"
#include "rule_tables.hpp"
#include "wave_job.hpp"

namespace strew::automaton {
namespace swar {

#include "portable_logic-inl.hpp"

struct Simd : PortableLogic<Simd, std::uint64_t> {
  using V = std::uint64_t;
  static constexpr std::size_t kLanes = 1;

  static V load(const std::uint64_t* from) { return *from; }
  static V load_once(const std::uint64_t* from) { return *from; }
  static V load_unaligned(const std::uint64_t* from) { return *from; }
  static void store(std::uint64_t* to, V v) { *to = v; }
  static void store_unaligned(std::uint64_t* to, V v) { *to = v; }
  static V splat(std::uint64_t value) { return value; }
  static V bit_and(V a, V b) { return a & b; }
  static V bit_or(V a, V b) { return a | b; }
  static V bit_xor(V a, V b) { return a ^ b; }
  static V and_not(V a, V b) { return ~a & b; }
  template <int kBits>
  static V shl(V a) {
    return a << kBits;
  }
  template <int kBits>
  static V shr(V a) {
    return a >> kBits;
  }
  template <int kBits>
  static V rotl(V a) {
    return (a << kBits) | (a >> (64 - kBits));
  }
  static V lanes_up(V a) { return a; }
  static V lanes_down(V a) { return a; }
  static V first_lane(std::uint64_t value) { return value; }
  static V last_lane(std::uint64_t value) { return value; }
  template <int kLogV>
  static V next_position(V x) {
    return Positions<Simd, kLogV>::next(x);
  }
  template <int kLogV>
  static V previous_position(V x) {
    return Positions<Simd, kLogV>::previous(x);
  }
};

#include "networks-inl.hpp"
#include "wave-inl.hpp"

}  // namespace swar

WaveKernel wave_kernel_swar() noexcept {
  return {swar::run_wave, 1, swar::kMaxLogV};
}

}  // namespace strew::automaton
