#include "scenarios/live/watched_keys.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>

namespace holdfast::live {

using history::Event;
using history::Kind;
using std::chrono::milliseconds;

namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

std::optional<std::int64_t> number(const std::string& text) {
  std::int64_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t in_ms(WallInstant wall) {
  return std::chrono::floor<milliseconds>(wall).time_since_epoch().count();
}

// What EXPIRE and its kin, or an option of SET, make of a number: an absolute deadline in ms.
std::optional<std::int64_t> deadline(const std::string& word, const std::string& argument,
                                     std::int64_t now_ms) {
  const auto value = number(argument);
  if (!value) return std::nullopt;
  if (word == "PX" || word == "PEXPIRE" || word == "PSETEX") return now_ms + *value;
  if (word == "EX" || word == "EXPIRE" || word == "SETEX") return now_ms + *value * 1000;
  if (word == "PXAT" || word == "PEXPIREAT") return *value;
  if (word == "EXAT" || word == "EXPIREAT") return *value * 1000;
  return std::nullopt;
}

}  // namespace

void WatchedKeys::write(Kind kind, Instant at, const std::string& key, const std::string& value,
                        history::ActorId actor, std::int64_t a) {
  Event event;
  event.kind = kind;
  event.actor = actor;
  event.node = node_;
  event.resource = static_cast<history::ResourceId>(names_.resources.find(key));
  event.token = value.empty() ? 0 : names_.tokens.intern(value);
  event.a = a;
  history_.add(at, event);
  if (kind != Kind::key_expired) open_.changed = true;
}

// A key is dead once the server's millisecond clock has passed its deadline (FID-E1).
bool WatchedKeys::alive(const std::string& key, std::int64_t now_ms) const {
  const auto found = keys_.find(key);
  if (found == keys_.end()) return false;
  return found->second.deadline_ms < 0 || now_ms <= found->second.deadline_ms;
}

history::Nanos WatchedKeys::true_deadline(std::int64_t deadline_ms, Instant at,
                                          const ServerTimes& times) const {
  if (deadline_ms < 0) return -1;
  const auto when = times.at_present_rate(WallInstant(milliseconds(deadline_ms + 1)), at);
  return when ? history_.since_start(*when) : -2;
}

void WatchedKeys::expire_by(const std::string& key, Instant now, const ServerTimes& times) {
  const auto found = keys_.find(key);
  if (found == keys_.end() || found->second.deadline_ms < 0) return;
  const auto dead = times.host_when(WallInstant(milliseconds(found->second.deadline_ms + 1)),
                                    found->second.since);
  if (!dead || *dead > now) return;
  write(Kind::key_expired, *dead, key, found->second.value, 0, 0);
  keys_.erase(found);
}

void WatchedKeys::store(const Command& command, const std::string& value, std::int64_t deadline_ms,
                        const ServerTimes& times) {
  const std::string& key = command.arguments[1];
  keys_[key] = {value, deadline_ms, command.at};
  write(Kind::key_set, command.at, key, value, command.actor,
        true_deadline(deadline_ms, command.at, times));
}

void WatchedKeys::change_ttl(const Command& command, std::int64_t deadline_ms,
                             const ServerTimes& times) {
  const std::string& key = command.arguments[1];
  Key& held = keys_[key];
  held.deadline_ms = deadline_ms;
  held.since = command.at;
  write(Kind::key_ttl_changed, command.at, key, held.value, command.actor,
        true_deadline(deadline_ms, command.at, times));
}

void WatchedKeys::remove(const Command& command) {
  const std::string& key = command.arguments[1];
  const auto found = keys_.find(key);
  if (found == keys_.end()) return;
  write(Kind::key_deleted, command.at, key, found->second.value, command.actor, 0);
  keys_.erase(found);
}

void WatchedKeys::execute_set(const Command& command, const ServerTimes& times) {
  const auto& arguments = command.arguments;
  if (arguments.size() < 3) return;
  const std::string& key = arguments[1];
  std::int64_t until = -1;
  bool only_new = false;
  bool only_there = false;
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    const std::string word = upper(arguments[i]);
    only_new = only_new || word == "NX";
    only_there = only_there || word == "XX";
    if (word == "KEEPTTL" && alive(key, command.now_ms)) until = keys_.at(key).deadline_ms;
    if (i + 1 == arguments.size()) break;
    if (const auto at = deadline(word, arguments[i + 1], command.now_ms)) until = *at;
  }
  const bool there = alive(key, command.now_ms);
  if ((only_new && there) || (only_there && !there)) return;
  store(command, arguments[2], until, times);
}

