// The values that a key can hold. Everything keeps its memory when it is emptied: a run starts
// thousands of times a second on the same few keys.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace holdfast::sim::redis {

enum class ValueType : std::uint8_t { none, string, hash, list };

// A list of strings.
class StringList {
 public:
  std::size_t size() const { return size_; }
  const std::string& operator[](std::size_t index) const { return items_[index]; }
  void push_back(std::string_view item);
  void push_front(std::string_view item);
  void pop_back() { --size_; }
  void pop_front();
  void clear() { size_ = 0; }
  void copy_from(const StringList& other);

 private:
  std::vector<std::string> items_;  // the first size_ are in use
  std::size_t size_ = 0;
};

// A hash's fields in the order of their first setting. Searched in a row: locks keep few fields.
class FieldTable {
 public:
  struct Field {
    std::string name;
    std::string value;
  };
  std::size_t size() const { return size_; }
  const Field& operator[](std::size_t index) const { return fields_[index]; }
  const std::string* find(std::string_view name) const;
  bool set(std::string_view name, std::string_view value);  // true when the field is new
  bool erase(std::string_view name);
  void clear() { size_ = 0; }
  void copy_from(const FieldTable& other);

 private:
  std::vector<Field> fields_;
  std::size_t size_ = 0;
};

struct Value {
  ValueType type = ValueType::none;
  std::string text = {};  // ValueType::string
  StringList list = {};
  FieldTable fields = {};

  void clear() {
    type = ValueType::none;
    text.clear();
    list.clear();
    fields.clear();
  }
  void copy_from(const Value& other);
  bool equals(const Value& other) const;
};

}  // namespace holdfast::sim::redis
