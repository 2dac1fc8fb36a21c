#include <algorithm>
#include <cmath>
#include <numeric>

#include "fmt/format.h"
#include "report_figures.hpp"
#include "svg_plot.hpp"

namespace strew_tool {
namespace {

template <class Bin>
std::vector<double> column(const std::vector<Bin>& bins, double Bin::*member) {
  std::vector<double> values;
  for (const Bin& bin : bins) {
    values.push_back(bin.*member);
  }
  return values;
}

double largest(const std::vector<double>& values, double at_least) {
  return std::accumulate(values.begin(), values.end(), at_least,
                         [](double a, double b) { return std::max(a, b); });
}

std::string set_name(const std::vector<SetAnalysis>& sets, std::size_t index) {
  return sets.size() == 1 ? "this set" : index == 0 ? "first set" : "second set";
}

void legends(const std::vector<SetAnalysis>& sets, const Reference* reference, SvgPlot& plot) {
  for (std::size_t i = 0; i < sets.size(); ++i) {
    plot.legend(set_name(sets, i), set_style(i));
  }
  if (reference != nullptr) {
    plot.legend(fmt::format("{}, mean of {}", reference->label, reference->seeds), "ref");
  }
}

double last_x(const std::vector<double>& x, double at_least) {
  return x.empty() ? at_least : std::max(at_least, x.back());
}

}  // namespace

std::string set_style(std::size_t index) {
  return index == 0 ? "a" : "b";
}

std::string power_figure(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  using strew::SpectrumBin;
  SvgPlot plot("frequency (cycles per metre)", "power (1: independent points)");
  double high = 1.6;
  double low = 1;
  double last = 0;
  for (const SetAnalysis& set : sets) {
    high = largest(column(set.spectrum.bins, &SpectrumBin::power), high);
    for (const SpectrumBin& bin : set.spectrum.bins) {
      low = bin.power > 0 ? std::min(low, bin.power) : low;
    }
    last = last_x(column(set.spectrum.bins, &SpectrumBin::frequency), last);
  }
  if (reference != nullptr) {
    high = largest(column(reference->spectrum.bins, &SpectrumBin::power), high);
  }
  plot.set_x({0, last});
  // A lattice or clusters reach hundreds; on a linear axis nothing else would be seen.
  constexpr double kTall = 8;
  if (high > kTall) {
    plot.set_y({std::max(1e-3, low / 2), high * 1.5}, true);
  } else {
    plot.set_y({0, high * 1.08});
  }
  plot.level(1);
  if (reference != nullptr) {
    plot.line(column(reference->spectrum.bins, &SpectrumBin::frequency),
              column(reference->spectrum.bins, &SpectrumBin::power), "ref");
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& bins = sets[i].spectrum.bins;
    const auto frequency = column(bins, &SpectrumBin::frequency);
    const auto power = column(bins, &SpectrumBin::power);
    plot.errors(frequency, power, column(bins, &SpectrumBin::error), set_style(i));
    plot.line(frequency, power, set_style(i));
  }
  legends(sets, reference, plot);
  return plot.svg();
}

std::string anisotropy_figure(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  SvgPlot plot("frequency (cycles per metre)", "anisotropy above an isotropic set's (dB)");
  double high = 6;
  double last = 0;
  struct Curve {
    std::vector<double> frequency;
    std::vector<double> anisotropy;
  };
  const auto curve_of = [](const strew::SpectrumReport& spectrum) {
    // A ring of a few vectors has no variance to speak of.
    constexpr std::uint64_t kFewest = 8;
    Curve curve;
    for (const strew::SpectrumBin& bin : spectrum.bins) {
      if (bin.vectors >= kFewest) {
        curve.frequency.push_back(bin.frequency);
        curve.anisotropy.push_back(bin.anisotropy_db - spectrum.isotropic_db);
      }
    }
    return curve;
  };
  std::vector<Curve> curves;
  for (const SetAnalysis& set : sets) {
    curves.push_back(curve_of(set.spectrum));
    high = largest(curves.back().anisotropy, high);
    last = last_x(curves.back().frequency, last);
  }
  plot.set_x({0, std::max(last, 1e-300)});
  plot.set_y({-6, high * 1.05});
  plot.level(0);
  if (reference != nullptr) {
    const Curve curve = curve_of(reference->spectrum);
    plot.line(curve.frequency, curve.anisotropy, "ref");
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    plot.line(curves[i].frequency, curves[i].anisotropy, set_style(i));
  }
  legends(sets, reference, plot);
  return plot.svg();
}

std::string pair_figure(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  using strew::PairCorrelationBin;
  SvgPlot plot("distance (m)", "pair correlation g (1: independent points)");
  double high = 1.5;
  double last = 0;
  for (const SetAnalysis& set : sets) {
    high = largest(column(set.pairs.bins, &PairCorrelationBin::g), high);
    last = last_x(column(set.pairs.bins, &PairCorrelationBin::distance), last);
  }
  if (reference != nullptr) {
    high = largest(column(reference->pairs.bins, &PairCorrelationBin::g), high);
  }
  plot.set_x({0, last});
  plot.set_y({0, high * 1.08});
  plot.level(1);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].radius > 0 && (i == 0 || sets[i].radius != sets[0].radius)) {
      plot.mark(sets[i].radius, "r");
    }
  }
  if (reference != nullptr) {
    plot.line(column(reference->pairs.bins, &PairCorrelationBin::distance),
              column(reference->pairs.bins, &PairCorrelationBin::g), "ref");
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& bins = sets[i].pairs.bins;
    const auto distance = column(bins, &PairCorrelationBin::distance);
    const auto g = column(bins, &PairCorrelationBin::g);
    plot.errors(distance, g, column(bins, &PairCorrelationBin::error), set_style(i));
    plot.line(distance, g, set_style(i));
  }
  legends(sets, reference, plot);
  return plot.svg();
}

