#include "scenarios/live/client_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "scenarios/live/environment_failure.h"

namespace holdfast::live {

namespace {

// The descriptor under which a client finds its event pipe.
constexpr int kEventsDescriptor = 3;

struct Pipe {
  int read = -1;
  int write = -1;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail_with_errno("cannot make a pipe");
  return {ends[0], ends[1]};
}

void write_all(int descriptor, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const auto count = write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;  // the client has ended; that is seen where its end is looked for
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace

ClientProcess::ClientProcess(const ClientOrders& orders, const std::filesystem::path& log)
    : name_(orders.client), actor_(orders.actor), incarnation_(orders.incarnation) {
  const Pipe to_client = make_pipe();
  const Pipe from_client = make_pipe();
  ChildPlan plan;
  plan.program = "/proc/self/exe";
  plan.arguments = {"holdfast", "live-client", std::to_string(kEventsDescriptor)};
  plan.output = log;
  plan.descriptors = {{to_client.read, STDIN_FILENO}, {from_client.write, kEventsDescriptor}};
  orders_ = to_client.write;
  events_ = from_client.read;
  try {
    child_ = std::make_unique<ChildProcess>(plan);
  } catch (...) {
    close(to_client.read);
    close(from_client.write);
    close(orders_);
    close(events_);
    throw;
  }
  close(to_client.read);
  close(from_client.write);
  fcntl(events_, F_SETFL, O_NONBLOCK);
  write_all(orders_, to_json_line(orders));
}

ClientProcess::~ClientProcess() {
  child_.reset();
  close(orders_);
  if (events_ >= 0) close(events_);
}

std::vector<ClientLine> ClientProcess::lines() {
  std::array<char, 16384> buffer{};
  while (events_ >= 0) {
    const auto count = read(events_, buffer.data(), buffer.size());
    if (count > 0) {
      unread_.append(buffer.data(), static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) {
      close(events_);
      events_ = -1;
    }
    break;
  }
  std::vector<ClientLine> lines;
  std::size_t begin = 0;
  for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n', begin)) {
    const auto line = parse_client_line(std::string_view(unread_).substr(begin, end - begin));
    if (!line) throw EnvironmentFailure("client " + name_ + " wrote a line that is no event");
    if (line->kind == history::Kind::client_done) done_ = true;
    lines.push_back(*line);
    begin = end + 1;
  }
  unread_.erase(0, begin);
  return lines;
}

void ClientProcess::acknowledge() { write_all(orders_, "\n"); }

}  // namespace holdfast::live
