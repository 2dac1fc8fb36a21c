#include "strew/random.hpp"

#include "strew/snapmesh.hpp"

namespace strew::snap {

void Random::start(Mode mode, std::int64_t seed) noexcept {
  mode_ = mode;
  draws_ = 0;
  step_ = 0;
  in_step_ = 0;
  if (mode == Mode::kReference) {
    state_[0] = static_cast<std::uint32_t>(static_cast<std::uint64_t>(seed));
    for (std::size_t i = 1; i < 4; ++i) {
      state_[i] = state_[i - 1] * 1812433253U + 1U;
    }
  } else {
    constexpr std::uint64_t kStream = 0x736E61706D657368U;  // "snapmesh"
    key_ = stream_key(static_cast<std::uint64_t>(seed), kStream);
    state_ = {};
  }
}

void Random::step(std::uint64_t number) noexcept {
  step_ = number;
  in_step_ = 0;
}

void Random::skip(std::uint64_t count) noexcept {
  draws_ += count;
  in_step_ += count;
  if (in_step_ % 4 != 0) {
    make_block();
  }
}

void Random::make_block() noexcept {
  state_ = philox4x32({static_cast<std::uint32_t>(step_), static_cast<std::uint32_t>(step_ >> 32),
                       static_cast<std::uint32_t>(in_step_ / 4), 0},
                      key_);
}

std::uint32_t Random::next() noexcept {
  ++draws_;
  if (mode_ == Mode::kReference) {
    const std::uint32_t t = state_[0] ^ (state_[0] << 11);
    const std::uint32_t w = state_[3];
    state_ = {state_[1], state_[2], state_[3], w ^ (w >> 19) ^ t ^ (t >> 8)};
    return state_[3];
  }
  if (in_step_ % 4 == 0) {
    make_block();
  }
  return state_[in_step_++ % 4];
}

std::int64_t Random::range(std::int64_t a, std::int64_t b) noexcept {
  if (a >= b) {
    return a;
  }
  if (mode_ == Mode::kReference) {
    return a + static_cast<std::int64_t>(next() % static_cast<std::uint32_t>(b - a));
  }
  return a + static_cast<std::int64_t>(draw_below(next(), static_cast<std::uint32_t>(b - a)));
}

}  // namespace strew::snap
