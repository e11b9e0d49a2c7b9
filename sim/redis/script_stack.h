// ScriptStack: a stack of its own for work that may stop half-way and go on later, when virtual
// time has passed. Not a thread: whoever starts or resumes the work waits until it stops again.
#pragma once

#include <memory>

namespace holdfast::sim::redis {

class ScriptStack {
 public:
  using Work = void (*)(void* argument);

  ScriptStack();
  ~ScriptStack();  // nothing may be under way
  ScriptStack(const ScriptStack&) = delete;
  ScriptStack& operator=(const ScriptStack&) = delete;

  // Runs the work until it is over (true) or suspends itself (false). No exception leaves it.
  bool start(Work work, void* argument);
  bool resume();
  void suspend();        // to be called by the work; returns when somebody resumes it
  bool at_work() const;  // its work is what runs now

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;  // made when it is first used
};

}  // namespace holdfast::sim::redis
