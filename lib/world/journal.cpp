#include "journal.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "atomic_write.hpp"
#include "bytes.hpp"

namespace strew {
namespace {

constexpr std::array<char, 8> kMagic = {'S', 'T', 'R', 'E', 'W', 'J', 'L', '\n'};
constexpr std::size_t kHeadBytes = 64;
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kRecordBytesAt = 12;
constexpr std::size_t kKeyAt = 16;
constexpr std::size_t kStampAt = 24;
constexpr std::size_t kShardAt = 32;
constexpr std::size_t kShardsAt = 36;
constexpr std::size_t kChecksumAt = 56;
constexpr std::uint32_t kMaxRecordBytes = 1U << 24;

Status failed(const std::string& what, int error, const std::string& path) {
  return make_error(StatusCode::kIo,
                    what + ": " + std::generic_category().message(error) +
                        (error == ENOSPC || error == EDQUOT ? "; make space and run again" : ""),
                    path);
}

Status parse_head(std::span<const std::byte> bytes, JournalHead& head, const std::string& path) {
  for (std::size_t i = 0; i < kMagic.size(); ++i) {
    if (bytes[i] != static_cast<std::byte>(kMagic[i])) {
      return make_error(StatusCode::kCorrupt, "is no journal of a bake; --force bakes from the start", path);
    }
  }
  if (load_word<std::uint64_t>(bytes.data() + kChecksumAt) != checksum_bytes(0, bytes.first(kChecksumAt))) {
    return make_error(StatusCode::kCorrupt, "fails the checksum of its head; --force bakes from the start",
                      path);
  }
  if (const auto version = load_word<std::uint32_t>(bytes.data() + kVersionAt); version > kJournalVersion) {
    return make_error(StatusCode::kUnsupported,
                      "has journal version " + std::to_string(version) + "; this strew reads up to " +
                          std::to_string(kJournalVersion) + ", use a newer one, or bake anew with --force",
                      path);
  }
  head.record_bytes = load_word<std::uint32_t>(bytes.data() + kRecordBytesAt);
  head.key = load_word<std::uint64_t>(bytes.data() + kKeyAt);
  head.inputs_stamp = load_word<std::uint64_t>(bytes.data() + kStampAt);
  head.shard = load_word<std::uint32_t>(bytes.data() + kShardAt);
  head.shards = load_word<std::uint32_t>(bytes.data() + kShardsAt);
  if (head.record_bytes < 64 || head.record_bytes > kMaxRecordBytes || head.shard >= head.shards) {
    return make_error(StatusCode::kCorrupt, "has an impossible head; --force bakes from the start", path);
  }
  return {};
}

}  // namespace

std::vector<std::byte> journal_head_bytes(const JournalHead& head) {
  std::vector<std::byte> bytes(kHeadBytes);
  for (std::size_t i = 0; i < kMagic.size(); ++i) {
    bytes[i] = static_cast<std::byte>(kMagic[i]);
  }
  store_word(bytes.data() + kVersionAt, kJournalVersion);
  store_word(bytes.data() + kRecordBytesAt, head.record_bytes);
  store_word(bytes.data() + kKeyAt, head.key);
  store_word(bytes.data() + kStampAt, head.inputs_stamp);
  store_word(bytes.data() + kShardAt, head.shard);
  store_word(bytes.data() + kShardsAt, head.shards);
  store_word(bytes.data() + kChecksumAt, checksum_bytes(0, std::span(bytes).first(kChecksumAt)));
  return bytes;
}

Journal::~Journal() {
  close();
}

void Journal::close() noexcept {
  if (descriptor_ >= 0) {
    ::close(descriptor_);
  }
  descriptor_ = -1;
  size_ = 0;
}

Status Journal::open(const std::string& path) {
  close();
  path_ = path;
  // Read-only is enough to read a finished bake on read-only media.
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  writable_ = descriptor_ >= 0;
  if (!writable_ && (errno == EACCES || errno == EROFS)) {
    descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (descriptor_ < 0) {
    return errno == ENOENT ? make_error(StatusCode::kNotFound, "there is no journal", path)
                           : failed("cannot be opened", errno, path);
  }
  std::vector<std::byte> head(kHeadBytes);
  if (::pread(descriptor_, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) {
    return make_error(StatusCode::kCorrupt, "is no journal of a bake; --force bakes from the start", path);
  }
  STREW_RETURN_IF_ERROR(parse_head(head, head_, path));
  struct stat facts {};
  if (::fstat(descriptor_, &facts) != 0) {
    return failed("has no size", errno, path);
  }
  size_ = (static_cast<std::uint64_t>(facts.st_size) - kHeadBytes) / head_.record_bytes;
  const auto whole = static_cast<off_t>(kHeadBytes + size_ * head_.record_bytes);
  if (whole != facts.st_size && writable_ && ::ftruncate(descriptor_, whole) != 0) {
    return failed("cannot be cut to its whole records", errno, path);
  }
  return {};
}

Status Journal::create(const std::string& path, const JournalHead& head) {
  close();
  STREW_RETURN_IF_ERROR(write_atomically(path, journal_head_bytes(head)));
  return open(path);
}

Status Journal::read(std::uint64_t first, std::span<std::byte> bytes) const {
  auto at = static_cast<off_t>(kHeadBytes + first * head_.record_bytes);
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), at);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      return failed("cannot be read", got < 0 ? errno : EIO, path_);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(got));
    at += got;
  }
  return {};
}

Status Journal::append(std::span<const std::byte> records) {
  if (!writable_) {
    return make_error(StatusCode::kIo, "may be read only; make it writable, or bake into another folder",
                      path_);
  }
  const auto start = static_cast<off_t>(kHeadBytes + size_ * head_.record_bytes);
  off_t at = start;
  std::span<const std::byte> left = records;
  while (!left.empty()) {
    const ssize_t written = ::pwrite(descriptor_, left.data(), left.size(), at);
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      const int error = written < 0 ? errno : ENOSPC;
      // A record that found no room is taken back, so that what is there stays whole records.
      if (::ftruncate(descriptor_, start) != 0) {
        return failed("cannot be written, nor cut back", error, path_);
      }
      return failed("cannot be written", error, path_);
    }
    left = left.subspan(static_cast<std::size_t>(written));
    at += written;
  }
  size_ += records.size() / head_.record_bytes;
  return {};
}

Status Journal::flush() const {
  return ::fsync(descriptor_) == 0 ? Status{} : failed("cannot be flushed to the disk", errno, path_);
}

}  // namespace strew
