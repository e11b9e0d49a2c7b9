#include "scenarios/live/client_events.h"

#include <charconv>
#include <nlohmann/json.hpp>

namespace holdfast::live {

namespace {

// Takes the next tab-separated field off `rest`.
std::string_view next_field(std::string_view& rest) {
  const auto tab = rest.find('\t');
  const std::string_view field = rest.substr(0, tab);
  rest = tab == std::string_view::npos ? std::string_view() : rest.substr(tab + 1);
  return field;
}

template <class Number>
bool read_number(std::string_view& rest, Number& number) {
  const std::string_view field = next_field(rest);
  const auto [stop, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  return error == std::errc() && stop == field.data() + field.size();
}

}  // namespace

std::string to_line(const ClientLine& line) {
  std::string text = std::to_string(line.at);
  for (const std::int64_t number : {static_cast<std::int64_t>(line.kind),
                                    static_cast<std::int64_t>(line.grant), line.a, line.b}) {
    text += '\t';
    text += std::to_string(number);
  }
  return text + '\t' + line.resource + '\t' + line.token + '\n';
}

std::optional<ClientLine> parse_client_line(std::string_view line) {
  ClientLine parsed;
  unsigned kind = 0;
  const bool numbers = read_number(line, parsed.at) && read_number(line, kind) &&
                       read_number(line, parsed.grant) && read_number(line, parsed.a) &&
                       read_number(line, parsed.b);
  if (!numbers || kind > static_cast<unsigned>(history::Kind::run_ended)) return std::nullopt;
  parsed.kind = static_cast<history::Kind>(kind);
  parsed.resource = next_field(line);
  parsed.token = next_field(line);
  return parsed;
}

std::string to_json_line(const ClientOrders& orders) {
  nlohmann::json addresses = nlohmann::json::array();
  for (const auto& address : orders.addresses) {
    addresses.push_back({{"name", address.name}, {"host", address.host}, {"port", address.port}});
  }
  const nlohmann::json json = {{"text", orders.scenario_text}, {"file", orders.scenario_file},
                               {"scale", orders.scale},        {"client", orders.client},
                               {"actor", orders.actor},        {"incarnation", orders.incarnation},
                               {"start_at", orders.start_at},  {"key_prefix", orders.key_prefix},
                               {"addresses", addresses}};
  return json.dump() + '\n';
}

std::optional<ClientOrders> parse_orders(std::string_view line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  if (json.is_discarded() || !json.is_object()) return std::nullopt;
  ClientOrders orders;
  orders.scenario_text = json.value("text", "");
  orders.scenario_file = json.value("file", "");
  orders.scale = json.value("scale", 1.0);
  orders.client = json.value("client", "");
  orders.actor = json.value("actor", history::ActorId{0});
  orders.incarnation = json.value("incarnation", 1U);
  orders.start_at = json.value("start_at", std::int64_t{0});
  orders.key_prefix = json.value("key_prefix", "");
  for (const auto& address : json.value("addresses", nlohmann::json::array())) {
    orders.addresses.push_back({address.value("name", ""), address.value("host", ""),
                                address.value("port", std::uint16_t{0})});
  }
  return orders;
}

}  // namespace holdfast::live
