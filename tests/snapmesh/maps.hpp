// Kits, maps and what holds of every map, for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "overlap.hpp"
#include "strew/snapmesh_search.hpp"

namespace strew::snap {

inline Pass pass_of(const SelectionMethod& method,
                    std::initializer_list<std::pair<const char*, std::int64_t>> settings, Rules& rules) {
  ParameterSet parameters;
  for (const auto& [name, value] : settings) {
    parameters.set(name, value);
  }
  Pass pass;
  const Status status = configure(method, parameters, rules, pass);
  EXPECT_TRUE(status.ok()) << status.text();
  return pass;
}

inline Kit own_kit() {
  Kit kit = built_in_kit();
  const Status status = validate_kit(kit);
  EXPECT_TRUE(status.ok()) << status.text();
  return kit;
}

/// A piece with a passage at each end of a box of length 2.
inline Piece bar(const std::string& name, std::uint8_t front = 0, std::uint8_t back = 0) {
  Piece piece;
  piece.name = name;
  for (const double x : {1.0, -1.0}) {
    Connector c;
    c.position = {x, 0, 0};
    c.heading = {x, 0, 0};
    c.colour = x > 0 ? front : back;
    piece.connectors.push_back(c);
  }
  Box box;
  box.half_extents = {0.9, 0.9, 0.9};
  piece.boxes.push_back(box);
  return piece;
}
inline Kit bars(std::size_t count = 1) {
  Kit kit;
  for (std::size_t i = 0; i < count; ++i) {
    kit.pieces.push_back(bar("bar " + std::to_string(i)));
  }
  EXPECT_TRUE(validate_kit(kit).ok());
  return kit;
}

inline Result<Map> make(const Kit& kit, const Rules& rules, const std::vector<Pass>& passes,
                        std::int64_t seed) {
  STREW_ASSIGN(Assembler assembler, Assembler::create(kit, rules, passes));
  STREW_RETURN_IF_ERROR(assembler.run(seed));
  Map map;
  assembler.copy_map(map);
  return map;
}

inline void expect_sound(const Kit& kit, const Rules& rules, const Map& map) {
  // Connectors meet and oppose, each is used once.
  std::set<std::pair<std::uint32_t, std::uint32_t>> used;
  const auto place = [&](std::uint32_t placed, std::uint32_t connector, Vec3& position, Vec3& heading) {
    const Placement& p = map.placements[placed];
    const Mat3 turn = from_quat(p.rotation);
    const Connector& c = kit.pieces[p.piece].connectors[connector];
    position = p.position + turn * c.position;
    heading = turn * c.heading;
    EXPECT_TRUE(used.insert({placed, connector}).second);
  };
  for (const Joint& joint : map.joints) {
    Vec3 a;
    Vec3 a_heading;
    Vec3 b;
    Vec3 b_heading;
    place(joint.a, joint.a_connector, a, a_heading);
    place(joint.b, joint.b_connector, b, b_heading);
    EXPECT_LE(length(a + a_heading * rules.piece_distance - b), 1e-4);
    EXPECT_LE(dot(a_heading, b_heading), -1 + 1e-9);
  }
  // Brute force over all pairs that are not parent and child.
  for (std::size_t i = 0; i < map.placements.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (map.placements[i].parent == static_cast<std::int32_t>(j)) {
        continue;
      }
      const auto boxes = [&](const Placement& p) {
        std::vector<OrientedBox> out;
        const Mat3 turn = from_quat(p.rotation);
        for (const Box& b : kit.pieces[p.piece].boxes) {
          out.push_back({p.position + turn * b.centre, turn * from_quat(b.rotation), b.half_extents});
        }
        return out;
      };
      for (const OrientedBox& a : boxes(map.placements[i])) {
        for (const OrientedBox& b : boxes(map.placements[j])) {
          EXPECT_FALSE(boxes_meet(a, b)) << i << " " << j;
        }
      }
    }
  }
}

inline SearchSpec spec_of(std::string_view objective, std::initializer_list<std::string_view> requirements,
                          std::uint64_t seeds) {
  SearchSpec spec;
  spec.first_seed = -100;
  spec.seeds = seeds;
  spec.objective = Expression::parse(objective).value();
  for (const std::string_view text : requirements) {
    spec.requirements.push_back(Expression::parse(text).value());
  }
  return spec;
}

inline std::vector<nav::PieceRegions> made_regions(const Kit& kit) {
  std::vector<nav::PieceRegions> regions;
  for (const Piece& piece : kit.pieces) {
    nav::PieceRegions r;
    // Two regions, the connectors dealt out between them.
    r.areas = {10, 5};
    for (std::size_t c = 0; c < piece.connectors.size(); ++c) {
      r.at_connector.push_back(static_cast<std::int32_t>(c % 2));
    }
    regions.push_back(r);
  }
  return regions;
}

}  // namespace strew::snap
