// Errors that a scenario makes a server answer instead of executing (READONLY, OOM, LOADING, ...).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/history/event.h"

namespace holdfast::sim::redis {

class InjectedErrors {
 public:
  void reset() { errors_.clear(); }

  // For the commands of `actor`, or everybody's when 0. An empty text ends what was set for it.
  void set(history::ActorId actor, std::string text, bool writes_only) {
    std::erase_if(errors_, [actor](const Error& error) { return error.actor == actor; });
    if (!text.empty()) errors_.push_back({actor, std::move(text), writes_only});
  }
  bool any() const { return !errors_.empty(); }
  // Null: nothing is injected for this command.
  const std::string* find(history::ActorId actor, bool writes) const {
    for (const Error& error : errors_) {
      if ((error.actor == 0 || error.actor == actor) && (writes || !error.writes_only)) {
        return &error.text;
      }
    }
    return nullptr;
  }

 private:
  struct Error {
    history::ActorId actor;
    std::string text;
    bool writes_only;
  };
  std::vector<Error> errors_;
};

}  // namespace holdfast::sim::redis
