#include "sim/redis/dataset.h"

#include <algorithm>
#include <utility>

namespace holdfast::sim::redis {

namespace {
// What a watcher is told of a value: strings only.
std::string_view text_of(const Entry& entry) { return entry.value.text; }
}  // namespace

void Dataset::reset(history::NodeId node, Clock wall, int hz) {
  databases_.clear();
  selected_ = 0;
  keys_ = &databases_[0];
  listener_ = nullptr;
  limits_ = EncodingLimits();
  random_ = Random(node, Purpose::service);
  wall_ = wall;
  node_ = node;
  actor_ = 0;
  command_ = 0;
  ++run_;
  master_ = true;
  replaying_ = false;
  silent_ = false;
  sweeping_ = true;
  removals_held_ = false;
  active_expiry_ = true;
  witnesses_ = 0;
  expired_ = 0;
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
  Entry& entry = keys_->intern(key, is_new);
  if (is_new && selected_ == 0) entry.watch = watcher_.watch(node_, key);
  return entry;
}

Entry* Dataset::look(std::string_view key) {
  Entry* entry = keys_->find(key);
  if (entry == nullptr || !entry->present()) return nullptr;
  if (replaying_ || !dead(*entry)) return entry;
  tell_expired(*entry);
  if (master_ && !removals_held_) remove_dead(*entry);
  return nullptr;
}

bool Dataset::holds(std::string_view key, std::string_view text) const {
  const Entry* entry = databases_[0].find(key);
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
  ++expired_;
  if (propagation_.wanted()) propagation_.add_in(entry.database).add("DEL").add(entry.name);
  erase(entry);
  event(entry, EventClass::expired, "expired");
  if (listener_ != nullptr) listener_->key_modified(entry);
}

// The named entry as one that is about to get a new value; previous_ becomes its live text.
Entry& Dataset::renew(std::string_view key) {
  Entry& entry = name(key);
  previous_.clear();
  if (tells(entry) && entry.present() && !dead(entry)) previous_.swap(entry.value.text);
  entry.told_dead = false;
  entry.used_ms = now_ms_;
  entry.changed_by = command_;
  return entry;
}

void Dataset::tell_renewed(Entry& entry) {
  if (tells(entry)) watcher_.key_set(describe(entry, text_of(entry)), previous_);
  arm(entry);
}

Entry& Dataset::put(std::string_view key, std::string_view text, std::int64_t deadline_ms) {
  Entry& entry = renew(key);
  if (entry.value.type != ValueType::string) entry.value.clear();
  entry.value.type = ValueType::string;
  entry.value.form = Value::Form::usual;
  entry.value.text.assign(text);
  entry.deadline_ms = deadline_ms;
  tell_renewed(entry);
  return entry;
}

Entry& Dataset::place(std::string_view key, Value value, std::int64_t deadline_ms) {
  Entry& entry = renew(key);
  entry.value = std::move(value);
  entry.deadline_ms = deadline_ms;
  tell_renewed(entry);
  return entry;
}

bool Dataset::store(std::string_view key, Value value, EventClass kind, std::string_view event) {
  Entry* old = find(key);
  if (value.elements() > 0) {
    touched(place(key, std::move(value), kNoDeadline), kind, event);
    return true;
  }
  if (old == nullptr) return false;
  remove(*old);
  touched(*old, EventClass::generic, "del");
  return true;
}

void Dataset::change_text(Entry& entry, std::string_view text, Value::Form form) {
  previous_.clear();
  if (tells(entry) && !dead(entry)) previous_.swap(entry.value.text);
  entry.value.text.assign(text);
  entry.value.form = form;
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

void Dataset::drop_all(int database, history::DropCause cause) {
  if (listener_ != nullptr) listener_->emptying(database);
  databases_.each([&](Entry& entry) {
    if (database == kAllDatabases || entry.database == database) drop(entry, cause);
  });
}

// What leaves database 0 is gone for its watcher, what comes into it is new.
void Dataset::swap(int one, int other) {
  if (one == other) return;
  const bool seen = one == 0 || other == 0;
  if (seen) {
    databases_[0].each([this](Entry& entry) {
      if (tells(entry) && !entry.told_dead && !dead(entry)) {
        watcher_.key_deleted(describe(entry, text_of(entry)));
      }
    });
  }
  databases_[one].swap(databases_[other]);
  if (seen) databases_[std::max(one, other)].each([](Entry& entry) { entry.watch = 0; });
  if (seen) databases_[0].each([this](Entry& entry) { appear(entry); });
  if (listener_ != nullptr) listener_->swapped(one, other);
}

// A key of database 0 that did not come through a command on it.
void Dataset::appear(Entry& entry) {
  entry.watch = watcher_.watch(node_, entry.name);
  entry.told_dead = dead(entry);
  if (tells(entry) && !entry.told_dead) watcher_.key_set(describe(entry, text_of(entry)), {});
  arm(entry);
}

Entry& Dataset::open(std::string_view key, ValueType type) {
  Entry& entry = name(key);
  if (!entry.present()) {
    entry.used_ms = now_ms_;
    entry.value.type = type;
    entry.deadline_ms = kNoDeadline;
    entry.told_dead = false;
  }
  return entry;
}

void Dataset::changed(Entry& entry, EventClass kind, std::string_view event) {
  touched(entry, kind, event);
  if (entry.value.elements() == 0) {
    remove(entry);
    this->event(entry, EventClass::generic, "del");
  } else if (tells(entry)) {
    watcher_.key_set(describe(entry, text_of(entry)), {});
  }
}

void Dataset::appended(Entry& entry, std::string_view element) {
  entry.changed_by = command_;
  if (tells(entry)) watcher_.list_appended(describe(entry, text_of(entry)), element);
}

void Dataset::lose_all(history::DropCause cause) {
  begin(0);
  listener_ = nullptr;
  drop_all(kAllDatabases, cause);
  databases_.clear();
  deaths_.stop(kernel_);
  sweeps_.stop(kernel_);
}

void Dataset::load(const Databases& all) {
  all.each([this](const Entry& loaded) {
    select(loaded.database);
    Entry& entry = name(loaded.name);
    entry.value.copy_from(loaded.value);
    entry.deadline_ms = loaded.deadline_ms;
    entry.told_dead = false;
  });
  select(0);
}

void Dataset::forget_dead() {
  begin(0);
  databases_.each([this](Entry& entry) {
    if (dead(entry)) erase(entry);
  });
}

void Dataset::announce() {
  begin(0);
  databases_.each([this](Entry& entry) {
    if (dead(entry)) {
      entry.told_dead = true;  // died while nobody held it: nothing to tell
    } else if (tells(entry)) {
      watcher_.key_set(describe(entry, text_of(entry)), {});
    }
    arm(entry);
  });
}

void Dataset::replace(const Databases& all) {
  begin(0);
  if (listener_ != nullptr) listener_->emptying(kAllDatabases);
  databases_.each([&](Entry& old) {
    const Entry* fresh = all[old.database].find(old.name);
    const bool stays = fresh != nullptr && fresh->present() && fresh->value.equals(old.value);
    if (!stays) drop(old, history::DropCause::resync);
  });
  all.each([this](const Entry& fresh) {
    select(fresh.database);
    Entry& entry = name(fresh.name);
    if (entry.present()) {
      if (entry.deadline_ms != fresh.deadline_ms) set_deadline(entry, fresh.deadline_ms);
      return;
    }
    entry.value.copy_from(fresh.value);
    entry.deadline_ms = fresh.deadline_ms;
    entry.told_dead = dead(entry);
    if (tells(entry) && !entry.told_dead) watcher_.key_set(describe(entry, text_of(entry)), {});
    arm(entry);
  });
}

}  // namespace holdfast::sim::redis
