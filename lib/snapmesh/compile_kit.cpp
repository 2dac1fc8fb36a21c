// Rules checked and a kit compiled to columns and tables, once for all its maps.
#include <algorithm>
#include <limits>
#include <numbers>
#include <numeric>

#include "assembler_impl.hpp"
#include "check_regions.hpp"
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
    if (&pass == passes.data() && pass.method->connects()) {
      return invalid_argument("the first pass has nothing to connect; give it a method that grows a map",
                              "method");
    }
    if (pass.detached && (&pass == passes.data() || pass.method->connects() ||
                          !(std::abs(pass.origin.x) <= 1e7 && std::abs(pass.origin.y) <= 1e7 &&
                            std::abs(pass.origin.z) <= 1e7))) {
      return invalid_argument(
          "an origin belongs to a later pass that grows, with coordinates within 1e7 m of 0", "origin");
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

/// A point that lies deep inside a box of each piece that may be snapped to the connector, and how deep.
struct Depth {
  Vec3 at;
  double margin = 0;
};
Depth deepest(const std::vector<std::vector<OrientedBox>>& tentatives, const FlatConnector& from) {
  double scale = std::numeric_limits<double>::infinity();
  for (const auto& list : tentatives) {
    double thick = 0;  // of the thickest box of the piece
    for (const OrientedBox& box : list) {
      thick = std::max(thick, std::min({box.half.x, box.half.y, box.half.z}));
    }
    scale = std::min(scale, thick);
  }
  Depth best;
  const Mat3 axes = transposed(from.inverse);
  for (int out = 1; out <= 12; ++out) {
    for (int up = -4; up <= 6; ++up) {
      const Vec3 at =
          from.position + axes.column(2) * (0.25 * scale * out) + axes.column(1) * (0.25 * scale * up);
      double margin = std::numeric_limits<double>::infinity();
      for (const auto& list : tentatives) {
        double inside = 0;
        for (const OrientedBox& box : list) {
          const Vec3 local = transposed(box.rotation) * (at - box.centre);
          inside = std::max(inside, std::min({box.half.x - std::abs(local.x), box.half.y - std::abs(local.y),
                                              box.half.z - std::abs(local.z)}));
        }
        margin = std::min(margin, inside);
        if (margin <= best.margin) {
          break;
        }
      }
      if (margin > best.margin) {
        best = {at, margin};
      }
    }
  }
  return best;
}

/// Most tentatives before a connector that are looked into for a probe.
constexpr std::size_t kMostTentatives = 512;

/// A cube before each connector that lies inside every piece that may be drawn for it. What the cube meets,
/// with its margin of a twentieth, any of these meets: one question answers for all.
void make_probes(Assembler::Impl& impl) {
  for (std::uint32_t g = 0; impl.fitted && g < impl.kit.size(); ++g) {
    impl.clear(0);
    impl.place(g, Pose{}, -1, {});
    for (std::uint32_t q = 0; q < impl.kit[g].connector_count; ++q) {
      FlatConnector& from = impl.connectors[impl.kit[g].connectors + q];
      std::vector<std::vector<OrientedBox>> tentatives;
      for (std::uint32_t p = 0; p < impl.kit.size() && tentatives.size() <= kMostTentatives; ++p) {
        if (impl.kit[p].cap) {
          continue;  // never drawn
        }
        for (std::uint64_t left = impl.accepted_by(from, p); left != 0; left &= left - 1) {
          const Pose pose = impl.pose_of(
              0, p, {static_cast<std::uint8_t>(std::countr_zero(left)), static_cast<std::uint8_t>(q)});
          std::vector<OrientedBox>& list = tentatives.emplace_back();
          for (std::uint32_t b = 0; b < impl.kit[p].box_count; ++b) {
            list.push_back(turned_box(impl.boxes[impl.kit[p].boxes + b], pose));
          }
        }
      }
      if (tentatives.empty() || tentatives.size() > kMostTentatives) {
        continue;
      }
      const Depth found = deepest(tentatives, from);
      if (found.margin > 1e-3) {
        from.probe_centre = found.at;
        from.probe_half = 0.95 * found.margin / std::numbers::sqrt3;
      }
    }
  }
}

}  // namespace

Result<Assembler> Assembler::create(const Kit& kit, const Rules& rules, std::vector<Pass> passes, Isa isa,
                                    std::span<const nav::PieceRegions> regions) {
  return guarded([&]() -> Result<Assembler> {
    STREW_RETURN_IF_ERROR(check_rules(rules, passes));
    if (kit.pieces.empty()) {
      return invalid_argument("the kit has no pieces", "pieces");
    }
    auto impl = std::make_unique<Impl>();
    STREW_ASSIGN(impl->overlap, overlap_kernel(isa));
    if (!regions.empty()) {
      STREW_RETURN_IF_ERROR(check_regions(kit, regions));
    }
    impl->regions.assign(regions.begin(), regions.end());
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
    double extents = 0;
    for (const FlatBox& box : impl->boxes) {
      extents += 2 * std::max({box.half.x, box.half.y, box.half.z});
    }
    if (extents > 0) {
      impl->grid_cell = std::clamp(1 * extents / static_cast<double>(impl->boxes.size()), 1e-3, 1e6);
    }
    classify(*impl);
    fit_to_guides(*impl);
    make_probes(*impl);
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
        impl->drawable_weight.push_back(flat.weight);
        impl->counted = impl->counted || flat.minimum > 0 || flat.maximum >= 0;
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

}  // namespace strew::snap
