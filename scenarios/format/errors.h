// Errors of one reading, collected so that all of them can be told at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/parse.h"

namespace holdfast::scenario {

class Errors {
 public:
  void add(const Origin& origin, std::string message) {
    list_.push_back({origin, std::move(message)});
  }
  void add(const Errors& others) {
    list_.insert(list_.end(), others.list_.begin(), others.list_.end());
  }
  bool empty() const { return list_.empty(); }
  std::size_t size() const { return list_.size(); }
  // In the order of the file's lines, each place and message once.
  std::vector<ParseError> sorted() const;

 private:
  std::vector<ParseError> list_;
};

}  // namespace holdfast::scenario
