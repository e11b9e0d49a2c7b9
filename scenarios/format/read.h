// The reader of each section of a scenario file: from the document to the model. Each checks what
// it reads against the sections read before it, in the order of this header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/format/document.h"
#include "scenarios/format/errors.h"
#include "scenarios/format/model.h"

namespace holdfast::scenario {

void read_servers(const Value& servers, Scenario& scenario, Errors& errors);
void read_cluster(const Value& cluster, Scenario& scenario, Errors& errors);
void read_network(const Value& network, Scenario& scenario, Errors& errors);
void read_guarded(const Value& guarded, Scenario& scenario, Errors& errors);
// `folder`: where the scenario file lies; protocols are looked for from there.
void read_lock(const Value& lock, const std::string& folder, Scenario& scenario, Errors& errors);
void read_clients(const Value& clients, bool obey_loss, Scenario& scenario, Errors& errors);
void read_faults(const Value& faults, Scenario& scenario, Errors& errors);
void read_requires(const Value& facts, Scenario& scenario, Errors& errors);
void read_kills(const Value& kills, Scenario& scenario, Errors& errors);
void read_expect(const Value& expect, Scenario& scenario, Errors& errors);

// The object of a protocol file, or of "protocol" in a scenario file.
Protocol read_protocol(const Value& protocol, Errors& errors);

// What no section can see alone. `document` gives the places.
void check_lock_options(const Value& lock, const Scenario& scenario, Errors& errors);
void check_cluster(const Scenario& scenario, Errors& errors);
void check_live(const Value& document, const Scenario& scenario, Errors& errors);

// -- helpers of the readers
// Complains unless `object` is an object with at least `least` members, each with a proper name
// (letters, digits, '-' and '_', a letter first). `what`: "servers".
bool check_named_members(const Value& object, std::string_view what, std::size_t least,
                         Errors& errors);
// Complains unless `name` is among `known`. `kind`: "server".
bool check_known(std::string_view name, const std::vector<std::string>& known,
                 std::string_view kind, const Origin& origin, Errors& errors);
std::vector<std::string> server_names(const Scenario& scenario);
std::vector<std::string> client_names(const Scenario& scenario);
std::vector<std::string> guarded_names(const Scenario& scenario);
const ServerSpec* find_server(const Scenario& scenario, std::string_view name);

}  // namespace holdfast::scenario
