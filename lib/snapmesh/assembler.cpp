// Compiling a kit, posing and placing pieces: what both modes share.
#include <algorithm>
#include <numeric>

#include "assembler_impl.hpp"
#include "guard.hpp"

namespace strew::snap {
namespace {

Status check_rules(const Rules& rules, const std::vector<Pass>& passes) {
  if (passes.empty()) {
    return invalid_argument("no selection method is given; use snapmesh/arena, corridor, star or branch",
                            "method");
  }
  for (const Pass& pass : passes) {
    if (pass.method == nullptr) {
      return invalid_argument("a pass has no selection method", "method");
    }
  }
  if (rules.mode == Mode::kReference && passes.size() > 1) {
    return invalid_argument("the reference mode has one pass; use the standard mode for more", "pass");
  }
  if (!(rules.piece_distance >= 0 && rules.piece_distance <= 1e6)) {
    return invalid_argument("expected a distance from 0 to 1e6", "piece_distance");
  }
  if (!(rules.joint_tolerance >= 0 && rules.joint_tolerance <= 1e3)) {
    return invalid_argument("expected a distance from 0 to 1e3", "joint_tolerance");
  }
  if (rules.max_fails < 1 || rules.pin_tolerance < 0 || rules.starter_tolerance < 0 || rules.cap_pieces < 1 ||
      rules.backtrack < 0 || rules.work_limit < 1) {
    return invalid_argument(
        "max_fails, cap_pieces and work_limit start at 1, pin_tolerance, starter_tolerance and backtrack at "
        "0",
        "rules");
  }
  return {};
}

void add_piece(Assembler::Impl& impl, const Piece& piece, Mode mode) {
  FlatPiece flat;
  flat.connectors = static_cast<std::uint32_t>(impl.connectors.size());
  flat.connector_count = static_cast<std::uint32_t>(piece.connectors.size());
  flat.boxes = static_cast<std::uint32_t>(impl.boxes.size());
  flat.box_count = static_cast<std::uint32_t>(piece.boxes.size());
  flat.all_free =
      piece.connectors.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << piece.connectors.size()) - 1;
  flat.weight = piece.weight;
  flat.minimum = piece.minimum_count;
  flat.maximum = piece.maximum_count;
  flat.cap = piece.cap;
  for (const Connector& connector : piece.connectors) {
    FlatConnector out;
    out.position = connector.position;
    out.heading = connector.heading;
    out.inverse = transposed(look_rotation(connector.heading, connector.up));
    // The published engine keeps the guide piece upright; a connector's own up serves vertical headings too.
    const Vec3 up = mode == Mode::kReference ? impl.up : connector.up;
    out.opposite = look_rotation(-connector.heading, up);
    out.vertical = length(cross(connector.heading, up)) < 1e-9;
    out.pins = connector.pins;
    out.colour = connector.colour;
    impl.connectors.push_back(out);
  }
  for (const Box& box : piece.boxes) {
    FlatBox out;
    out.centre = mode == Mode::kReference ? box.query_centre : box.centre;
    out.half = box.half_extents;
    out.rotation = from_quat(box.rotation);
    out.turned = !(box.rotation == Quat{});
    out.enabled = box.enabled;
    impl.boxes.push_back(out);
    // Placed boxes stand where they are: the second copy, after all asking ones, has the true centre.
  }
  for (const Box& box : piece.boxes) {
    FlatBox out = impl.boxes[flat.boxes + static_cast<std::size_t>(&box - piece.boxes.data())];
    out.centre = box.centre;
    impl.boxes.push_back(out);
  }
  impl.kit.push_back(flat);
}

OrientedBox turned_box(const FlatBox& box, const Pose& pose) noexcept {
  return {pose.position + pose.rotation * box.centre,
          box.turned ? pose.rotation * box.rotation : pose.rotation, box.half};
}

/// Connectors of the same pins and colour match the same others: one table of what a class matches in each
/// piece, unless kinds and pieces are so many that it would not pay.
void classify(Assembler::Impl& impl) {
  std::vector<std::pair<std::int32_t, std::uint32_t>> classes;
  for (FlatConnector& c : impl.connectors) {
    const std::pair key(c.pins, c.colour);
    const auto at = std::find(classes.begin(), classes.end(), key);
    c.kind = static_cast<std::uint32_t>(at - classes.begin());
    if (at == classes.end()) {
      classes.push_back(key);
    }
    if (classes.size() > 256) {
      return;
    }
  }
  impl.accepted.assign(classes.size() * impl.kit.size(), 0);
  for (std::size_t k = 0; k < classes.size(); ++k) {
    FlatConnector guide;
    guide.pins = classes[k].first;
    guide.colour = classes[k].second;
    for (std::size_t p = 0; p < impl.kit.size(); ++p) {
      const FlatPiece& piece = impl.kit[p];
      for (std::uint32_t t = 0; t < piece.connector_count; ++t) {
        if (impl.matches(guide, impl.connectors[piece.connectors + t])) {
          impl.accepted[k * impl.kit.size() + p] |= std::uint64_t{1} << t;
        }
      }
    }
  }
}

/// Larger tables would not pay.
constexpr std::size_t kMostAccepted = 65536;

/// Whether a piece reaches into its guide is a matter of the two connectors alone, so it is found out once:
/// one mask per guide connector and piece, of the own connectors that match and fit.
void fit_to_guides(Assembler::Impl& impl) {
  const std::size_t pieces = impl.kit.size();
  if (impl.rules.mode != Mode::kStandard || !impl.rules.check_overlaps || impl.accepted.empty() ||
      impl.connectors.size() * pieces > kMostAccepted) {
    return;
  }
  std::vector<std::uint64_t> fitting(impl.connectors.size() * pieces, 0);
  for (std::uint32_t g = 0; g < pieces; ++g) {
    impl.clear(0);
    impl.place(g, Pose{}, -1, {});
    for (std::uint32_t q = 0; q < impl.kit[g].connector_count; ++q) {
      const std::size_t at = impl.kit[g].connectors + q;
      for (std::uint32_t p = 0; p < pieces; ++p) {
        for (std::uint64_t left = impl.accepted_by(impl.connectors[at], p); left != 0; left &= left - 1) {
          const auto t = static_cast<std::uint8_t>(std::countr_zero(left));
          const Pose pose = impl.pose_of(0, p, {t, static_cast<std::uint8_t>(q)});
          if (!impl.reaches_into(0, p, pose)) {
            fitting[at * pieces + p] |= std::uint64_t{1} << t;
          }
        }
      }
    }
  }
  for (std::uint32_t i = 0; i < impl.connectors.size(); ++i) {
    impl.connectors[i].kind = i;
  }
  impl.accepted = std::move(fitting);
  impl.fitted = true;
}

}  // namespace

