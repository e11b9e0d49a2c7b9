#include "sim/redis/value.h"

#include <algorithm>

namespace holdfast::sim::redis {

void StringList::push_back(std::string_view item) {
  if (size_ < items_.size()) {
    items_[size_].assign(item);
  } else {
    items_.emplace_back(item);
  }
  ++size_;
}

void StringList::push_front(std::string_view item) {
  push_back(item);
  const auto end = items_.begin() + static_cast<std::ptrdiff_t>(size_);
  std::rotate(items_.begin(), end - 1, end);
}

void StringList::pop_front() {
  const auto end = items_.begin() + static_cast<std::ptrdiff_t>(size_);
  std::rotate(items_.begin(), items_.begin() + 1, end);
  --size_;
}

void StringList::copy_from(const StringList& other) {
  clear();
  for (std::size_t i = 0; i < other.size(); ++i) push_back(other[i]);
}

const std::string* FieldTable::find(std::string_view name) const {
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].name == name) return &fields_[i].value;
  }
  return nullptr;
}

bool FieldTable::set(std::string_view name, std::string_view value) {
  for (std::size_t i = 0; i < size_; ++i) {
    if (fields_[i].name != name) continue;
    fields_[i].value.assign(value);
    return false;
  }
  if (size_ == fields_.size()) fields_.emplace_back();
  fields_[size_].name.assign(name);
  fields_[size_].value.assign(value);
  ++size_;
  return true;
}

bool FieldTable::erase(std::string_view name) {
  const auto end = fields_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto field =
      std::find_if(fields_.begin(), end, [&](const Field& each) { return each.name == name; });
  if (field == end) return false;
  std::rotate(field, field + 1, end);
  --size_;
  return true;
}

void FieldTable::copy_from(const FieldTable& other) {
  clear();
  for (std::size_t i = 0; i < other.size(); ++i) set(other[i].name, other[i].value);
}

void Value::copy_from(const Value& other) {
  type = other.type;
  text.assign(other.text);
  list.copy_from(other.list);
  fields.copy_from(other.fields);
}

bool Value::equals(const Value& other) const {
  if (type != other.type || text != other.text) return false;
  if (list.size() != other.list.size() || fields.size() != other.fields.size()) return false;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] != other.list[i]) return false;
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string* value = other.fields.find(fields[i].name);
    if (value == nullptr || *value != fields[i].value) return false;
  }
  return true;
}

}  // namespace holdfast::sim::redis
