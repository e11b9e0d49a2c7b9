// LuaMemory: the allocator of one Lua state, which also leads from the state to its engine. Small
// blocks come from free lists, because a script makes a few small tables and strings each time it
// runs. What a script may have is bounded, as its machine's memory would be.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace holdfast::sim::redis {

class ScriptEngine;

class LuaMemory {
 public:
  explicit LuaMemory(ScriptEngine& engine) : engine_(engine) {}
  LuaMemory(const LuaMemory&) = delete;
  LuaMemory& operator=(const LuaMemory&) = delete;

  ScriptEngine& engine() { return engine_; }

  // Of type lua_Alloc.
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t size) {
    return static_cast<LuaMemory*>(self)->resize(block, old_size, size);
  }

 private:
  static constexpr std::size_t kStep = 16;
  static constexpr std::size_t kLargest = 256;
  static constexpr std::size_t kChunk = 16 * 1024;
  static constexpr std::size_t kMost = 256 << 20;  // in blocks larger than kLargest, and chunks

  static std::size_t class_of(std::size_t size) { return (size + kStep - 1) / kStep; }

  void* resize(void* block, std::size_t old_size, std::size_t size) {
    if (block == nullptr) return size == 0 ? nullptr : take(size);
    if (size == 0) {
      give(block, old_size);
      return nullptr;
    }
    if (old_size <= kLargest && size <= kLargest && class_of(old_size) == class_of(size)) {
      return block;
    }
    if (old_size > kLargest && size > kLargest) return resize_large(block, old_size, size);
    void* moved = take(size);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, old_size < size ? old_size : size);
    give(block, old_size);
    return moved;
  }

  void* resize_large(void* block, std::size_t old_size, std::size_t size) {
    if (size > old_size && !has_room(size - old_size)) return nullptr;
    void* moved = std::realloc(block, size);
    if (moved != nullptr) used_ += size - old_size;
    return moved;
  }

  bool has_room(std::size_t size) const { return size <= kMost && used_ <= kMost - size; }

  void* take(std::size_t size) {
    if (size > kLargest) {
      if (!has_room(size)) return nullptr;
      used_ += size;
      return std::malloc(size);
    }
    Free*& list = free_[class_of(size)];
    if (list == nullptr && !refill(class_of(size))) return nullptr;
    Free* block = list;
    list = block->next;
    return block;
  }

  void give(void* block, std::size_t size) {
    if (size > kLargest) {
      used_ -= size;
      return std::free(block);
    }
    Free* free = new (block) Free{free_[class_of(size)]};
    free_[class_of(size)] = free;
  }

  bool refill(std::size_t size_class) {
    const std::size_t size = size_class * kStep;
    if (!has_room(kChunk)) return false;
    used_ += kChunk;
    chunks_.push_back(std::make_unique<Chunk>());
    std::byte* chunk = chunks_.back()->bytes;
    for (std::size_t at = 0; at + size <= kChunk; at += size) give(chunk + at, size);
    return true;
  }

  struct Free {
    Free* next;
  };
  struct Chunk {
    alignas(std::max_align_t) std::byte bytes[kChunk];
  };
  ScriptEngine& engine_;
  std::size_t used_ = 0;
  std::array<Free*, kLargest / kStep + 1> free_{};
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace holdfast::sim::redis
