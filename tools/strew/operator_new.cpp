// The command's operator new: large blocks from the pools of block_pool.hpp, the rest from malloc. Sanitizers
// keep their own.
#include "block_pool.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define STREW_OWN_NEW 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define STREW_OWN_NEW 0
#endif
#endif

#if defined(__linux__) && !defined(STREW_OWN_NEW)
#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

void* take(std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment <= strew_tool::kPoolAlignment) {
    if (void* const block = strew_tool::pool_take(bytes); block != nullptr) {
      return block;
    }
  }
  if (alignment <= alignof(std::max_align_t)) {
    return std::malloc(bytes != 0 ? bytes : 1);
  }
  void* block = nullptr;
  return ::posix_memalign(&block, alignment, bytes) == 0 ? block : nullptr;
}

void* take_or_throw(std::size_t bytes, std::size_t alignment) {
  for (;;) {
    if (void* const block = take(bytes, alignment); block != nullptr) {
      return block;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) {
      throw std::bad_alloc();
    }
    handler();
  }
}

void give_back(void* block) noexcept {
  if (!strew_tool::pool_give_back(block)) {
    std::free(block);
  }
}

}  // namespace

// The forms for arrays, for no exceptions and with a size call these in the standard library.
void* operator new(std::size_t bytes) {
  return take_or_throw(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return take_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept {
  give_back(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  give_back(block);
}
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept {
  give_back(block);
}
void operator delete(void* block, std::size_t /*bytes*/, std::align_val_t /*alignment*/) noexcept {
  give_back(block);
}
#endif
