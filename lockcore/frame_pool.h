// FramePool: memory for coroutine frames and for the small shared states beside them. A lock call
// makes and frees a handful of them, always of the same few sizes: free lists by size class, one
// set a thread, take a few nanoseconds where malloc takes ten times as many.
//
// Blocks may be freed on another thread than they were taken on; they join the list of that thread.
// Off under the address and thread sanitizers, which must see every block's own life.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOLDFAST_FRAME_POOL 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define HOLDFAST_FRAME_POOL 0
#endif
#endif
#ifndef HOLDFAST_FRAME_POOL
#define HOLDFAST_FRAME_POOL 1
#endif

namespace holdfast::detail {

class FramePool {
 public:
  static void* take(std::size_t bytes) {
    const std::size_t index = size_class(bytes);
    if (index >= kClasses) return ::operator new(bytes);
#if HOLDFAST_FRAME_POOL
    Block*& free = free_[index];
    if (free != nullptr) {
      Block* block = free;
      free = block->next;
      return block;
    }
    static_cast<void>(&drain_);  // makes this thread give its lists back when it ends
#endif
    // The whole class also without the pool: a program under a sanitizer may link a library that
    // is not, and its blocks come to rest in that one's lists.
    return ::operator new((index + 1) * kGrain);
  }

  static void give(void* memory, std::size_t bytes) noexcept {
#if HOLDFAST_FRAME_POOL
    const std::size_t index = size_class(bytes);
    if (index < kClasses) {
      free_[index] = ::new (memory) Block{free_[index]};
      return;
    }
#endif
    static_cast<void>(bytes);
    ::operator delete(memory);
  }

 private:
  struct Block {
    Block* next;
  };
  struct Drain {
    ~Drain() {
      for (Block*& free : free_) {
        while (free != nullptr) {
          Block* block = free;
          free = block->next;
          ::operator delete(block);
        }
      }
    }
  };
  static constexpr std::size_t kGrain = 64;
  static constexpr std::size_t kClasses = 32;
  static constexpr std::size_t size_class(std::size_t bytes) noexcept {
    return (bytes - 1) / kGrain;
  }

  static inline constinit thread_local Block* free_[kClasses] = {};
  static inline thread_local Drain drain_;
};

// The pool as a standard allocator, for std::allocate_shared and vectors of a known small size.
template <class T>
struct PoolAllocator {
  using value_type = T;
  PoolAllocator() noexcept = default;
  template <class U>
  PoolAllocator(const PoolAllocator<U>&) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(FramePool::take(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept {
    FramePool::give(memory, count * sizeof(T));
  }
  friend bool operator==(PoolAllocator, PoolAllocator) noexcept { return true; }
};

template <class T, class... Arguments>
std::shared_ptr<T> make_pooled(Arguments&&... arguments) {
  return std::allocate_shared<T>(PoolAllocator<T>(), std::forward<Arguments>(arguments)...);
}

}  // namespace holdfast::detail
