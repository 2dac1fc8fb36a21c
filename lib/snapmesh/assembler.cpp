// The public face of an Assembler: a run, and what can be asked of the last map.
#include <limits>

#include "assembler_impl.hpp"
#include "guard.hpp"

namespace strew::snap {

Assembler::Assembler(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;
Assembler::~Assembler() = default;

Status Assembler::run(std::int64_t seed, std::vector<Event>* events) {
  return guarded([&]() -> Status {
    impl_->events = events;
    if (events != nullptr) {
      events->clear();
    }
    impl_->clear(seed);
    if (impl_->rules.mode == Mode::kReference) {
      impl_->run_reference();
    } else {
      impl_->run_standard();
    }
    for (std::size_t i = 1; i < impl_->placed.size(); ++i) {
      const Placed& p = impl_->placed[i];
      if (p.parent < 0) {
        continue;
      }
      impl_->joints.push_back({static_cast<std::uint32_t>(p.parent),
                               static_cast<std::uint32_t>(p.parent_connector), static_cast<std::uint32_t>(i),
                               static_cast<std::uint32_t>(p.own_connector)});
    }
    const std::size_t roots = impl_->placed.size() - impl_->joints.size();
    impl_->joints.insert(impl_->joints.end(), impl_->loops.begin(), impl_->loops.end());
    impl_->parts = roots;
    if (roots > 1) {
      nav::UnionFind sets;
      sets.reset(impl_->placed.size());
      impl_->parts = impl_->placed.size();
      for (const Joint& joint : impl_->joints) {
        impl_->parts -= sets.join(joint.a, joint.b) ? 1U : 0U;
      }
    }
    impl_->log({.kind = Event::Kind::kEnd, .value = static_cast<std::int64_t>(impl_->end)});
    impl_->events = nullptr;
    return {};
  });
}

std::size_t Assembler::pieces() const noexcept {
  return impl_->placed.size();
}
std::span<const Joint> Assembler::joints() const noexcept {
  return impl_->joints;
}
std::span<const Joint> Assembler::contacts() const noexcept {
  return impl_->contacts;
}
std::uint32_t Assembler::piece_of(std::size_t placed) const noexcept {
  return impl_->placed[placed].piece;
}
std::int32_t Assembler::free_connectors() const noexcept {
  std::int32_t free = 0;
  for (const Placed& p : impl_->placed) {
    free += std::popcount(p.free);
  }
  return free;
}

std::size_t Assembler::parts() const noexcept {
  return impl_->parts;
}

std::int64_t Assembler::tentatives() const noexcept {
  return impl_->tentatives;
}
Vec3 Assembler::position_of(std::size_t placed) const noexcept {
  return impl_->placed[placed].position;
}
Vec3 Assembler::connector_position(std::size_t placed, std::size_t connector) const noexcept {
  const Placed& p = impl_->placed[placed];
  return p.position + p.rotation * impl_->connectors[impl_->kit[p.piece].connectors + connector].position;
}

void Assembler::bounds(Vec3& minimum, Vec3& maximum) const noexcept {
  constexpr double kFar = std::numeric_limits<double>::infinity();
  minimum = {kFar, kFar, kFar};
  maximum = {-kFar, -kFar, -kFar};
  for (const Placed& p : impl_->placed) {
    const FlatPiece& flat = impl_->kit[p.piece];
    for (std::uint32_t i = 0; i < flat.box_count; ++i) {
      const OrientedBox box =
          turned_box(impl_->boxes[flat.boxes + flat.box_count + i], {p.rotation, p.position});
      const double* r = box.rotation.m;
      const Vec3 reach = {
          std::abs(r[0]) * box.half.x + std::abs(r[1]) * box.half.y + std::abs(r[2]) * box.half.z,
          std::abs(r[3]) * box.half.x + std::abs(r[4]) * box.half.y + std::abs(r[5]) * box.half.z,
          std::abs(r[6]) * box.half.x + std::abs(r[7]) * box.half.y + std::abs(r[8]) * box.half.z};
      minimum = {std::min(minimum.x, box.centre.x - reach.x), std::min(minimum.y, box.centre.y - reach.y),
                 std::min(minimum.z, box.centre.z - reach.z)};
      maximum = {std::max(maximum.x, box.centre.x + reach.x), std::max(maximum.y, box.centre.y + reach.y),
                 std::max(maximum.z, box.centre.z + reach.z)};
    }
  }
}

void Assembler::copy_map(Map& out) const {
  out.placements.clear();
  for (const Placed& p : impl_->placed) {
    out.placements.push_back(
        {p.piece, p.position, to_quat(p.rotation), p.parent, p.parent_connector, p.own_connector});
  }
  out.joints = impl_->joints;
  out.end = impl_->end;
  out.tentatives = impl_->tentatives;
  out.rng_draws = impl_->random.draws();
  out.rng_state = impl_->random.state();
}

}  // namespace strew::snap
