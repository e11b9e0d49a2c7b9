#include "sim/redis/stream_log.h"

#include <utility>

namespace holdfast::sim::redis {

namespace {

std::int64_t digits(std::size_t number) {
  std::int64_t count = 1;
  for (; number >= 10; number /= 10) ++count;
  return count;
}

}  // namespace

std::int64_t wire_size(const Command& command) {
  std::int64_t size = 3 + digits(command.size());  // *N\r\n
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::size_t length = command[i].size();
    size += 5 + digits(length) + static_cast<std::int64_t>(length);  // $N\r\n...\r\n
  }
  return size;
}

void StreamLog::restart(std::int64_t offset) {
  offset_ = offset;
  begins_after_ = offset;
  used_ = 0;
}

void StreamLog::append(const Command& command) {
  offset_ += wire_size(command);
  if (used_ == records_.size()) records_.emplace_back();
  records_[used_].end = offset_;
  records_[used_].command = command;
  ++used_;
  if (offset_ - begins_after_ > 2 * capacity_) trim();
}

bool StreamLog::covers(std::int64_t offset) const {
  return offset <= offset_ && offset >= begins_after_ && offset_ - offset <= capacity_;
}

void StreamLog::trim() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < used_; ++i) {
    if (records_[i].end <= offset_ - capacity_) {
      begins_after_ = records_[i].end;
    } else {
      std::swap(records_[kept++], records_[i]);
    }
  }
  used_ = kept;
}

}  // namespace holdfast::sim::redis
