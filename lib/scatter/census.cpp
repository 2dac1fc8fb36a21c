#include "census.hpp"

#include <algorithm>

#include "accepted.hpp"
#include "attributes.hpp"
#include "guard.hpp"
#include "parallel.hpp"
#include "strew/hash.hpp"
#include "suitable_area.hpp"

namespace strew {
namespace scatter {

PointHash point_hash(const Scatter::Impl& world, std::size_t layer, std::int64_t x, std::int64_t y) noexcept {
  const Lattice& lattice = world.slots[world.layers[layer].slot_index].lattice;
  // Draws 0 and 1 are the instance's columns and transform.
  const PhiloxCounter draw = attribute_draw(world.spec.seed, world.layers[layer].stream, lattice, x, y, 2);
  return {(std::uint64_t{draw[0]} << 32) | draw[1],
          instance_id(world.slots[world.layers[layer].slot_index].slot, lattice, x, y)};
}

void add_to(SquareCount& square, const PointHash& hash, std::uint64_t limit) {
  ++square.count;
  std::vector<PointHash>& heap = square.smallest;  // the largest on top
  if (heap.size() <= limit) {
    heap.push_back(hash);
    std::push_heap(heap.begin(), heap.end());
  } else if (hash < heap.front()) {
    std::pop_heap(heap.begin(), heap.end());
    heap.back() = hash;
    std::push_heap(heap.begin(), heap.end());
  }
}

void finish(SquareCount& square) {
  std::sort(square.smallest.begin(), square.smallest.end());
}

PointHash bound_of(const SquareCount& square, std::uint64_t kept) {
  return kept >= square.count ? kAllStand : square.smallest[kept];
}

namespace {

/// How far around a piece each layer must be known so that layer `target` is inside it; absent: not at all.
std::vector<std::optional<Coord>> margins_for(const Scatter::Impl& world, std::size_t target) {
  std::vector<std::optional<Coord>> margins(target + 1);
  margins[target] = 0;
  for (std::size_t i = target + 1; i-- > 0;) {
    for (const Spacing& spacing : margins[i] ? world.layers[i].spacing : std::vector<Spacing>{}) {
      margins[spacing.layer] = std::max(margins[spacing.layer].value_or(0), *margins[i] + spacing.radius);
    }
  }
  return margins;
}

}  // namespace

std::uint64_t draw_amount(const AmountSpec& amount, const PhiloxCounter& draw) noexcept {
  const auto range = static_cast<std::uint32_t>(amount.maximum - amount.minimum + 1);
  return static_cast<std::uint64_t>(amount.minimum) + draw_below(draw[0], range);
}

std::uint64_t amount_of_world(const Scatter::Impl& world, std::size_t layer) noexcept {
  const PhiloxKey key = stream_key(world.spec.seed, mix64(world.layers[layer].stream ^ kAmountStream));
  return draw_amount(*world.spec.layers[layer].amount, cell_draw(key, 0, 0, 1));
}

}  // namespace scatter

using scatter::HashBounds;
using scatter::PointHash;
using scatter::SquareCount;

Census::Impl::Impl(const Scatter::Impl& world_in, const TerrainSource& terrain_in)
    : world(world_in), terrain(terrain_in), states(world_in.layers.size()) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (world.layers[i].quotas) {
      states[i].accepted.assign(world.layers[i].quotas->blocks(), kUnknown);
      states[i].remainder.assign(world.layers[i].quotas->blocks(), kUnknown);
      states[i].carry.assign(world.layers[i].quotas->blocks() + 1, kUnknown);
    }
  }
}

