#include "sim/redis/dataset.h"

namespace holdfast::sim::redis {

namespace {
// What a watcher is told of a value: strings only.
std::string_view text_of(const Entry& entry) { return entry.value.text; }
}  // namespace

void Dataset::reset(history::NodeId node, Clock wall, int hz) {
  keys_.clear();
  wall_ = wall;
  node_ = node;
  actor_ = 0;
  command_ = 0;
  ++run_;
  master_ = true;
  replaying_ = false;
  silent_ = false;
  sweeping_ = true;
  removals_watched_ = false;
  cycle_ = Duration(std::chrono::seconds(1)) / hz;
  cycles_from_ = kernel_.now();
  swept_ = kernel_.now();
  deaths_.forget();
  sweeps_.forget();
  now_ms_ = fresh_ms();
}

ServerWatcher::Key Dataset::describe(const Entry& entry, std::string_view value) const {
  ServerWatcher::Key key{node_, entry.watch, value, actor_, -1};
  if (entry.present() && entry.deadline_ms != kNoDeadline) {
    const auto end = death(entry.deadline_ms);
    key.deadline = end ? end->time_since_epoch().count() : -2;
  }
  return key;
}

Entry& Dataset::name(std::string_view key) {
  bool is_new = false;
  Entry& entry = keys_.intern(key, is_new);
  if (is_new) entry.watch = watcher_.watch(node_, key);
  return entry;
}

Entry* Dataset::find(std::string_view key) {
  Entry* entry = keys_.find(key);
  if (entry == nullptr || !entry->present()) return nullptr;
  if (replaying_ || !dead(*entry)) return entry;
  tell_expired(*entry);
  if (master_) remove_dead(*entry);
  return nullptr;
}

bool Dataset::holds(std::string_view key, std::string_view text) const {
  const Entry* entry = keys_.find(key);
  if (entry == nullptr || entry->value.type != ValueType::string) return false;
  if (entry->deadline_ms != kNoDeadline && fresh_ms() > entry->deadline_ms) return false;
  return entry->value.text == text;
}

void Dataset::tell_expired(Entry& entry) {
  if (!tells(entry) || entry.told_dead) return;
  entry.told_dead = true;
  ServerWatcher::Key key = describe(entry, text_of(entry));
  key.actor = 0;
  watcher_.key_expired(key);
}

void Dataset::erase(Entry& entry) {
  entry.value.clear();
  entry.deadline_ms = kNoDeadline;
  entry.told_dead = false;
}

void Dataset::remove_dead(Entry& entry) {
  if (propagation_.wanted()) propagation_.add().add("DEL").add(entry.name);
  erase(entry);
}

void Dataset::put(std::string_view key, std::string_view text, std::int64_t deadline_ms) {
  Entry& entry = name(key);
  previous_.clear();
  if (tells(entry) && entry.present() && !dead(entry)) previous_.swap(entry.value.text);
  if (entry.value.type != ValueType::string) entry.value.clear();
  entry.value.type = ValueType::string;
  entry.value.text.assign(text);
  entry.deadline_ms = deadline_ms;
  entry.told_dead = false;
  entry.changed_by = command_;
  if (tells(entry)) watcher_.key_set(describe(entry, text_of(entry)), previous_);
  arm(entry);
}

void Dataset::change_text(Entry& entry, std::string_view text) {
  previous_.clear();
  if (tells(entry) && !dead(entry)) previous_.swap(entry.value.text);
  entry.value.text.assign(text);
  entry.changed_by = command_;
  if (tells(entry)) watcher_.key_set(describe(entry, text_of(entry)), previous_);
  arm(entry);
}

void Dataset::set_deadline(Entry& entry, std::int64_t deadline_ms) {
  const bool was_dead = entry.told_dead;
  entry.deadline_ms = deadline_ms;
  entry.changed_by = command_;
  entry.told_dead = false;
  if (tells(entry)) {
    const ServerWatcher::Key key = describe(entry, text_of(entry));
    if (was_dead && !dead(entry)) watcher_.key_revived(key);
    watcher_.key_ttl_changed(key);
  }
  arm(entry);
}

void Dataset::remove(Entry& entry) {
  entry.changed_by = command_;
  if (tells(entry) && !entry.told_dead) {
    if (dead(entry)) {
      tell_expired(entry);
    } else {
      watcher_.key_deleted(describe(entry, text_of(entry)));
    }
  }
  erase(entry);
}

void Dataset::drop(Entry& entry, history::DropCause cause) {
  entry.changed_by = command_;
  if (tells(entry) && !entry.told_dead) {
    if (dead(entry)) {
      tell_expired(entry);
    } else {
      watcher_.key_dropped(describe(entry, text_of(entry)), cause);
    }
  }
  erase(entry);
}

void Dataset::drop_all(history::DropCause cause) {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].present()) drop(keys_[i], cause);
  }
}

Entry& Dataset::open(std::string_view key, ValueType type) {
  Entry& entry = name(key);
  if (!entry.present()) {
    entry.value.type = type;
    entry.deadline_ms = kNoDeadline;
    entry.told_dead = false;
  }
  return entry;
}

void Dataset::changed(Entry& entry) {
  const bool empty = entry.value.type == ValueType::hash ? entry.value.fields.size() == 0
                                                         : entry.value.list.size() == 0;
  if (empty) return remove(entry);
  entry.changed_by = command_;
  if (tells(entry)) watcher_.key_set(describe(entry, text_of(entry)), {});
}

void Dataset::appended(Entry& entry, std::string_view element) {
  entry.changed_by = command_;
  if (tells(entry)) watcher_.list_appended(describe(entry, text_of(entry)), element);
}

void Dataset::lose_all(history::DropCause cause) {
  begin(0);
  drop_all(cause);
  keys_.clear();
  deaths_.stop(kernel_);
  sweeps_.stop(kernel_);
}

void Dataset::load(const Keyspace& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (!keys[i].present()) continue;
    Entry& entry = name(keys[i].name);
    entry.value.copy_from(keys[i].value);
    entry.deadline_ms = keys[i].deadline_ms;
    entry.told_dead = false;
  }
}

void Dataset::forget_dead() {
  begin(0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (keys_[i].present() && dead(keys_[i])) erase(keys_[i]);
  }
}

void Dataset::announce() {
  begin(0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    Entry& entry = keys_[i];
    if (!entry.present()) continue;
    if (dead(entry)) {
      entry.told_dead = true;  // died while nobody held it: nothing to tell
    } else if (tells(entry)) {
      watcher_.key_set(describe(entry, text_of(entry)), {});
    }
    arm(entry);
  }
}

void Dataset::replace(const Keyspace& keys) {
  begin(0);
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    Entry& old = keys_[i];
    if (!old.present()) continue;
    const Entry* fresh = keys.find(old.name);
    const bool stays = fresh != nullptr && fresh->present() && fresh->value.equals(old.value);
    if (!stays) drop(old, history::DropCause::resync);
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Entry& fresh = keys[i];
    if (!fresh.present()) continue;
    Entry& entry = name(fresh.name);
    if (entry.present()) {
      if (entry.deadline_ms != fresh.deadline_ms) set_deadline(entry, fresh.deadline_ms);
      continue;
    }
    entry.value.copy_from(fresh.value);
    entry.deadline_ms = fresh.deadline_ms;
    entry.told_dead = dead(entry);
    if (tells(entry) && !entry.told_dead) watcher_.key_set(describe(entry, text_of(entry)), {});
    arm(entry);
  }
}

}  // namespace holdfast::sim::redis