void WatchedKeys::execute(const Command& command, const ServerTimes& times) {
  const auto& arguments = command.arguments;
  const std::string verb = upper(arguments[0]);
  if (verb == "SET") return execute_set(command, times);
  const bool there = alive(arguments[1], command.now_ms);
  if (verb == "SETNX" && arguments.size() == 3) {
    if (!there) store(command, arguments[2], -1, times);
    return;
  }
  if (verb == "GETSET" && arguments.size() == 3) return store(command, arguments[2], -1, times);
  if ((verb == "SETEX" || verb == "PSETEX") && arguments.size() == 4) {
    const auto until = deadline(verb, arguments[2], command.now_ms);
    return store(command, arguments[3], until.value_or(-1), times);
  }
  if (!there) return;
  if (verb == "DEL" || verb == "UNLINK" || verb == "GETDEL") return remove(command);
  if (verb == "PERSIST") return change_ttl(command, -1, times);
  if (arguments.size() < 3) return;
  if (const auto until = deadline(verb, arguments[2], command.now_ms)) {
    if (*until < command.now_ms) return remove(command);
    change_ttl(command, *until, times);
  }
}

// A client's command is told after what it did, as in the simulated world: a script's effects are
// the lines inside it.
void WatchedKeys::close_command() {
  if (open_.key.empty()) return;
  write(Kind::command_executed, open_.at, open_.key, open_.token, open_.actor,
        open_.changed ? 1 : 0);
  open_ = {};
}

void WatchedKeys::open_command(const MonitorLine& line, std::size_t place, Instant at) {
  if (actor_ == 0) return;
  open_ = {line.arguments[place], {}, actor_, at, false};
  for (std::size_t i = line.arguments.size(); i > place + 1 && open_.token.empty(); --i) {
    if (names_.tokens.find(line.arguments[i - 1]) != 0) open_.token = line.arguments[i - 1];
  }
}

bool WatchedKeys::is_lock(const std::string& key) const {
  const auto resource = names_.resources.find(key);
  return std::any_of(names_.setup.locks.begin(), names_.setup.locks.end(),
                     [&](const auto& one) { return one.resource == resource; });
}

void WatchedKeys::follow(const std::vector<MonitorLine>& lines, const ServerTimes& times) {
  for (const MonitorLine& line : lines) {
    if (!line.in_script()) {
      close_command();
      actor_ = actor_of_(line.client);
    }
    if (line.arguments.size() < 2) continue;
    const std::string verb = upper(line.arguments[0]);
    const bool script = verb == "EVAL" || verb == "EVALSHA";
    const std::size_t place = script ? 3 : 1;
    if (line.arguments.size() <= place || !is_lock(line.arguments[place])) continue;
    const Instant at = times.host_before(line.server_time, line.arrived);
    expire_by(line.arguments[place], at, times);
    if (!line.in_script()) open_command(line, place, at);
    if (!script) execute({line.arguments, actor_, at, in_ms(line.server_time)}, times);
  }
  close_command();
}

void WatchedKeys::found(const std::string& key, const std::string& value, std::int64_t ttl_ms,
                        Instant at, const ServerTimes& times, history::DropCause when_gone) {
  expire_by(key, at, times);
  const auto before = keys_.find(key);
  if (value.empty()) {
    if (before == keys_.end()) return;
    write(Kind::key_dropped, at, key, before->second.value, 0,
          static_cast<std::int64_t>(when_gone));
    keys_.erase(before);
    return;
  }
  const std::int64_t until = ttl_ms < 0 ? -1 : in_ms(times.wall(at)) + ttl_ms;
  keys_[key] = {value, until, at};
  write(Kind::key_set, at, key, value, 0, true_deadline(until, at, times));
}

void WatchedKeys::finish(Instant end, const ServerTimes& times) {
  std::vector<std::string> left;
  for (const auto& [key, held] : keys_) left.push_back(key);
  for (const auto& key : left) expire_by(key, end, times);
}

}  // namespace holdfast::live
