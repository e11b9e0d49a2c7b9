// Real servers for one live test, in a temporary folder of their own.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "scenarios/live/redis_process.h"
#include "scenarios/live/server_binary.h"
#include "scenarios/live/temporary_folder.h"

namespace holdfast::live::test {

inline const ServerBinary& server_binary() {
  static const ServerBinary binary = find_server_binary();
  return binary;
}

class Servers {
 public:
  RedisOptions options(const std::string& name) const {
    RedisOptions result;
    result.name = name;
    result.folder = folder_.path() / name;
    return result;
  }
  std::unique_ptr<RedisProcess> start(RedisOptions options) const {
    return std::make_unique<RedisProcess>(server_binary(), std::move(options));
  }
  std::unique_ptr<RedisProcess> start(const std::string& name) const {
    return start(options(name));
  }
  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

}  // namespace holdfast::live::test
