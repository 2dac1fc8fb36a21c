// Scratch memory of a call, from the caller's allocator.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>

#include "strew/context.hpp"

namespace strew {

/// Uninitialised array of trivially copyable T that grows but keeps no contents. Failure is a Status, never
/// an exception.
template <class T>
class Scratch {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit Scratch(const Allocator* allocator) noexcept : allocator_(allocator) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { release(); }

  /// Makes room for `count` elements, whose contents are unspecified.
  [[nodiscard]] Status reserve(std::size_t count) {
    if (count <= capacity_) {
      return {};
    }
    release();
    const std::size_t bytes = count * sizeof(T);
    void* memory = allocator_ != nullptr ? allocator_->allocate(allocator_->self, bytes, kAlignment)
                                         : ::operator new (bytes, std::align_val_t{kAlignment}, std::nothrow);
    if (memory == nullptr) {
      return make_error(StatusCode::kOutOfMemory, "no memory for " + std::to_string(bytes) +
                                                      " bytes of scratch; ask for a smaller region or tile");
    }
    data_ = static_cast<T*>(memory);
    capacity_ = count;
    return {};
  }
  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] const T* data() const noexcept { return data_; }
  [[nodiscard]] T& operator[](std::size_t i) noexcept { return data_[i]; }
  [[nodiscard]] const T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  static constexpr std::size_t kAlignment = 64;
  void release() noexcept {
    if (data_ == nullptr) {
      return;
    }
    if (allocator_ != nullptr) {
      allocator_->release(allocator_->self, data_, capacity_ * sizeof(T), kAlignment);
    } else {
      ::operator delete (data_, std::align_val_t{kAlignment});
    }
    data_ = nullptr;
    capacity_ = 0;
  }

  const Allocator* allocator_;
  T* data_ = nullptr;
  std::size_t capacity_ = 0;
};

}  // namespace strew
