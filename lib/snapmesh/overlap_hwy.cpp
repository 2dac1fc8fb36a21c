// The overlap test by Highway: bounds in float lanes first, then the 15 axes in double lanes for the blocks
// that are left. Same operations in the same order as boxes_meet, so the same answer bit for bit.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "overlap_hwy.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Per target: the order matters.
#include <cstring>

#include "kernel_table.hpp"
#include "overlap.hpp"

HWY_BEFORE_NAMESPACE();
namespace strew::snap::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class D, class M>
std::uint64_t bits_of(D d, M mask) {
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(d, mask, bytes);
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes, sizeof bits);
  return bits;
}

/// Lanes of boxes at, at + 1, ... that the query meets, among `wanted` at least up to the lowest of these:
/// where that one's centre lies inside the query or the other way round, the remaining axes have nothing to
/// say.
template <class D>
std::uint64_t meeting_lanes(D d, const OrientedBox& a, const BoxColumns& boxes, std::size_t at,
                            std::uint64_t wanted) {
  using V = hn::Vec<D>;
  const auto column = [&](std::size_t c) { return hn::LoadU(d, boxes.exact(c) + at); };
  const auto set = [&](double value) { return hn::Set(d, value); };
  const double* ra = a.rotation.m;
  const double ea[3] = {a.half.x, a.half.y, a.half.z};
  const V dx = hn::Sub(column(0), set(a.centre.x));
  const V dy = hn::Sub(column(1), set(a.centre.y));
  const V dz = hn::Sub(column(2), set(a.centre.z));
  const V slack = set(1e-6);
  V r[3][3];
  V abs_r[3][3];
  V t[3];
  for (std::size_t j = 0; j < 3; ++j) {
    const V b0 = column(3 + j);
    const V b1 = column(6 + j);
    const V b2 = column(9 + j);
    for (std::size_t i = 0; i < 3; ++i) {
      r[i][j] =
          hn::Add(hn::Add(hn::Mul(set(ra[i]), b0), hn::Mul(set(ra[3 + i]), b1)), hn::Mul(set(ra[6 + i]), b2));
      abs_r[i][j] = hn::Add(hn::Abs(r[i][j]), slack);
    }
  }
  const V eb[3] = {column(12), column(13), column(14)};
  auto apart = hn::MaskFromVec(hn::Zero(d));
  auto outside = apart;
  for (std::size_t i = 0; i < 3; ++i) {
    t[i] =
        hn::Add(hn::Add(hn::Mul(set(ra[i]), dx), hn::Mul(set(ra[3 + i]), dy)), hn::Mul(set(ra[6 + i]), dz));
    const V reach =
        hn::Add(set(ea[i]), hn::Add(hn::Add(hn::Mul(abs_r[i][0], eb[0]), hn::Mul(abs_r[i][1], eb[1])),
                                    hn::Mul(abs_r[i][2], eb[2])));
    apart = hn::Or(apart, hn::Gt(hn::Abs(t[i]), reach));
    outside = hn::Or(outside, hn::Gt(hn::Abs(t[i]), set(ea[i])));
  }
  const std::uint64_t lowest = wanted & (~wanted + 1);
  if ((bits_of(d, outside) & lowest) == 0) {
    return lowest;
  }
  outside = hn::MaskFromVec(hn::Zero(d));
  for (std::size_t j = 0; j < 3; ++j) {
    const V along = hn::Add(hn::Add(hn::Mul(t[0], r[0][j]), hn::Mul(t[1], r[1][j])), hn::Mul(t[2], r[2][j]));
    const V reach =
        hn::Add(eb[j], hn::Add(hn::Add(hn::Mul(abs_r[0][j], set(ea[0])), hn::Mul(abs_r[1][j], set(ea[1]))),
                               hn::Mul(abs_r[2][j], set(ea[2]))));
    apart = hn::Or(apart, hn::Gt(hn::Abs(along), reach));
    outside = hn::Or(outside, hn::Gt(hn::Abs(along), eb[j]));
  }
  if (hn::AllTrue(d, apart)) {
    return 0;
  }
  if ((bits_of(d, outside) & lowest) == 0) {
    return lowest;
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t i1 = (i + 1) % 3;
    const std::size_t i2 = (i + 2) % 3;
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t j1 = (j + 1) % 3;
      const std::size_t j2 = (j + 2) % 3;
      const V reach = hn::Add(hn::Add(hn::Mul(set(ea[i1]), abs_r[i2][j]), hn::Mul(set(ea[i2]), abs_r[i1][j])),
                              hn::Add(hn::Mul(eb[j1], abs_r[i][j2]), hn::Mul(eb[j2], abs_r[i][j1])));
      const V along = hn::Sub(hn::Mul(t[i2], r[i1][j]), hn::Mul(t[i1], r[i2][j]));
      apart = hn::Or(apart, hn::Gt(hn::Abs(along), reach));
    }
  }
  return bits_of(d, hn::Not(apart));
}

std::uint64_t low_bits(std::size_t count) {
  return count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

std::int64_t first_meeting(const OrientedBox& query, const BoxColumns& boxes, const OverlapRange& range) {
  const hn::ScalableTag<float> df;
  const hn::ScalableTag<double> dd;
  const std::size_t wide = hn::Lanes(df);
  const std::size_t lanes = hn::Lanes(dd);
  const auto bounds = widened_bounds(query);
  for (std::size_t at = range.begin; at < range.end; at += wide) {
    auto near = hn::And(hn::Le(hn::LoadU(df, boxes.bounds(0) + at), hn::Set(df, bounds[3])),
                        hn::Ge(hn::LoadU(df, boxes.bounds(3) + at), hn::Set(df, bounds[0])));
    near = hn::And(near, hn::And(hn::Le(hn::LoadU(df, boxes.bounds(1) + at), hn::Set(df, bounds[4])),
                                 hn::Ge(hn::LoadU(df, boxes.bounds(4) + at), hn::Set(df, bounds[1]))));
    near = hn::And(near, hn::And(hn::Le(hn::LoadU(df, boxes.bounds(2) + at), hn::Set(df, bounds[5])),
                                 hn::Ge(hn::LoadU(df, boxes.bounds(5) + at), hn::Set(df, bounds[2]))));
    std::uint64_t left = bits_of(df, near);
    left &= low_bits(range.end - at);
    if (range.skip_begin < at + wide && range.skip_end > at) {
      const std::size_t from = range.skip_begin > at ? range.skip_begin - at : 0;
      left &= ~(low_bits(range.skip_end - at) & ~low_bits(from));
    }
    for (std::size_t block = 0; left != 0 && block < wide; block += lanes) {
      const std::uint64_t mine = (left >> block) & ((std::uint64_t{1} << lanes) - 1);
      if (mine == 0) {
        continue;
      }
      const std::uint64_t met = meeting_lanes(dd, query, boxes, at + block, mine) & mine;
      if (met != 0) {
        return static_cast<std::int64_t>(at + block + hwy::Num0BitsBelowLS1Bit_Nonzero64(met));
      }
    }
  }
  return -1;
}

}  // namespace strew::snap::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace strew::snap {

Result<OverlapKernel> overlap_kernel(Isa isa) {
  static constexpr KernelTable<OverlapKernel> kTable = STREW_KERNEL_TABLE(first_meeting);
  return choose_kernel(kTable, isa);
}

}  // namespace strew::snap
#endif
