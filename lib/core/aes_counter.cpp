#include "aes_counter.hpp"

#include <bit>

namespace strew {
namespace {

constexpr std::uint8_t times2(std::uint8_t a) noexcept {
  return static_cast<std::uint8_t>((a << 1) ^ ((a >> 7) * 0x1B));
}

/// The S-box of AES, from its definition: powers of 3 run through the field, powers of its inverse along with
/// them.
constexpr std::array<std::uint8_t, 256> make_sbox() noexcept {
  std::array<std::uint8_t, 256> box{};
  std::uint8_t p = 1;
  std::uint8_t q = 1;
  do {
    p = static_cast<std::uint8_t>(p ^ times2(p));
    q = static_cast<std::uint8_t>(q ^ (q << 1));
    q = static_cast<std::uint8_t>(q ^ (q << 2));
    q = static_cast<std::uint8_t>(q ^ (q << 4));
    if ((q & 0x80U) != 0) {
      q = static_cast<std::uint8_t>(q ^ 0x09);
    }
    box[p] = static_cast<std::uint8_t>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^
                                       std::rotl(q, 4) ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  return box;
}

/// What a byte of row 0 adds to its column after SubBytes and MixColumns; rows 1 to 3 add the same, rotated.
constexpr std::array<std::uint32_t, 256> kColumns = [] {
  const std::array<std::uint8_t, 256> sbox = make_sbox();
  std::array<std::uint32_t, 256> columns{};
  for (std::size_t i = 0; i < 256; ++i) {
    const std::uint32_t once = sbox[i];
    const std::uint32_t twice = times2(sbox[i]);
    columns[i] = twice | (once << 8) | (once << 16) | ((twice ^ once) << 24);
  }
  return columns;
}();

/// One full round, column by column: ShiftRows, SubBytes, MixColumns, then the key.
AesBlock aes_round(AesBlock in, AesBlock key) noexcept {
  AesBlock out = key;
  for (std::size_t column = 0; column < 4; ++column) {
    std::uint32_t mixed = 0;
    for (std::size_t row = 0; row < 4; ++row) {
      const std::size_t from = 4 * ((column + row) % 4) + row;
      mixed ^= std::rotl(kColumns[(in[from / 8] >> (8 * (from % 8))) & 0xFFU], static_cast<int>(8 * row));
    }
    out[column / 2] ^= std::uint64_t{mixed} << (32 * (column % 2));
  }
  return out;
}

}  // namespace

AesBlock aes_block(const AesKeys& keys, AesBlock counter) noexcept {
  AesBlock state = {counter[0] ^ keys.round[0][0], counter[1] ^ keys.round[0][1]};
  for (std::size_t r = 1; r <= kAesRounds; ++r) {
    state = aes_round(state, keys.round[r]);
  }
  return state;
}

}  // namespace strew
