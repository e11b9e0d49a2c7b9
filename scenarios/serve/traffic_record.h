// TrafficRecord: everything that clients said and were told, and what happened to the nodes, as
// JSON lines. `at`, `kind`, `node`, `a` and `b` are those of history files
// (reports/read/history_json.h); the kinds "command", "reply", "opened", "left", "fault" and
// "possible_overlap" are of these files alone.
//
//   {"at":12000345,"kind":"command","node":"n1","client":3,"command":["SET","jobs/42","a1","NX"]}
//   {"at":12000345,"kind":"reply","node":"n1","client":3,"reply":"OK","told":true}
#pragma once

#include <fstream>
#include <string>
#include <string_view>

#include "scenarios/serve/claims.h"
#include "scenarios/serve/front.h"

namespace holdfast::serve {

class TrafficRecord final : public TrafficWatcher {
 public:
  // Creates DIR and DIR/traffic.jsonl. Throws std::system_error when it cannot.
  TrafficRecord(const std::string& folder, const scenario::Scenario& scenario);
  void attach(Front& front) { front_ = &front; }

  void opened(const Connection& client, NodeId node) override;
  void commanded(const Connection& client, NodeId node, const Command& command) override;
  void answered(const Connection& client, NodeId node, const Reply& reply, bool told) override;
  void left(const Connection& client, NodeId node) override;

  void happened(history::Kind kind, NodeId node, std::int64_t a, std::int64_t b);
  void fault(const std::string& words);
  void overlap(const PossibleOverlap& overlap);
  bool failed() const { return !file_; }  // the disk is full, ...
  void flush() { file_.flush(); }
  const std::string& path() const { return path_; }

 private:
  // Begins a line: time, kind, node (0: none).
  void begin(std::string_view kind, NodeId node);
  void field(std::string_view name, std::int64_t value);
  void text(std::string_view name, std::string_view value);
  void value(const Reply& reply);
  void quoted(std::string_view bytes);
  void end();

  std::string path_;
  std::ofstream file_;
  Front* front_ = nullptr;
  std::string line_;
};

}  // namespace holdfast::serve
