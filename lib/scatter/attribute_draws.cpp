#include "attribute_draws.hpp"

#include "scalar_kernel.hpp"
#include "strew/types.hpp"

namespace strew::scatter {

void draw_columns_ref(const DrawBatch& batch, const std::int64_t* x, const std::int64_t* y, std::size_t count,
                      const DrawColumns& out) noexcept {
  for (std::size_t i = 0; i < count; ++i) {
    const PhiloxCounter draw = cell_draw(batch.key, floor_div(x[i], batch.identity_step),
                                         floor_div(y[i], batch.identity_step), batch.number);
    out.first[i] = draw[0];
    out.second[i] = draw[1];
    out.third[i] = draw[2];
  }
}

#ifdef STREW_SCALAR
Result<DrawColumnsFn> draw_columns_kernel(Isa isa) {
  return scalar_kernel<DrawColumnsFn>(&draw_columns_ref, isa);
}
#endif

}  // namespace strew::scatter
