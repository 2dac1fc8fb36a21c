// Numbers out of a file's bytes, in either byte order, on any machine.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace strew {

/// The unsigned number in `size` bytes (at most 8).
[[nodiscard]] inline std::uint64_t bytes_to_word(const char* bytes, std::size_t size, bool big_endian) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t at = big_endian ? i : size - 1 - i;
    word = (word << 8) | static_cast<unsigned char>(bytes[at]);
  }
  return word;
}
/// The IEEE number in 4 or 8 bytes.
[[nodiscard]] inline double bytes_to_real(const char* bytes, std::size_t size, bool big_endian) {
  const std::uint64_t word = bytes_to_word(bytes, size, big_endian);
  return size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(word)))
                   : std::bit_cast<double>(word);
}

}  // namespace strew
