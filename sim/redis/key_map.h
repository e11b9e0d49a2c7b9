// KeyMap: something remembered for each of some keys, whether they exist or not. Ordered by
// database and name, so that walking it is the same everywhere.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace holdfast::sim::redis {

struct KeyName {
  int database = 0;
  std::string name;
};
struct KeyView {
  int database = 0;
  std::string_view name;
  KeyView(int db, std::string_view key) : database(db), name(key) {}
  KeyView(const KeyName& key) : database(key.database), name(key.name) {}  // NOLINT: as a view
};
inline bool operator==(const KeyView& left, const KeyView& right) {
  return left.database == right.database && left.name == right.name;
}

struct KeyOrder {
  using is_transparent = void;
  bool operator()(const KeyView& left, const KeyView& right) const {
    if (left.database != right.database) return left.database < right.database;
    return left.name < right.name;
  }
};

template <class T>
using KeyMap = std::map<KeyName, T, KeyOrder>;

}  // namespace holdfast::sim::redis
