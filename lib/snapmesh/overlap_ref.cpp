#include <algorithm>

#include "overlap.hpp"

namespace strew::snap {

void BoxColumns::grow() {
  const std::size_t capacity = std::max<std::size_t>(64, 2 * capacity_);
  std::vector<double> exact(kExact * capacity);
  std::vector<float> bounds(kBounds * capacity);
  for (std::size_t c = 0; c < kExact && capacity_ > 0; ++c) {
    std::copy_n(exact_.data() + c * capacity_, size_, exact.data() + c * capacity);
  }
  for (std::size_t c = 0; c < kBounds && capacity_ > 0; ++c) {
    std::copy_n(bounds_.data() + c * capacity_, size_, bounds.data() + c * capacity);
  }
  exact_ = std::move(exact);
  bounds_ = std::move(bounds);
  capacity_ = capacity;
}

void BoxColumns::push(const OrientedBox& box) {
  if (size_ + kPad >= capacity_) {
    grow();
  }
  double* at = exact_.data() + size_;
  const auto put = [&](double value) {
    *at = value;
    at += capacity_;
  };
  put(box.centre.x);
  put(box.centre.y);
  put(box.centre.z);
  for (const double entry : box.rotation.m) {
    put(entry);
  }
  put(box.half.x);
  put(box.half.y);
  put(box.half.z);
  const auto bounds = widened_bounds(box);
  for (std::size_t c = 0; c < kBounds; ++c) {
    bounds_[c * capacity_ + size_] = bounds[c];
  }
  ++size_;
}

OrientedBox BoxColumns::get(std::size_t i) const noexcept {
  OrientedBox box;
  box.centre = {exact(0)[i], exact(1)[i], exact(2)[i]};
  for (std::size_t c = 0; c < 9; ++c) {
    box.rotation.m[c] = exact(3 + c)[i];
  }
  box.half = {exact(12)[i], exact(13)[i], exact(14)[i]};
  return box;
}

std::array<float, 6> widened_bounds(const OrientedBox& box) noexcept {
  const double* r = box.rotation.m;
  const double margin = 2e-3 * (box.half.x + box.half.y + box.half.z) + 1e-6;
  const double centre[3] = {box.centre.x, box.centre.y, box.centre.z};
  std::array<float, 6> bounds{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double reach = std::abs(r[3 * i]) * box.half.x + std::abs(r[3 * i + 1]) * box.half.y +
                         std::abs(r[3 * i + 2]) * box.half.z + margin;
    // 2e-7 covers the rounding to float.
    const double rounding = 2e-7 * (std::abs(centre[i]) + reach);
    bounds[i] = static_cast<float>(centre[i] - reach - rounding);
    bounds[i + 3] = static_cast<float>(centre[i] + reach + rounding);
  }
  return bounds;
}

bool boxes_meet(const OrientedBox& a, const OrientedBox& b) noexcept {
  const double* ra = a.rotation.m;
  const double* rb = b.rotation.m;
  const double ea[3] = {a.half.x, a.half.y, a.half.z};
  const double eb[3] = {b.half.x, b.half.y, b.half.z};
  const Vec3 d = b.centre - a.centre;
  double r[3][3];
  double abs_r[3][3];
  double t[3];
  for (int i = 0; i < 3; ++i) {
    t[i] = ra[i] * d.x + ra[3 + i] * d.y + ra[6 + i] * d.z;
    for (int j = 0; j < 3; ++j) {
      r[i][j] = ra[i] * rb[j] + ra[3 + i] * rb[3 + j] + ra[6 + i] * rb[6 + j];
      abs_r[i][j] = std::abs(r[i][j]) + 1e-6;
    }
  }
  for (int i = 0; i < 3; ++i) {
    if (std::abs(t[i]) > ea[i] + (abs_r[i][0] * eb[0] + abs_r[i][1] * eb[1] + abs_r[i][2] * eb[2])) {
      return false;
    }
  }
  for (int j = 0; j < 3; ++j) {
    if (std::abs(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j]) >
        eb[j] + (abs_r[0][j] * ea[0] + abs_r[1][j] * ea[1] + abs_r[2][j] * ea[2])) {
      return false;
    }
  }
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3;
    const int i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const int j1 = (j + 1) % 3;
      const int j2 = (j + 2) % 3;
      const double reach =
          (ea[i1] * abs_r[i2][j] + ea[i2] * abs_r[i1][j]) + (eb[j1] * abs_r[i][j2] + eb[j2] * abs_r[i][j1]);
      if (std::abs(t[i2] * r[i1][j] - t[i1] * r[i2][j]) > reach) {
        return false;
      }
    }
  }
  return true;
}

std::int64_t first_meeting_ref(const OrientedBox& query, const BoxColumns& boxes,
                               const OverlapRange& range) noexcept {
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const bool skipped = i >= range.skip_begin && i < range.skip_end;
    if (!skipped && boxes_meet(query, boxes.get(i))) {
      return static_cast<std::int64_t>(i);
    }
  }
  return -1;
}

#ifdef STREW_SCALAR
Result<OverlapKernel> overlap_kernel(Isa isa) {
  if (isa != Isa::kBest && isa != Isa::kScalar) {
    return make_error(StatusCode::kUnsupported, "this build has no vector kernels; use best or scalar",
                      "isa");
  }
  return OverlapKernel{first_meeting_ref};
}
#endif

}  // namespace strew::snap
