// Draws and species of a batch equal those of one instance, by every instruction set.
#include "attributes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "attribute_draws.hpp"
#include "hash_rows.hpp"

namespace {

using strew::Isa;
using strew::scatter::DrawBatch;

TEST(AttributesTest, EveryInstructionSetDrawsAsTheReference) {
  std::size_t tried = 0;
  for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest}) {
    const auto kernel = strew::scatter::draw_columns_kernel(isa);
    if (!kernel.ok()) {
      EXPECT_EQ(kernel.status().code, strew::StatusCode::kUnsupported);
      continue;
    }
    ++tried;
    // 3: squares that no shift finds.
    for (const std::int64_t step :
         {std::int64_t{1}, std::int64_t{8192}, std::int64_t{1} << 40, std::int64_t{3}}) {
      for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 65U}) {
        const DrawBatch batch{{0x12345678U, 0x9ABCDEF0U}, step, 0x0000FEDC00000001U};
        std::vector<std::int64_t> x(count);
        std::vector<std::int64_t> y(count);
        for (std::size_t i = 0; i < count; ++i) {
          const std::uint64_t random = strew::mix64(i + count);
          x[i] = static_cast<std::int64_t>(random) >> (i % 3 * 10);
          y[i] = -x[i] / 5 + static_cast<std::int64_t>(i);
        }
        std::array<std::vector<std::uint32_t>, 3> found;
        for (auto& column : found) {
          column.assign(count + 1, 77U);
        }
        kernel.value()(batch, x.data(), y.data(), count, {found[0].data(), found[1].data(), found[2].data()});
        for (std::size_t i = 0; i < count; ++i) {
          const strew::PhiloxCounter draw = strew::cell_draw(batch.key, strew::floor_div(x[i], step),
                                                             strew::floor_div(y[i], step), batch.number);
          for (std::size_t word = 0; word < found.size(); ++word) {
            ASSERT_EQ(found[word][i], draw[word]) << to_string(isa) << " step " << step << " row " << i;
          }
        }
        for (const auto& column : found) {
          EXPECT_EQ(column[count], 77U) << "written past the end";
        }
      }
    }
  }
  EXPECT_GE(tried, 2U);
}

TEST(AttributesTest, EveryInstructionSetHashesAsTheReference) {
  std::size_t tried = 0;
  for (const Isa isa : {Isa::kScalar, Isa::kSse4, Isa::kAvx2, Isa::kAvx512, Isa::kBest}) {
    const auto kernel = strew::scatter::hash_rows_kernel(isa);
    if (!kernel.ok()) {
      EXPECT_EQ(kernel.status().code, strew::StatusCode::kUnsupported);
      continue;
    }
    ++tried;
    for (const std::size_t count : {0U, 1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 17U, 100U}) {
      strew::InstanceTable table;
      table.lattice.pitch = 556199;
      strew::SetHash wanted;
      for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t a = strew::mix64(3 * i);
        const std::uint64_t b = strew::mix64(3 * i + 1);
        table.x.push_back(static_cast<std::int64_t>(a) >> 20);
        table.y.push_back(static_cast<std::int64_t>(b) >> 20);
        table.z_steps.push_back(static_cast<std::int32_t>(a));
        table.species.push_back(static_cast<std::uint16_t>(b));
        table.yaw.push_back(static_cast<std::uint16_t>(a >> 32));
        table.scale.push_back(static_cast<std::uint16_t>(b >> 32));
        const std::array<std::uint64_t, 4> words = {
            static_cast<std::uint64_t>(table.x[i] * 556199), static_cast<std::uint64_t>(table.y[i] * 556199),
            (std::uint64_t{37} << 48) | (std::uint64_t{table.species[i]} << 32) |
                static_cast<std::uint32_t>(table.z_steps[i]),
            (std::uint64_t{table.yaw[i]} << 16) | table.scale[i]};
        wanted.add(strew::hash_words(words));
      }
      EXPECT_EQ(kernel.value()(37, table), wanted.sum) << to_string(isa) << " count " << count;
      EXPECT_EQ(strew::scatter::hash_rows_ref(37, table, 0), wanted.sum);
      EXPECT_EQ(strew::hash_instances(37, table), wanted);
    }
  }
  EXPECT_GE(tried, 2U);
}

TEST(AttributesTest, ThresholdsChooseAsTheSumOfWeights) {
  const std::vector<std::vector<double>> lists = {
      {1}, {4, 3, 2, 2, 1}, {0, 1, 0, 2, 0}, {1e-12, 1, 1e-9}, {0.1, 0.1, 0.1, 0.7}, {1e300, 1e-300}};
  for (const std::vector<double>& weights : lists) {
    std::vector<strew::SpeciesSpec> species(weights.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      species[i].weight = weights[i];
    }
    const strew::scatter::SpeciesChoice choice(species);
    // Around every bound, and anywhere.
    std::vector<std::uint32_t> draws = {0, 1, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFEU, 0xFFFFFFFFU};
    double total = 0;
    for (const double weight : weights) {
      total += weight;
    }
    double sum = 0;
    for (const double weight : weights) {
      sum += weight;
      const auto near = static_cast<std::int64_t>(sum / total * 4294967296.0);
      for (std::int64_t by = -3; by <= 3; ++by) {
        draws.push_back(static_cast<std::uint32_t>(std::clamp<std::int64_t>(near + by, 0, 0xFFFFFFFF)));
      }
    }
    for (std::uint64_t i = 0; i < 1000; ++i) {
      draws.push_back(static_cast<std::uint32_t>(strew::mix64(i)));
    }
    std::vector<std::uint16_t> found(draws.size());
    choice.choose_all(draws, found.data());
    for (std::size_t i = 0; i < draws.size(); ++i) {
      ASSERT_EQ(found[i], choice.choose(draws[i])) << "draw " << draws[i];
    }
  }
}

}  // namespace