Status Census::Impl::accepted_in(std::size_t layer, const Rect& piece, const RunContext& context,
                                 std::vector<Coord>& x, std::vector<Coord>& y,
                                 std::vector<PointHash>& hashes) {
  const auto margins = scatter::margins_for(world, layer);
  Coord widest = 0;
  for (const auto& margin : margins) {
    widest = std::max(widest, margin.value_or(0));
  }
  TerrainWindow window;
  STREW_RETURN_IF_ERROR(terrain.window(scatter::whole_blocks(expanded(piece, widest)), window));
  std::vector<InstanceTable> none;
  scatter::Work work{world, window.view, piece, context, none, {}};
  work.census = this;
  work.uncounted_layer = layer;
  std::vector<scatter::AcceptedPoints> accepted(layer + 1);
  for (std::size_t i = 0; i <= layer; ++i) {
    if (margins[i]) {
      STREW_RETURN_IF_ERROR(scatter::accept_layer(work, i, *margins[i], accepted, accepted[i]));
    }
  }
  x.clear();
  y.clear();
  hashes.clear();
  const scatter::AcceptedPoints& found = accepted[layer];
  for (std::size_t i = 0; i < found.x.size(); ++i) {
    if (piece.contains(found.x[i], found.y[i])) {
      x.push_back(found.x[i]);
      y.push_back(found.y[i]);
      hashes.push_back(scatter::point_hash(world, layer, found.lattice_x[i], found.lattice_y[i]));
    }
  }
  return {};
}

Status Census::Impl::world_bound(std::size_t layer, const RunContext& context, PointHash& out) {
  {
    const std::scoped_lock lock(mutex);
    if (states[layer].world) {
      out = *states[layer].world;
      return {};
    }
  }
  const std::uint64_t wanted = scatter::amount_of_world(world, layer);
  const Rect& extent = world.spec.extent;
  const Coord side = scatter::kPieceSide;
  const std::int64_t columns = ceil_div(extent.x1 - extent.x0, side);
  const std::int64_t rows = ceil_div(extent.y1 - extent.y0, side);
  const auto pieces = static_cast<std::uint64_t>(columns * rows);
  const std::uint64_t batch = 64 * std::uint64_t{worker_count(context)};
  RunContext outer = context;
  outer.progress = nullptr;
  RunContext inner = outer;
  inner.executor = nullptr;
  // A sample of more than `wanted` of what was seen; the bound so far cuts what is collected next. The result
  // is one of sets, so it does not depend on the batches.
  std::vector<PointHash> sample;
  std::uint64_t count = 0;
  PointHash bound = scatter::kAllStand;
  for (std::uint64_t first = 0; first < pieces; first += batch) {
    const std::uint64_t here = std::min(batch, pieces - first);
    std::vector<std::vector<PointHash>> found(here);
    std::vector<std::uint64_t> counts(here);
    STREW_RETURN_IF_ERROR(parallel_for(outer, here, [&](std::uint64_t index, std::uint32_t) -> Status {
      const auto piece = static_cast<std::int64_t>(first + index);
      const Coord x = extent.x0 + piece % columns * side;
      const Coord y = extent.y0 + piece / columns * side;
      const Rect area = {x, y, std::min(x + side, extent.x1), std::min(y + side, extent.y1)};
      return visit_accepted(layer, area, inner, [&](Coord, Coord, const PointHash& hash) {
        ++counts[index];
        if (hash < bound) {
          found[index].push_back(hash);
        }
      });
    }));
    for (std::uint64_t i = 0; i < here; ++i) {
      count += counts[i];
      sample.insert(sample.end(), found[i].begin(), found[i].end());
      if (sample.size() > 2 * wanted + 1024 || (first + here == pieces && i + 1 == here)) {
        if (sample.size() > wanted) {
          const auto end = sample.begin() + static_cast<std::ptrdiff_t>(wanted);
          std::nth_element(sample.begin(), end, sample.end());
          bound = *end;
          sample.resize(wanted + 1);  // with the first that does not stand, which is the bound
        }
      }
    }
  }
  const std::scoped_lock lock(mutex);
  states[layer].world_count = count;
  states[layer].world = bound;
  out = bound;
  return {};
}