Assembler::Assembler(std::unique_ptr<Impl> impl) noexcept : impl_(std::move(impl)) {}
Assembler::Assembler(Assembler&&) noexcept = default;
Assembler& Assembler::operator=(Assembler&&) noexcept = default;
Assembler::~Assembler() = default;

Result<Assembler> Assembler::create(const Kit& kit, const Rules& rules, std::vector<Pass> passes, Isa isa) {
  return guarded([&]() -> Result<Assembler> {
    STREW_RETURN_IF_ERROR(check_rules(rules, passes));
    if (kit.pieces.empty()) {
      return invalid_argument("the kit has no pieces", "pieces");
    }
    auto impl = std::make_unique<Impl>();
    STREW_ASSIGN(impl->overlap, overlap_kernel(isa));
    impl->rules = rules;
    impl->passes = std::move(passes);
    impl->matrix = kit.colour_matrix;
    impl->up = kit.frame == Frame::kZUp ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    for (const Piece& piece : kit.pieces) {
      if (piece.connectors.size() > kMaximumConnectors) {
        return invalid_argument("has too many connectors: validate_kit() says more",
                                "piece \"" + piece.name + "\"");
      }
      add_piece(*impl, piece, rules.mode);
    }
    classify(*impl);
    fit_to_guides(*impl);
    impl->order.resize(kit.pieces.size());
    std::iota(impl->order.begin(), impl->order.end(), 0U);
    std::stable_sort(impl->order.begin(), impl->order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return impl->kit[a].connector_count > impl->kit[b].connector_count;
    });
    const bool standard = rules.mode == Mode::kStandard;
    for (const std::uint32_t piece : impl->order) {
      const FlatPiece& flat = impl->kit[piece];
      if (flat.cap && standard) {
        impl->caps.push_back(piece);
      } else if (flat.weight > 0 && flat.maximum != 0) {
        impl->drawable.push_back(piece);
      }
    }
    const std::size_t words = (impl->drawable.size() + 63) / 64;
    const std::size_t kinds = impl->accepted.size() / impl->kit.size();
    impl->takers.assign(kinds * words, 0);
    for (std::size_t k = 0; k < kinds; ++k) {
      for (std::size_t i = 0; i < impl->drawable.size(); ++i) {
        const bool takes = impl->accepted[k * impl->kit.size() + impl->drawable[i]] != 0;
        impl->takers[k * words + i / 64] |= std::uint64_t{takes} << (i % 64);
      }
    }
    if (standard && impl->drawable.empty()) {
      return invalid_argument("no piece may be drawn: all are caps, or have weight 0 or maximum 0", "pieces");
    }
    if (rules.use_starter) {
      if (kit.starters.empty()) {
        return invalid_argument("the kit has no starters; give it some or leave use_starter out",
                                "use_starter");
      }
      impl->starters = kit.starters;
    } else {
      impl->starters = standard ? impl->drawable : impl->order;
    }
    return Assembler(std::move(impl));
  });
}

