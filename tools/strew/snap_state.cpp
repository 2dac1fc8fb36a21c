#include "snap_state.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "fmt/format.h"
#include "strew/hash.hpp"

namespace strew_tool {
namespace {

using strew::snap::ChunkResult;

constexpr std::string_view kMagic = "strew seed search 1\n";

std::string record_of(const ChunkResult& chunk) {
  std::string bytes;
  const auto put = [&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  };
  const std::uint64_t count = chunk.objective.size();
  put(&chunk.chunk, 8);
  put(&count, 8);
  put(chunk.objective.data(), count * sizeof(double));
  put(chunk.failed.data(), count);
  std::uint64_t sum = count;
  for (const char c : bytes) {
    sum = strew::mix64(sum ^ static_cast<unsigned char>(c)) + 1;
  }
  put(&sum, 8);
  return bytes;
}

/// Bytes of `data` used, or 0 when what is left is no whole record.
std::size_t read_record(std::string_view data, ChunkResult& out) {
  std::uint64_t count = 0;
  if (data.size() < 24) {
    return 0;
  }
  std::memcpy(&out.chunk, data.data(), 8);
  std::memcpy(&count, data.data() + 8, 8);
  if (count > strew::snap::kChunk || data.size() < 24 + count * 9) {
    return 0;
  }
  out.objective.resize(count);
  out.failed.resize(count);
  std::memcpy(out.objective.data(), data.data() + 16, count * 8);
  std::memcpy(out.failed.data(), data.data() + 16 + count * 8, count);
  return record_of(out) == data.substr(0, 24 + count * 9) ? 24 + count * 9 : 0;
}

strew::Status io_error(const std::string& path) {
  return strew::make_error(
      strew::StatusCode::kIo,
      fmt::format("{}; make room or give another folder: the same command goes on from what was kept",
                  std::strerror(errno)),
      path);
}

}  // namespace

strew::Result<SearchState> SearchState::open(const std::string& path, const std::string& search) {
  SearchState state;
  state.path_ = path;
  const std::string header = std::string(kMagic) + search + "\n";
  std::error_code error;
  if (std::filesystem::exists(path, error)) {
    std::string data;
    {
      const std::unique_ptr<std::FILE, Close> old(std::fopen(path.c_str(), "rb"));
      if (old == nullptr) {
        return io_error(path);
      }
      std::array<char, 65536> buffer{};
      for (std::size_t n = 0; (n = std::fread(buffer.data(), 1, buffer.size(), old.get())) > 0;) {
        data.append(buffer.data(), n);
      }
    }
    // A kill or a full disk can leave less than the header: nothing is lost by beginning again.
    const bool begun = data.size() >= header.size();
    if (!begun && header.starts_with(data)) {
      data.clear();
    } else if (!data.starts_with(kMagic)) {
      return strew::invalid_argument(
          "was not written by this version of strew; give another folder or remove the file", path);
    } else if (!data.starts_with(header)) {
      return strew::invalid_argument(
          "holds a search with another kit, method, seeds or expressions; give another folder or remove the "
          "file",
          path);
    }
    const std::size_t head = data.empty() ? 0 : header.size();
    std::string_view left = std::string_view(data).substr(head);
    std::size_t used = head;
    std::set<std::uint64_t> seen;
    // NOLINTNEXTLINE(bugprone-infinite-loop): read_record() is asked each time round
    for (ChunkResult chunk; const std::size_t size = read_record(left, chunk);
         left.remove_prefix(size), used += size) {
      // Two searches in one folder at once leave parts twice.
      if (seen.insert(chunk.chunk).second) {
        state.done_.push_back(chunk);
      }
    }
    std::filesystem::resize_file(path, used, error);
    if (error) {
      return strew::make_error(strew::StatusCode::kIo, error.message(), path);
    }
  }
  state.file_.reset(std::fopen(path.c_str(), "ab"));
  if (state.file_ == nullptr) {
    return io_error(path);
  }
  if (state.done_.empty() && std::filesystem::file_size(path, error) == 0) {
    if (std::fwrite(header.data(), 1, header.size(), state.file_.get()) != header.size() ||
        std::fflush(state.file_.get()) != 0) {
      return io_error(path);
    }
  }
  return state;
}

strew::Status SearchState::append(void* self, const ChunkResult& chunk) {
  auto& state = *static_cast<SearchState*>(self);
  const std::string bytes = record_of(chunk);
  if (std::fwrite(bytes.data(), 1, bytes.size(), state.file_.get()) != bytes.size() ||
      std::fflush(state.file_.get()) != 0) {
    return io_error(state.path_);
  }
  return {};
}

}  // namespace strew_tool