Status Census::Impl::bounds(std::size_t layer, const Rect& rect, const RunContext& context, HashBounds& out) {
  const AmountSpec& amount = *world.spec.layers[layer].amount;
  out = HashBounds{};
  if (amount.choice == AmountSpec::Choice::kReserved) {
    return reserved_bounds(layer, rect, context, out);
  }
  if (amount.per_square_m > 0) {
    return square_bounds(layer, rect, context, out);
  }
  out.bounds.resize(1);
  return world_bound(layer, context, out.bounds[0]);
}

Status Census::Impl::prepare(std::size_t layer, std::span<const Rect> rects, const RunContext& context) {
  const AmountSpec& amount = *world.spec.layers[layer].amount;
  if (amount.choice == AmountSpec::Choice::kReserved) {
    std::vector<std::size_t> blocks;
    for (const Rect& rect : rects) {
      const std::vector<std::size_t> some = world.layers[layer].quotas->blocks_of(rect);
      blocks.insert(blocks.end(), some.begin(), some.end());
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    return prepare_blocks(layer, blocks, context);
  }
  if (amount.per_square_m <= 0) {
    PointHash unused;
    return world_bound(layer, context, unused);
  }
  return prepare_squares(layer, rects, context);
}

Census::Census(const Scatter& scatter, const TerrainSource& terrain)
    : impl_(std::make_unique<Impl>(scatter.impl(), terrain)) {}
Census::~Census() = default;

Status Census::prepare(std::span<const Rect> regions, const RunContext& context) {
  return guarded([&]() -> Status {
    // Layers in order: what a later one keeps away from is then known when it is counted.
    for (std::size_t i = 0; i < impl_->states.size(); ++i) {
      if (!impl_->world.spec.layers[i].amount) {
        continue;
      }
      std::vector<Rect> around;
      for (const Rect& region : regions) {
        const Rect inside = intersection(region, impl_->world.spec.extent);
        if (!inside.empty()) {
          around.push_back(expanded(inside, impl_->world.layers[i].margin));
        }
      }
      if (!around.empty()) {
        STREW_RETURN_IF_ERROR(impl_->prepare(i, around, context));
      }
    }
    return {};
  });
}

Status Census::fingerprint(const Rect& region, const RunContext& context, std::uint64_t& out) {
  return guarded([&]() -> Status {
    out = 0;
    const Rect inside = intersection(region, impl_->world.spec.extent);
    for (std::size_t i = 0; i < impl_->states.size() && !inside.empty(); ++i) {
      if (!impl_->world.spec.layers[i].amount) {
        continue;
      }
      HashBounds bounds;
      STREW_RETURN_IF_ERROR(
          impl_->bounds(i, expanded(inside, impl_->world.layers[i].margin), context, bounds));
      out = mix64(out + i + 1);
      for (const PointHash& bound : bounds.bounds) {
        out = mix64(out ^ bound.hash) + mix64(bound.id);
      }
    }
    return {};
  });
}

Status Census::standing(std::size_t layer, const RunContext& context, std::uint64_t& out) {
  if (layer >= impl_->states.size() || !impl_->world.spec.layers[layer].amount ||
      (!impl_->world.layers[layer].quotas && impl_->world.spec.layers[layer].amount->per_square_m > 0)) {
    return invalid_argument("has no amount of the whole world", "layer");
  }
  return guarded([&]() -> Status {
    if (!impl_->world.layers[layer].quotas) {
      PointHash unused;
      STREW_RETURN_IF_ERROR(impl_->world_bound(layer, context, unused));
      const std::scoped_lock lock(impl_->mutex);
      out = std::min(impl_->states[layer].world_count, scatter::amount_of_world(impl_->world, layer));
      return {};
    }
    std::uint64_t accepted = 0;
    const scatter::QuotaGrid& quotas = *impl_->world.layers[layer].quotas;
    for (std::size_t block = 0; block < quotas.blocks() && accepted < quotas.total(); ++block) {
      std::uint64_t here = 0;
      STREW_RETURN_IF_ERROR(impl_->accepted_of(layer, block, context, here));
      accepted += here;
    }
    out = std::min(accepted, quotas.total());
    return {};
  });
}

}  // namespace strew
