#include "box_grid.hpp"

#include <algorithm>
#include <limits>

#include "strew/random.hpp"

namespace strew::snap {
namespace {

constexpr double kMostCells = 64;  ///< of a box
constexpr std::uint32_t kNone = 0;

std::int32_t cell_index(double at, double cell) noexcept {
  // Beyond 2^30 cells all share the outermost: slow there, never wrong.
  constexpr double kFar = 1 << 30;
  return static_cast<std::int32_t>(std::clamp(std::floor(at / cell), -kFar, kFar));
}

}  // namespace

double BoxGrid::Cells::count() const noexcept {
  double out = 1;
  for (int a = 0; a < 3; ++a) {
    out *= static_cast<double>(high[a]) - low[a] + 1;
  }
  return out;
}

void BoxGrid::start(double cell) noexcept {
  cell_ = cell;
  shrink(0);
}

void BoxGrid::shrink(std::size_t size) noexcept {
  if (boxes_.size() <= size) {
    return;
  }
  for (std::size_t e = entries_.size(); e-- > first_[size];) {
    const Entry& entry = entries_[e];
    heads_[bucket(entry.cell[0], entry.cell[1], entry.cell[2])] = entry.next;
  }
  entries_.resize(first_[size]);
  first_.resize(size);
  boxes_.resize(size);
  while (!large_.empty() && large_.back() >= size) {
    large_.pop_back();
  }
}

std::size_t BoxGrid::bucket(std::int32_t x, std::int32_t y, std::int32_t z) const noexcept {
  const auto word = [](std::int32_t v) { return std::uint64_t{static_cast<std::uint32_t>(v)}; };
  return static_cast<std::size_t>(mix64(word(x) | word(y) << 32) + mix64(word(z))) & (heads_.size() - 1);
}

BoxGrid::Cells BoxGrid::cells_of(const std::array<float, 6>& bounds) const noexcept {
  Cells out{};
  for (std::size_t a = 0; a < 3; ++a) {
    out.low[a] = cell_index(static_cast<double>(bounds[a]), cell_);
    out.high[a] = cell_index(static_cast<double>(bounds[a + 3]), cell_);
  }
  return out;
}

void BoxGrid::grow() {
  heads_.assign(std::max<std::size_t>(4096, 2 * heads_.size()), kNone);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    std::uint32_t& head = heads_[bucket(entries_[e].cell[0], entries_[e].cell[1], entries_[e].cell[2])];
    entries_[e].next = std::exchange(head, static_cast<std::uint32_t>(e + 1));
  }
}

void BoxGrid::add(const OrientedBox& added) {
  const auto box = static_cast<std::uint32_t>(boxes_.size());
  first_.push_back(static_cast<std::uint32_t>(entries_.size()));
  boxes_.push_back({widened_bounds(added), 0, added});
  const Cells cells = cells_of(boxes_.back().bounds);
  if (!(cells.count() <= kMostCells)) {
    large_.push_back(box);
    return;
  }
  for (std::int32_t z = cells.low[2]; z <= cells.high[2]; ++z) {
    for (std::int32_t y = cells.low[1]; y <= cells.high[1]; ++y) {
      for (std::int32_t x = cells.low[0]; x <= cells.high[0]; ++x) {
        if (entries_.size() >= heads_.size()) {
          grow();
        }
        std::uint32_t& head = heads_[bucket(x, y, z)];
        entries_.push_back({head, box, {x, y, z}});
        head = static_cast<std::uint32_t>(entries_.size());
      }
    }
  }
}

void BoxGrid::follow(const BoxColumns& columns) {
  while (boxes_.size() < columns.size()) {
    add(columns.get(boxes_.size()));
  }
}

std::int64_t BoxGrid::first_meeting(const OrientedBox& query, const OverlapRange& range) {
  if (++query_ == 0) {
    std::for_each(boxes_.begin(), boxes_.end(), [](Known& known) { known.seen = 0; });
    query_ = 1;
  }
  const auto bounds = widened_bounds(query);
  auto best = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  const auto look = [&](std::uint32_t box) {
    if (box >= best || box < range.begin || box >= range.end ||
        (box >= range.skip_begin && box < range.skip_end)) {
      return;
    }
    Known& known = boxes_[box];
    if (known.seen == query_) {
      return;
    }
    known.seen = query_;
    for (std::size_t a = 0; a < 3; ++a) {
      if (known.bounds[a] > bounds[a + 3] || known.bounds[a + 3] < bounds[a]) {
        return;
      }
    }
    if (boxes_meet(query, known.box)) {
      best = box;
    }
  };
  const Cells cells = cells_of(bounds);
  if (cells.count() > static_cast<double>(boxes_.size())) {
    for (std::uint32_t box = 0; box < boxes_.size(); ++box) {
      look(box);
    }
  } else {
    std::for_each(large_.begin(), large_.end(), look);
    for (std::int32_t z = cells.low[2]; z <= cells.high[2]; ++z) {
      for (std::int32_t y = cells.low[1]; y <= cells.high[1]; ++y) {
        for (std::int32_t x = cells.low[0]; x <= cells.high[0]; ++x) {
          for (std::uint32_t e = heads_.empty() ? kNone : heads_[bucket(x, y, z)]; e != kNone;
               e = entries_[e - 1].next) {
            look(entries_[e - 1].box);
          }
        }
      }
    }
  }
  return best == static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max())
             ? -1
             : static_cast<std::int64_t>(best);
}

}  // namespace strew::snap
