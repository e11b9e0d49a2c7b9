// DelayLine: bytes on a slow way, in order.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "sim/kernel.h"

namespace holdfast::serve {

class DelayLine {
 public:
  DelayLine(sim::Kernel& kernel, sim::Action arrives) : kernel_(kernel), arrives_(arrives) {}
  ~DelayLine() { kernel_.cancel(event_); }
  DelayLine(const DelayLine&) = delete;
  DelayLine& operator=(const DelayLine&) = delete;

  bool empty() const { return pieces_.empty(); }
  std::size_t bytes() const { return bytes_; }

  // Not before what was sent earlier. The action is run when the first piece is due.
  void push(std::string bytes, Duration delay) {
    sim::TrueTime due = kernel_.now() + delay;
    if (!pieces_.empty()) due = std::max(due, pieces_.back().due);
    bytes_ += bytes.size();
    pieces_.push_back({due, std::move(bytes)});
    schedule();
  }
  // The first piece, when its time has come; then the action is run for the next. Else empty.
  std::string take() {
    event_ = {};
    if (pieces_.empty() || pieces_.front().due > kernel_.now()) return {};
    std::string bytes = std::move(pieces_.front().bytes);
    pieces_.pop_front();
    bytes_ -= bytes.size();
    schedule();
    return bytes;
  }

 private:
  struct Piece {
    sim::TrueTime due;
    std::string bytes;
  };
  void schedule() {
    if (!event_ && !pieces_.empty()) event_ = kernel_.at(pieces_.front().due, arrives_);
  }

  sim::Kernel& kernel_;
  sim::Action arrives_;
  std::deque<Piece> pieces_;
  std::size_t bytes_ = 0;
  sim::EventId event_ = {};
};

}  // namespace holdfast::serve
