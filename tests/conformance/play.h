// Playing rows on labs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/conformance/expectation.h"
#include "tests/conformance/lab.h"
#include "tests/conformance/row.h"

namespace holdfast::conformance {

// One run of a row: the lab, and what its steps tell each other.
class Play {
 public:
  explicit Play(Lab& lab) : lab_(lab) {}

  Lab& lab() { return lab_; }
  void find(Finding finding) {
    if (!finding_) finding_ = std::move(finding);
  }
  const Finding& finding() const { return finding_; }

  void send(const Connection& connection, std::span<const Command> commands);
  void expect(const Connection& connection, const Expectation& reply, const Timing& when);
  Answer ask(const Connection& connection, std::string_view command);
  void until(const Connection& connection, const std::string& command, const Expectation& reply,
             const Timing& when);
  std::string info(const Connection& connection, const std::string& section,
                   const std::string& field);

  Duration marked{};
  std::map<std::string, std::string, std::less<>> remembered;  // fields of INFO
  std::map<std::string, std::int64_t, std::less<>> offsets;    // by node

 private:
  Lab& lab_;
  Finding finding_;
  std::map<std::string, Duration, std::less<>> sent_;  // by connection
};

// The first thing that is not as the row says, with its step; empty when all is.
Finding play(const Row& row, Lab& lab);

enum class World : std::uint8_t { simulated, real };
std::unique_ptr<Lab> make_lab(World world, const Topology& topology);
// As the tests do: a row that is only late in the real world is played twice more.
Finding play_in(World world, const Row& row);

}  // namespace holdfast::conformance
