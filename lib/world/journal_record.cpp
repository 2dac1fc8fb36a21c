// Records of a journal: fixed size, each with a checksum of its own.
#include <algorithm>

#include "bytes.hpp"
#include "journal.hpp"

namespace strew {
namespace {

constexpr std::uint64_t kTileKind = 1;
constexpr std::uint64_t kMarkKind = 2;
constexpr std::size_t kFixedWords = 7;  // kind, x, y, bytes, checksum, hash sum, fingerprint
constexpr std::size_t kWord = 8;

/// Writes or reads one 64-bit word after the other.
class WordWriter {
 public:
  explicit WordWriter(std::byte* to) : to_(to) {}
  void put(std::uint64_t value) noexcept {
    store_word(to_, value);
    to_ += kWord;
  }

 private:
  std::byte* to_;
};
class WordReader {
 public:
  explicit WordReader(const std::byte* from) : from_(from) {}
  std::uint64_t take() noexcept {
    from_ += kWord;
    return load_word<std::uint64_t>(from_ - kWord);
  }

 private:
  const std::byte* from_;
};

void seal(std::span<std::byte> record) noexcept {
  store_word(record.data() + record.size() - kWord, checksum_bytes(1, record.first(record.size() - kWord)));
}
bool sealed(std::span<const std::byte> record) noexcept {
  return load_word<std::uint64_t>(record.data() + record.size() - kWord) ==
         checksum_bytes(1, record.first(record.size() - kWord));
}

}  // namespace

std::uint64_t TileRecord::instances() const noexcept {
  std::uint64_t count = 0;
  for (const SlotReport& report : reports) {
    count += report.placed;
  }
  return count;
}

RecordShape::RecordShape(std::vector<std::size_t> species) : species_(std::move(species)) {
  std::size_t words = kFixedWords + 1;
  for (const std::size_t count : species_) {
    words += 2 + kRejectionKinds + count;
  }
  bytes_ = words * kWord;
}

void RecordShape::encode(const TileRecord& record, std::byte* to) const {
  WordWriter words(to);
  words.put(kTileKind);
  words.put(static_cast<std::uint64_t>(record.tile.x));
  words.put(static_cast<std::uint64_t>(record.tile.y));
  for (const std::uint64_t value : {record.bytes, record.checksum, record.hash_sum, record.fingerprint}) {
    words.put(value);
  }
  for (std::size_t slot = 0; slot < species_.size(); ++slot) {
    const SlotReport& report = record.reports[slot];
    words.put(report.placed);
    words.put(report.candidates);
    for (const std::uint64_t count : report.rejected) {
      words.put(count);
    }
    for (std::size_t s = 0; s < species_[slot]; ++s) {
      words.put(s < report.placed_by_species.size() ? report.placed_by_species[s] : 0);
    }
  }
  seal({to, bytes_});
}

bool RecordShape::decode(const std::byte* from, TileRecord& record) const {
  WordReader words(from);
  if (words.take() != kTileKind || !sealed({from, bytes_})) {
    return false;
  }
  record.tile.x = static_cast<std::int64_t>(words.take());
  record.tile.y = static_cast<std::int64_t>(words.take());
  record.bytes = words.take();
  record.checksum = words.take();
  record.hash_sum = words.take();
  record.fingerprint = words.take();
  record.reports.resize(species_.size());
  for (std::size_t slot = 0; slot < species_.size(); ++slot) {
    SlotReport& report = record.reports[slot];
    report.placed = words.take();
    report.candidates = words.take();
    for (std::uint64_t& count : report.rejected) {
      count = words.take();
    }
    report.placed_by_species.resize(species_[slot]);
    for (std::uint64_t& count : report.placed_by_species) {
      count = words.take();
    }
  }
  return true;
}

void encode_mark(std::uint64_t covered, std::span<std::byte> record) {
  std::fill(record.begin(), record.end(), std::byte{0});
  store_word(record.data(), kMarkKind);
  store_word(record.data() + kWord, covered);
  seal(record);
}

bool decode_mark(std::span<const std::byte> record, std::uint64_t& covered) noexcept {
  covered = load_word<std::uint64_t>(record.data() + kWord);
  return load_word<std::uint64_t>(record.data()) == kMarkKind && sealed(record);
}

}  // namespace strew