std::string nearest_figure(const std::vector<SetAnalysis>& sets, const Reference* reference) {
  SvgPlot plot("distance to the nearest neighbour (m)", "probability density (per metre)");
  std::vector<std::vector<double>> heights;
  double high = 0;
  double first = -1;
  double last = 0;
  const auto add = [&](double bin_width, const std::vector<double>& shares) {
    std::vector<double> height;
    for (std::size_t i = 0; i < shares.size(); ++i) {
      height.push_back(shares[i] / bin_width);
      if (shares[i] > 0.0005) {
        const double here = bin_width * static_cast<double>(i);
        first = first < 0 ? here : std::min(first, here);
        last = std::max(last, here + 2 * bin_width);
      }
    }
    high = largest(height, high);
    heights.push_back(std::move(height));
  };
  for (const SetAnalysis& set : sets) {
    std::vector<double> shares;
    for (const std::uint64_t count : set.spacing.nearest.counts) {
      shares.push_back(static_cast<double>(count) / static_cast<double>(set.input->x.size()));
    }
    add(set.spacing.nearest.bin_width, shares);
  }
  if (reference != nullptr) {
    add(reference->nearest_bin, reference->nearest_share);
  }
  // Where nothing is nearer than a radius, the empty part of the axis is left out.
  plot.set_x({first > 0.4 * last ? first - 0.1 * (last - first) : 0, std::max(last, 1e-300)});
  plot.set_y({0, std::max(high, 1e-300) * 1.08});
  if (reference != nullptr) {
    plot.steps(reference->nearest_bin, heights.back(), "ref");
  }
  for (std::size_t i = 0; i < sets.size(); ++i) {
    plot.steps(sets[i].spacing.nearest.bin_width, heights[i], set_style(i));
  }
  legends(sets, reference, plot);
  return plot.svg();
}

std::string border_figure(const std::vector<SetAnalysis>& sets) {
  using strew::BorderBin;
  SvgPlot plot(fmt::format("distance to {} (m)", sets.front().border_name),
               "density (1: mean of the window)");
  double low = 0.8;
  double high = 1.2;
  double last = 0;
  for (const SetAnalysis& set : sets) {
    for (const BorderBin& bin : set.borders.bins) {
      low = std::min(low, bin.density - bin.error);
      high = std::max(high, bin.density + bin.error);
      last = std::max(last, bin.distance + set.borders.bin_width / 2);
    }
  }
  plot.set_x({0, std::max(last, 1e-9)});
  plot.set_y({std::max(0.0, low - 0.05), high + 0.05});
  plot.level(1);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const auto& bins = sets[i].borders.bins;
    const auto distance = column(bins, &BorderBin::distance);
    const auto density = column(bins, &BorderBin::density);
    plot.errors(distance, density, column(bins, &BorderBin::error), set_style(i));
    plot.line(distance, density, set_style(i));
  }
  legends(sets, nullptr, plot);
  return plot.svg();
}

}  // namespace strew_tool
