// All measures of one set, and of the reference it is compared with.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyze_input.hpp"
#include "strew/analysis.hpp"

namespace strew_tool {

struct AnalyzeOptions {
  double radius = 0;       ///< metres; 0: none given
  double tile_size = 0;    ///< metres; 0: the window's own border
  double cell_period = 0;  ///< metres; 0: radius / sqrt 2 when there is a radius
};

struct NamedHarmonic {
  std::string name;
  strew::HarmonicRequest request;
  strew::HarmonicReport report;
};

struct SetAnalysis {
  const PointInput* input = nullptr;
  double radius = 0;
  strew::SpacingReport spacing;
  strew::CoverageReport coverage;
  strew::SpectrumReport spectrum;
  strew::PairCorrelationReport pairs;
  strew::BorderReport borders;
  std::string border_name;  ///< "the borders of 512 m tiles", "the window's border"
  std::vector<NamedHarmonic> harmonics;
  std::string harmonics_note;  ///< why there are fewer than asked for
  double seconds = 0;

  [[nodiscard]] double density() const { return input->view().density(); }
  /// N r^2 / A; 0 without a radius.
  [[nodiscard]] double normalised() const { return density() * radius * radius; }
};
/// `radius`: what --radius says, or else what the bake promises, or 0.
[[nodiscard]] strew::Result<SetAnalysis> analyze_set(const PointInput& input, const AnalyzeOptions& options,
                                                     const strew::RunContext& context);

/// Mean curves of a few seeds of strew's own sampling.
struct Reference {
  std::string label;
  int seeds = 0;
  double radius = 0;
  double normalised = 0;
  double mean_nearest = 0;
  strew::SpectrumReport spectrum;
  strew::PairCorrelationReport pairs;
  std::vector<double> nearest_share;  ///< per bin of the first set's histogram, of all points
  double nearest_bin = 0;
};
/// Of the set's radius, or, when it has none, of its density.
[[nodiscard]] strew::Result<Reference> make_reference(const SetAnalysis& set,
                                                      const strew::RunContext& context);

}  // namespace strew_tool