void Assembler::Impl::clear(std::int64_t seed) {
  random.start(rules.mode, seed);
  placed.clear();
  entries.clear();
  columns.clear();
  joints.clear();
  loops.clear();
  contacts.clear();
  open.clear();
  banned.clear();
  stuck.clear();
  history.clear();
  counts.assign(kit.size(), 0);
  tentatives = 0;
  work = 0;
  end = End::kMethod;
}

std::uint64_t Assembler::Impl::accepted_by(const FlatConnector& guide, std::uint32_t piece) const noexcept {
  if (!accepted.empty()) {
    return accepted[guide.kind * kit.size() + piece];
  }
  std::uint64_t mask = 0;
  for (std::uint32_t t = 0; t < kit[piece].connector_count; ++t) {
    mask |= std::uint64_t{matches(guide, connector(piece, t))} << t;
  }
  return mask;
}

void Assembler::Impl::list_pairs(std::uint32_t guide, std::uint32_t piece) {
  pairs.clear();
  const std::uint32_t base = placed[guide].piece;
  std::array<std::uint64_t, kMaximumConnectors> mask;
  std::uint64_t any = 0;
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    const auto q = static_cast<std::uint32_t>(std::countr_zero(left));
    mask[q] = accepted_by(connector(base, q), piece);
    any |= mask[q];
  }
  for (; any != 0; any &= any - 1) {
    const auto t = static_cast<std::uint32_t>(std::countr_zero(any));
    for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
      const auto q = static_cast<std::uint32_t>(std::countr_zero(left));
      if ((mask[q] >> t & 1U) != 0) {
        pairs.push_back({static_cast<std::uint8_t>(t), static_cast<std::uint8_t>(q)});
      }
    }
  }
}

void Assembler::Impl::find_takers(std::uint32_t guide) {
  const std::size_t words = (drawable.size() + 63) / 64;
  taken.assign(words, 0);
  if (takers.empty()) {
    for (std::size_t i = 0; i < drawable.size(); ++i) {
      taken[i / 64] |= std::uint64_t{any_pair(guide, drawable[i])} << (i % 64);
    }
    return;
  }
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    const std::size_t kind =
        connector(placed[guide].piece, static_cast<std::uint32_t>(std::countr_zero(left))).kind;
    for (std::size_t w = 0; w < words; ++w) {
      taken[w] |= takers[kind * words + w];
    }
  }
}

bool Assembler::Impl::any_pair(std::uint32_t guide, std::uint32_t piece) const noexcept {
  for (std::uint64_t left = placed[guide].free; left != 0; left &= left - 1) {
    if (accepted_by(connector(placed[guide].piece, static_cast<std::uint32_t>(std::countr_zero(left))),
                    piece) != 0) {
      return true;
    }
  }
  return false;
}

Pose Assembler::Impl::pose_of(std::uint32_t guide, std::uint32_t piece, Pair pair) const noexcept {
  const Placed& base = placed[guide];
  const FlatConnector& at = connector(base.piece, pair.guide);
  const FlatConnector& own = connector(piece, pair.own);
  const Vec3 heading = base.rotation * at.heading;
  const Mat3 facing = at.vertical && rules.mode == Mode::kReference
                          ? look_rotation(-heading, base.rotation * up)
                          : base.rotation * at.opposite;
  Pose pose;
  pose.rotation = facing * own.inverse;
  const Vec3 joint = base.position + base.rotation * at.position + heading * rules.piece_distance;
  pose.position = joint - pose.rotation * own.position;
  return pose;
}

