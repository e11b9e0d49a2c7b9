// quorum(): the one combinator of the lock core (DESIGN §3, STYLE §3). Asks all nodes in parallel
// and waits for enough of them.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "lockcore/env.h"
#include "lockcore/frame_pool.h"
#include "lockcore/signal.h"
#include "lockcore/task.h"

namespace holdfast {

// What one child says in the end.
template <class T>
struct Vote {
  bool yes = false;
  T value = {};
};

template <class T>
using Children = std::vector<Task<Vote<T>>, detail::PoolAllocator<Task<Vote<T>>>>;

// What is known when quorum() returns. A vote that is not there is *still open*: unknown, neither
// yes nor no.
template <class T>
struct Tally {
  std::vector<std::optional<Vote<T>>, detail::PoolAllocator<std::optional<Vote<T>>>> votes;
  std::size_t need = 0;
  std::size_t yes = 0;
  std::size_t no = 0;

  bool reached() const noexcept { return yes >= need; }
  bool impossible() const noexcept { return votes.size() - no < need; }
  std::size_t open() const noexcept { return votes.size() - yes - no; }
};

namespace detail {

template <class T>
struct Poll {
  Poll(Env& env, std::size_t children, std::size_t need) : changed(env) {
    tally.votes.resize(children);
    tally.need = need;
  }
  bool decided() const noexcept { return tally.reached() || tally.impossible(); }

  Signal changed;
  Tally<T> tally;
  std::size_t started = 0;
};

template <class T>
Task<void> cast_vote(std::shared_ptr<Poll<T>> poll, std::size_t index, Task<Vote<T>> child) {
  ++poll->started;
  // The waiter goes on in an event of its own: after this child has run to its first suspension.
  if (poll->started == poll->tally.votes.size()) poll->changed.notify();
  Vote<T> vote = co_await std::move(child);
  ++(vote.yes ? poll->tally.yes : poll->tally.no);
  poll->tally.votes[index] = std::move(vote);
  if (poll->decided()) poll->changed.notify();
}

}  // namespace detail

// Spawns `children` in the client's scope, in `lane`, and returns at the `need`-th yes, as soon as
// so many can no longer be reached, or at `deadline`, whichever comes first. A child that was
// started is never destroyed: open ones go on in the scope, and what they learn later they tell
// whomever they share a state with. Children bound themselves by deadlines of their own.
//
// `sent`, when given, is passed once every child has run to its first suspension, that is, when the
// command of each is with its connection.
template <class T>
Task<Tally<T>> quorum(Env& env, Lane lane, Children<T> children, std::size_t need, Instant deadline,
                      std::optional<Point> sent) {
  auto poll = detail::make_pooled<detail::Poll<T>>(env, children.size(), need);
  for (std::size_t index = 0; index < children.size(); ++index) {
    env.spawn(detail::cast_vote(poll, index, std::move(children[index])), lane);
  }
  if (sent) {
    // Starts are events of this instant; the bound only keeps the timer's arithmetic small.
    const Instant always = deadline + std::chrono::hours(24);
    while (poll->started < children.size()) {
      co_await Wait(poll->changed, always);
    }
    co_await Checkpoint(env, *sent);
  }
  bool in_time = true;
  while (in_time && !poll->decided()) {
    in_time = co_await Wait(poll->changed, deadline);
  }
  co_return poll->tally;
}

}  // namespace holdfast
