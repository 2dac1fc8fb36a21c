#include "ring_offsets.hpp"

#include <cmath>

#include "scalar_kernel.hpp"
#include "strew/exact_math.hpp"
#include "strew/random.hpp"

namespace strew::scatter {

void ring_offsets_ref(const Ring& ring, const std::uint32_t* angle, const std::uint32_t* distance,
                      std::size_t count, std::int32_t* x, std::int32_t* y) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const double metres =
        exact_sqrt(ring.inner_squared + (ring.outer_squared - ring.inner_squared) * draw_unit(distance[i]));
    double sine = 0;
    double cosine = 0;
    exact_sincos_turns(draw_unit(angle[i]), sine, cosine);
    x[i] = static_cast<std::int32_t>(std::floor(metres * cosine * ring.steps_per_metre + 0.5));
    y[i] = static_cast<std::int32_t>(std::floor(metres * sine * ring.steps_per_metre + 0.5));
  }
}

#ifdef STREW_SCALAR
Result<RingOffsetsFn> ring_offsets_kernel(Isa isa) {
  return scalar_kernel<RingOffsetsFn>(&ring_offsets_ref, isa);
}
#endif

}  // namespace strew::scatter