bool Assembler::Impl::reaches_into(std::uint32_t guide, std::uint32_t piece, const Pose& pose) const {
  const FlatPiece& flat = kit[piece];
  const std::size_t begin = placed[guide].box_begin;
  const std::size_t past = guide + 1 < placed.size() ? placed[guide + 1].box_begin : columns.size();
  const double less = rules.joint_tolerance;
  for (std::uint32_t i = 0; i < flat.box_count; ++i) {
    OrientedBox box = turned_box(boxes[flat.boxes + i], pose);
    box.half = {std::max(0.0, box.half.x - less), std::max(0.0, box.half.y - less),
                std::max(0.0, box.half.z - less)};
    if (overlap(box, columns, {begin, past, 0, 0}) >= 0) {
      return true;
    }
  }
  return false;
}

std::int64_t Assembler::Impl::met_piece(std::uint32_t guide, std::uint32_t piece, const Pose& pose) {
  const FlatPiece& flat = kit[piece];
  const std::size_t guide_begin = placed[guide].box_begin;
  const std::size_t guide_end = guide + 1 < placed.size() ? placed[guide + 1].box_begin : columns.size();
  for (std::uint32_t i = 0; i < flat.box_count; ++i) {
    const OrientedBox box = turned_box(boxes[flat.boxes + i], pose);
    const std::int64_t met = overlap(box, columns, {0, columns.size(), guide_begin, guide_end});
    if (met >= 0) {
      const auto after = std::upper_bound(
          placed.begin(), placed.end(), static_cast<std::uint32_t>(met),
          [](std::uint32_t box_index, const Placed& candidate) { return box_index < candidate.box_begin; });
      return after - placed.begin() - 1;
    }
  }
  if (rules.mode == Mode::kStandard && !fitted && reaches_into(guide, piece, pose)) {
    return guide;
  }
  return -1;
}

std::uint32_t Assembler::Impl::place(std::uint32_t piece, const Pose& pose, std::int32_t parent, Pair pair) {
  const FlatPiece& flat = kit[piece];
  const auto index = static_cast<std::uint32_t>(placed.size());
  Placed out;
  out.piece = piece;
  out.box_begin = static_cast<std::uint32_t>(columns.size());
  out.free = flat.all_free;
  out.parent = parent;
  out.position = pose.position;
  out.rotation = pose.rotation;
  if (rules.check_overlaps) {
    for (std::uint32_t i = 0; i < flat.box_count; ++i) {
      const FlatBox& box = boxes[flat.boxes + flat.box_count + i];
      if (box.enabled) {
        columns.push(turned_box(box, pose));
      }
    }
  }
  if (parent >= 0) {
    out.parent_connector = pair.guide;
    out.own_connector = pair.own;
  }
  placed.push_back(out);
  entries.push_back({piece, static_cast<std::int32_t>(flat.connector_count)});
  ++counts[piece];
  if (parent >= 0) {
    use(static_cast<std::uint32_t>(parent), pair.guide);
    use(index, pair.own);
  }
  return index;
}

void Assembler::Impl::place_starter() {
  const auto count = [&](std::size_t i) {
    return static_cast<std::int64_t>(kit[starters[i]].connector_count);
  };
  const std::size_t n = starters.size();
  std::int64_t chosen = 0;
  if (passes.front().method->starts_with_most()) {
    std::size_t last = 0;
    while (last + 1 < n && count(last + 1) >= count(0) - rules.starter_tolerance) {
      ++last;
    }
    chosen = random.range(0, static_cast<std::int64_t>(last) + 1);
  } else {
    std::size_t first = n - 1;
    while (first > 0 && count(first - 1) <= count(n - 1) + rules.starter_tolerance) {
      --first;
    }
    chosen = random.range(static_cast<std::int64_t>(first), static_cast<std::int64_t>(n));
  }
  const std::uint32_t piece = starters[static_cast<std::size_t>(chosen)];
  place(piece, Pose{}, -1, {});
  log({.kind = Event::Kind::kStarter, .piece = piece, .value = kit[piece].connector_count});
}

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
      impl_->joints.push_back({static_cast<std::uint32_t>(p.parent),
                               static_cast<std::uint32_t>(p.parent_connector), static_cast<std::uint32_t>(i),
                               static_cast<std::uint32_t>(p.own_connector)});
    }
    impl_->joints.insert(impl_->joints.end(), impl_->loops.begin(), impl_->loops.end());
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
