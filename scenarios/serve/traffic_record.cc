#include "scenarios/serve/traffic_record.h"

#include <fmt/format.h>

#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "reports/history/kind_names.h"

namespace holdfast::serve {

TrafficRecord::TrafficRecord(const std::string& folder, const scenario::Scenario& scenario)
    : path_(folder + "/traffic.jsonl") {
  std::filesystem::create_directories(folder);
  file_.open(path_, std::ios::binary | std::ios::trunc);
  if (!file_) throw std::system_error(errno, std::generic_category(), path_);
  line_ = "{\"holdfast-traffic\":1";
  text("scenario", scenario.name);
  line_ += ",\"nodes\":[";
  for (const std::string& name : node_names(scenario)) {
    if (line_.back() != '[') line_ += ',';
    quoted(name);
  }
  line_ += ']';
  end();
}

// Bytes that are not UTF-8 become U+FFFD, as in history files.
void TrafficRecord::quoted(std::string_view bytes) {
  const nlohmann::json json = std::string(bytes);
  line_ += json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void TrafficRecord::begin(std::string_view kind, NodeId node) {
  line_ = fmt::format("{{\"at\":{},\"kind\":\"{}\"",
                      front_->kernel().now().time_since_epoch().count(), kind);
  if (node != 0) text("node", front_->cluster().name(node));
}
void TrafficRecord::field(std::string_view name, std::int64_t value) {
  line_ += fmt::format(",\"{}\":{}", name, value);
}
void TrafficRecord::text(std::string_view name, std::string_view value) {
  line_ += fmt::format(",\"{}\":", name);
  quoted(value);
}
void TrafficRecord::end() {
  line_ += "}\n";
  file_ << line_;
}

void TrafficRecord::opened(const Connection& client, NodeId node) {
  begin("opened", node);
  field("client", static_cast<std::int64_t>(client.number()));
  text("from", client.peer());
  end();
}

void TrafficRecord::left(const Connection& client, NodeId node) {
  begin("left", node);
  field("client", static_cast<std::int64_t>(client.number()));
  end();
}

void TrafficRecord::commanded(const Connection& client, NodeId node, const Command& command) {
  begin("command", node);
  field("client", static_cast<std::int64_t>(client.number()));
  line_ += ",\"command\":";
  for (std::size_t i = 0; i < command.size(); ++i) {
    line_ += i == 0 ? '[' : ',';
    quoted(command[i]);
  }
  line_ += ']';
  end();
}

void TrafficRecord::value(const Reply& reply) {
  using Type = Reply::Type;
  if (reply.is_nil()) {
    line_ += "null";
  } else if (reply.type == Type::integer) {
    line_ += std::to_string(reply.integer);
  } else if (reply.type == Type::boolean) {
    line_ += reply.integer != 0 ? "true" : "false";
  } else if (reply.is_error()) {
    line_ += "{\"error\":";
    quoted(reply.text);
    line_ += '}';
  } else if (reply.elements.empty() && !reply.text.empty()) {
    quoted(reply.text);
  } else if (reply.type == Type::bulk) {
    line_ += "\"\"";
  } else {
    line_ += '[';
    for (std::size_t i = 0; i < reply.elements.size(); ++i) {
      if (i > 0) line_ += ',';
      value(reply.elements[i]);
    }
    line_ += ']';
  }
}

void TrafficRecord::answered(const Connection& client, NodeId node, const Reply& reply, bool told) {
  begin("reply", node);
  field("client", static_cast<std::int64_t>(client.number()));
  line_ += ",\"reply\":";
  value(reply);
  line_ += told ? ",\"told\":true" : ",\"told\":false";
  end();
}

void TrafficRecord::happened(history::Kind kind, NodeId node, std::int64_t a, std::int64_t b) {
  begin(history::kind_name(kind), node);
  if (a != 0) field("a", a);
  if (b != 0) field("b", b);
  end();
}

void TrafficRecord::fault(const std::string& words) {
  begin("fault", 0);
  text("words", words);
  end();
}

void TrafficRecord::overlap(const PossibleOverlap& overlap) {
  begin("possible_overlap", overlap.first.master);
  text("key", overlap.first.key);
  field("first_client", static_cast<std::int64_t>(overlap.first.client));
  text("first_value", overlap.first.token);
  field("first_told", overlap.first.told);
  field("first_until", overlap.first.until);
  field("second_client", static_cast<std::int64_t>(overlap.second.client));
  text("second_value", overlap.second.token);
  field("until", overlap.until);
  if (!overlap.first.lost.empty()) text("lost", overlap.first.lost);
  end();
}

}  // namespace holdfast::serve
