// LuaMemory: the allocator of one Lua state, which also leads from the state to its engine. Small
// blocks come from free lists, because a script makes a few small tables and strings each time it
// runs.
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
    if (old_size > kLargest && size > kLargest) return std::realloc(block, size);
    void* moved = take(size);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, block, old_size < size ? old_size : size);
    give(block, old_size);
    return moved;
  }

  void* take(std::size_t size) {
    if (size > kLargest) return std::malloc(size);
    Free*& list = free_[class_of(size)];
    if (list == nullptr) refill(class_of(size));
    Free* block = list;
    list = block->next;
    return block;
  }

  void give(void* block, std::size_t size) {
    if (size > kLargest) return std::free(block);
    Free* free = new (block) Free{free_[class_of(size)]};
    free_[class_of(size)] = free;
  }

  void refill(std::size_t size_class) {
    const std::size_t size = size_class * kStep;
    chunks_.push_back(std::make_unique<Chunk>());
    std::byte* chunk = chunks_.back()->bytes;
    for (std::size_t at = 0; at + size <= kChunk; at += size) give(chunk + at, size);
  }

  struct Free {
    Free* next;
  };
  struct Chunk {
    alignas(std::max_align_t) std::byte bytes[kChunk];
  };
  ScriptEngine& engine_;
  std::array<Free*, kLargest / kStep + 1> free_{};
  std::vector<std::unique_ptr<Chunk>> chunks_;
};

}  // namespace holdfast::sim::redis
