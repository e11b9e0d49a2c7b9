// Two contexts and the way between them. Sanitizers have to be told, or they take the other stack
// for a wild pointer.
#include "sim/redis/script_stack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HOLDFAST_ASAN_STACKS
#endif
#if __has_feature(thread_sanitizer)
#define HOLDFAST_TSAN_STACKS
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define HOLDFAST_ASAN_STACKS
#elif defined(__SANITIZE_THREAD__)
#define HOLDFAST_TSAN_STACKS
#endif
#ifdef HOLDFAST_ASAN_STACKS
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef HOLDFAST_TSAN_STACKS
#include <sanitizer/tsan_interface.h>
#endif

namespace holdfast::sim::redis {

namespace {

// As a program's first thread has it. What is not touched takes no memory; below it lies a page
// that nobody may touch.
constexpr std::size_t kStackSize = 8 << 20;
constexpr std::size_t kStackGuard = 1 << 16;

class StackMemory {
 public:
  StackMemory()
      : begin_(::mmap(nullptr, kStackGuard + kStackSize, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (begin_ == MAP_FAILED) throw std::bad_alloc();
    ::mprotect(begin_, kStackGuard, PROT_NONE);
  }
  ~StackMemory() { ::munmap(begin_, kStackGuard + kStackSize); }
  StackMemory(const StackMemory&) = delete;
  StackMemory& operator=(const StackMemory&) = delete;
  void* stack() const { return static_cast<std::byte*>(begin_) + kStackGuard; }

 private:
  void* begin_;
};

// One of the two sides, as the sanitizers know it.
struct StackSide {
  ucontext_t context{};
#ifdef HOLDFAST_ASAN_STACKS
  void* fake_stack = nullptr;
  const void* bottom = nullptr;
  std::size_t size = 0;
#endif
#ifdef HOLDFAST_TSAN_STACKS
  void* fiber = nullptr;
#endif
};

void leave_stack(StackSide& from, StackSide& to) {
#ifdef HOLDFAST_ASAN_STACKS
  __sanitizer_start_switch_fiber(&from.fake_stack, to.bottom, to.size);
#endif
#ifdef HOLDFAST_TSAN_STACKS
  __tsan_switch_to_fiber(to.fiber, 0);
#endif
  ::swapcontext(&from.context, &to.context);
}

// `self` has been come back to, or is there for the first time, from `other`.
void arrive_at_stack([[maybe_unused]] StackSide& self, [[maybe_unused]] StackSide& other) {
#ifdef HOLDFAST_ASAN_STACKS
  __sanitizer_finish_switch_fiber(self.fake_stack, &other.bottom, &other.size);
#endif
}

}  // namespace

struct ScriptStack::Contexts {
  StackMemory memory;
  StackSide caller;
  StackSide worker;
  Work work = nullptr;
  void* argument = nullptr;
  bool at_work = false;
  bool over = true;

  Contexts() {
    ::getcontext(&worker.context);
    worker.context.uc_stack.ss_sp = memory.stack();
    worker.context.uc_stack.ss_size = kStackSize;
    worker.context.uc_link = nullptr;
    // A context's arguments are ints: the pointer travels in two halves.
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    ::makecontext(&worker.context, reinterpret_cast<void (*)()>(&Contexts::run_for_ever), 2,
                  static_cast<unsigned>(self >> 32), static_cast<unsigned>(self));
#ifdef HOLDFAST_ASAN_STACKS
    worker.bottom = memory.stack();
    worker.size = kStackSize;
#endif
#ifdef HOLDFAST_TSAN_STACKS
    worker.fiber = __tsan_create_fiber(0);
#endif
  }
  ~Contexts() {
#ifdef HOLDFAST_TSAN_STACKS
    __tsan_destroy_fiber(worker.fiber);
#endif
  }
  Contexts(const Contexts&) = delete;
  Contexts& operator=(const Contexts&) = delete;

  static void run_for_ever(unsigned high, unsigned low) {
    auto& self = *reinterpret_cast<Contexts*>((std::uintptr_t{high} << 32) | low);
    arrive_at_stack(self.worker, self.caller);
    while (true) {
      self.work(self.argument);
      self.over = true;
      self.to_caller();
    }
  }
  void to_caller() {
    leave_stack(worker, caller);
    arrive_at_stack(worker, caller);
  }
  bool to_worker() {
#ifdef HOLDFAST_TSAN_STACKS
    caller.fiber = __tsan_get_current_fiber();
#endif
    at_work = true;
    leave_stack(caller, worker);
    arrive_at_stack(caller, worker);
    at_work = false;
    return over;
  }
};

ScriptStack::ScriptStack() = default;
ScriptStack::~ScriptStack() = default;

bool ScriptStack::start(Work work, void* argument) {
  if (!contexts_) contexts_ = std::make_unique<Contexts>();
  contexts_->work = work;
  contexts_->argument = argument;
  contexts_->over = false;
  return contexts_->to_worker();
}

bool ScriptStack::resume() { return contexts_->to_worker(); }
void ScriptStack::suspend() { contexts_->to_caller(); }
bool ScriptStack::at_work() const { return contexts_ && contexts_->at_work; }

}  // namespace holdfast::sim::redis
