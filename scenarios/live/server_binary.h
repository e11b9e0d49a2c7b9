// Where redis-server is on this machine.
#pragma once

#include <string>

namespace holdfast::live {

struct ServerBinary {
  std::string path;
  int major = 0;
  int minor = 0;
  std::string version = {};  // as it says itself: "7.0.15"
};

// `redis-server` on the PATH, else the same program under the name that Debian's redis-tools gives
// it (redis-check-rdb: it becomes the server when argv[0] says so). Throws EnvironmentFailure, with
// what to install, when there is none or it does not tell its version.
ServerBinary find_server_binary();

}  // namespace holdfast::live
