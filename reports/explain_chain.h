// Chain: the numbered lines from the injected faults to the violation, while they are collected.
#pragma once

#include <string>
#include <vector>

#include "reports/explain_record.h"
#include "reports/report.h"

namespace holdfast::report {

// What stays when a chain has more lines than fit: higher stays.
namespace weight {
inline constexpr int kViolation = 100;
inline constexpr int kFault = 90;    // a fault's effect that led to the violation
inline constexpr int kKeyEnd = 85;   // why the key was not there
inline constexpr int kAcquire = 80;  // who held it before
inline constexpr int kOrigin = 70;   // what led to a key's end or a call
inline constexpr int kAccess = 60;
inline constexpr int kLooseFault = 55;  // a fault that no line could be connected with
inline constexpr int kContext = 40;
inline constexpr int kFiller = 10;  // shown only while a chain has fewer than three lines
}  // namespace weight

class Chain {
 public:
  static constexpr std::size_t kLeast = 3;
  static constexpr std::size_t kMost = 7;

  explicit Chain(const Record& record) : record_(record) {}

  // Twice the same event: the text of the heavier stays, or of the one that names its fault.
  void add(EventIndex event, int weight, std::string text);
  // The same, as describe() says it.
  void add(EventIndex event, int weight);
  // A pause, crash, cut, clock change, ...: with the fault that made it, when there is one.
  void add_effect(EventIndex effect, int weight);
  // Several effects told in one line at the first of them.
  void add_effects(const std::vector<EventIndex>& effects, int weight, std::string text);
  bool has(EventIndex event) const;
  // Faults that fired before `violation` and are behind none of the lines so far.
  void add_loose_faults(EventIndex violation);

  // In order of happening, trimmed by weight to kMost.
  std::vector<Cause> causes() const;

 private:
  struct Link {
    EventIndex event = kNoEvent;
    int weight = 0;
    std::string text;
    std::vector<std::uint32_t> faults = {};
  };
  void add(Link link);

  const Record& record_;
  std::vector<Link> links_;
};

// The index of the fault behind an effect (0: none found): of those that had struck by then the one
// whose text names most of the processes and servers of the effect, the nearest among equals.
std::uint32_t fault_behind(const Record& record, EventIndex effect);

}  // namespace holdfast::report
