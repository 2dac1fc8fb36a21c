#include <algorithm>

#include "field_name.hpp"
#include "noise_field.hpp"
#include "number_text.hpp"
#include "strew/random.hpp"
#include "strew/terrain.hpp"

namespace strew {
namespace {

// One octave of a row. Positions run through cells in runs that share their four gradients.
void add_octave(const NoiseField& field, const NoiseOctave& octave, LatticePlace x, LatticePlace y,
                LatticePlace step, std::span<float> out) noexcept {
  const float fraction_y = lattice_fraction(static_cast<double>(y.remainder), field.cells_per_unit);
  const float fade_y = fade(fraction_y);
  const auto step_remainder = static_cast<double>(step.remainder);
  const auto count = static_cast<std::int64_t>(out.size());
  CellGradients gradients = cell_gradients(octave, x.cell, y.cell);
  std::int64_t done = 0;
  while (done < count) {
    std::int64_t run = 1;
    if (step.cell == 0) {
      run = std::min(count - done, ceil_div(field.period - x.remainder, step.remainder));
    }
    // Remainders stay below 2^53, so their arithmetic in double is exact and equals the integer one.
    const auto first = static_cast<double>(x.remainder);
    const auto length = static_cast<std::int32_t>(std::min<std::int64_t>(run, 1 << 30));
    float* target = out.data() + done;
    for (std::int32_t i = 0; i < length; ++i) {
      const float fraction_x = lattice_fraction(first + i * step_remainder, field.cells_per_unit);
      const float value = cell_noise(gradients, fraction_x, fraction_y, fade_y);
      target[i] += octave.weight * (field.ridged ? ridge(value) : value);
    }
    done += length;
    // A run ends with the first position past its cell, and a step is less than a cell beyond step.cell.
    const std::int64_t moved = x.remainder + length * step.remainder;
    const bool over = moved >= field.period;
    const std::int64_t cells = length * step.cell + (over ? 1 : 0);
    x.cell += cells;
    x.remainder = over ? moved - field.period : moved;
    if (cells == 1) {
      gradients = eastern_neighbour(octave, gradients, x.cell, y.cell);
    } else if (cells != 0) {
      gradients = cell_gradients(octave, x.cell, y.cell);
    }
  }
}

}  // namespace

NoiseField make_noise_field(const NoiseSpec& spec) noexcept {
  NoiseField field;
  field.period = static_cast<std::int64_t>(4294967296.0 / spec.frequency + 0.5);
  field.cells_per_unit = 1.0 / static_cast<double>(field.period);
  field.octaves = spec.octaves;
  field.ridged = spec.kind == NoiseKind::kRidged;
  double sum = 0;
  double amplitude = 1;
  for (std::int32_t k = 0; k < spec.octaves; ++k) {
    sum += amplitude;
    amplitude *= spec.gain;
  }
  const PhiloxKey key = stream_key(spec.seed, spec.stream);
  amplitude = 1;
  for (std::int32_t k = 0; k < spec.octaves; ++k) {
    const PhiloxCounter draw = philox4x32({static_cast<std::uint32_t>(k), 0, 0, 0}, key);
    const auto period = static_cast<double>(field.period);
    field.octave[static_cast<std::size_t>(k)] = {
        draw[0], draw[1], static_cast<std::int64_t>(draw_unit(draw[2]) * period),
        static_cast<std::int64_t>(draw_unit(draw[3]) * period), static_cast<float>(amplitude / sum)};
    amplitude *= spec.gain;
  }
  return field;
}

Status check_noise(const NoiseSpec& spec, std::string_view where) {
  if (!(spec.frequency >= 1e-6 && spec.frequency <= 1e3)) {
    return invalid_argument(
        "is " + number_text(spec.frequency) + "; give a frequency from 1e-6 to 1000 per metre",
        field_name(where, "frequency"));
  }
  if (spec.octaves < 1 || spec.octaves > 16) {
    return invalid_argument("is " + std::to_string(spec.octaves) + "; give 1 to 16 octaves",
                            field_name(where, "octaves"));
  }
  if (!(spec.gain >= 0 && spec.gain <= 1)) {
    return invalid_argument("is " + number_text(spec.gain) + "; give a gain from 0 to 1",
                            field_name(where, "gain"));
  }
  return {};
}

double gradient_noise(const NoiseSpec& spec, Coord x, Coord y) noexcept {
  return static_cast<double>(noise_at(make_noise_field(spec), x, y));
}

void gradient_noise_row(const NoiseSpec& spec, Coord x, Coord y, Coord step, std::span<float> out) noexcept {
  const NoiseField field = make_noise_field(spec);
  LatticePlace place_x = lattice_place(x, field.period);
  LatticePlace place_y = lattice_place(y, field.period);
  LatticePlace place_step = lattice_place(step, field.period);
  std::fill(out.begin(), out.end(), 0.0F);
  for (std::int32_t k = 0; k < field.octaves; ++k) {
    const NoiseOctave& octave = field.octave[static_cast<std::size_t>(k)];
    add_octave(field, octave, shifted(place_x, octave.phase_x, field.period),
               shifted(place_y, octave.phase_y, field.period), place_step, out);
    place_x = next_octave(place_x, field.period);
    place_y = next_octave(place_y, field.period);
    place_step = next_octave(place_step, field.period);
  }
  for (float& value : out) {
    value = clamp_noise(value);
  }
}

}  // namespace strew
