#include "sim/redis/watches.h"

#include <algorithm>

#include "sim/redis/instance.h"

namespace holdfast::sim::redis {

namespace {

WatchedKey* find(std::vector<WatchedKey>& watched, KeyView key) {
  const auto it = std::find_if(watched.begin(), watched.end(),
                               [key](const WatchedKey& each) { return KeyView(each.key) == key; });
  return it == watched.end() ? nullptr : &*it;
}

}  // namespace

void Watches::add(SessionId id, KeyView key) {
  Session& session = server_.sessions()[id];
  std::vector<WatchedKey>& watched = session.more().watched;
  if (find(watched, key) != nullptr) return;
  const Entry* entry = server_.data().databases()[key.database].find(key.name);
  const bool dead = entry != nullptr && entry->present() && server_.data().dead(*entry);
  watched.push_back({{key.database, std::string(key.name)}, dead});
  auto it = sessions_.find(key);
  if (it == sessions_.end())
    it = sessions_.emplace(watched.back().key, std::vector<SessionId>()).first;
  it->second.push_back(id);
}

void Watches::forget(SessionId id) {
  Session& session = server_.sessions()[id];
  if (!session.extras || session.extras->watched.empty()) return;
  for (const WatchedKey& watched : session.extras->watched) {
    const auto it = sessions_.find(KeyView(watched.key));
    std::erase(it->second, id);
    if (it->second.empty()) sessions_.erase(it);
  }
  session.extras->watched.clear();
}

bool Watches::has_expired(SessionId id) const {
  const Session& session = server_.sessions()[id];
  if (!session.extras) return false;
  const Databases& all = server_.data().databases();
  return std::any_of(session.extras->watched.begin(), session.extras->watched.end(),
                     [&](const WatchedKey& watched) {
                       if (watched.was_dead) return false;
                       const Entry* entry = all[watched.key.database].find(watched.key.name);
                       return entry != nullptr && entry->present() && server_.data().dead(*entry);
                     });
}

bool Watches::exists(KeyView key) const {
  const Entry* entry = server_.data().databases()[key.database].find(key.name);
  return entry != nullptr && entry->present();
}

// Marks those who watch the key. changed(watched): it is a change for this one.
template <class Changed>
void Watches::touch(const std::vector<SessionId>& watching, KeyView key, Changed changed) {
  // A copy: marking one forgets its watches.
  for (const SessionId id : std::vector<SessionId>(watching)) {
    Session& session = server_.sessions()[id];
    WatchedKey* watched = find(session.extras->watched, key);
    if (!changed(*watched)) continue;
    session.modes |= kTouched;
    forget(id);
  }
}

void Watches::key_modified(const Entry& entry) {
  const KeyView key(entry.database, entry.name);
  const auto it = sessions_.find(key);
  if (it == sessions_.end()) return;
  touch(it->second, key, [&entry](WatchedKey& watched) {
    const bool removed_dead = watched.was_dead && !entry.present();
    if (removed_dead) watched.was_dead = false;
    return !removed_dead;
  });
}

void Watches::emptying(int database) {
  std::vector<KeyName> keys;
  for (const auto& [key, watching] : sessions_) {
    const bool concerned = database == kAllDatabases || key.database == database;
    if (concerned && exists(key)) keys.push_back(key);
  }
  for (const KeyName& key : keys) {
    const auto it = sessions_.find(KeyView(key));
    if (it == sessions_.end()) continue;
    touch(it->second, key, [](WatchedKey& watched) {
      const bool was_dead = watched.was_dead;
      watched.was_dead = false;
      return !was_dead;
    });
  }
}

void Watches::swapped(int one, int other) {
  std::vector<KeyName> keys;
  for (const auto& [key, watching] : sessions_) {
    if (key.database != one && key.database != other) continue;
    if (exists({one, key.name}) || exists({other, key.name})) keys.push_back(key);
  }
  for (const KeyName& key : keys) {
    const auto it = sessions_.find(KeyView(key));
    if (it != sessions_.end()) touch(it->second, key, [](WatchedKey&) { return true; });
  }
}

}  // namespace holdfast::sim::redis
