#include "scenarios/live/proxy.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <functional>
#include <future>
#include <set>
#include <thread>
#include <utility>

#include "lockcore/hiredis/loop_core.h"
#include "lockcore/hiredis/sigpipe_guard.h"
#include "scenarios/live/environment_failure.h"
#include "scenarios/live/proxy_pipe.h"

namespace holdfast::live {
namespace {

using holdfast::detail::LoopCore;
using namespace std::chrono_literals;

// Whether nobody listens there. On loopback a refusal comes at once; a frozen server whose queue is
// full, or one that is far away, lets us wait, which is no refusal.
bool refuses(const SocketAddress& address, Duration patience = 20ms) {
  const int fd = socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  int error = 0;
  if (connect(fd, address.get(), address.length) != 0) {
    pollfd outcome{fd, POLLOUT, 0};
    socklen_t length = sizeof error;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(patience).count();
    poll(&outcome, 1, static_cast<int>(left));
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
  }
  const bool refused = error == ECONNREFUSED;
  close(fd);
  return refused;
}

class Link final : public ProxyLink {
 public:
  Link(LoopCore& core, std::string name, const SocketAddress& target, Carries carries)
      : core_(core), name_(std::move(name)) {
    state_.core = &core;
    state_.target = target;
    state_.carries = carries;
    state_.target_in_doubt = [this] { look_for_target(); };
  }

  const std::string& name() const override { return name_; }
  std::uint16_t port() const override { return port_; }

  Proof hold(Direction direction) override {
    return change("holds", [this, direction] {
      for (auto* way : ways(direction)) way->held = true;
    });
  }
  Proof release(Direction direction) override {
    return change("released", [this, direction] {
      for (auto* way : ways(direction)) way->held = false;
      for (ProxyPipe* pipe : std::set(state_.pipes)) pipe->pump();
    });
  }
  Proof refuse() override {
    Proof proof = change("refuses", [this] {
      refusing_ = true;
      update_listener();
      reset_all();
    });
    // On a busy host the answer to a connect may take its time.
    const Instant patience = host_now() + 2s;
    while (!refuses(SocketAddress::loopback(port_), 200ms)) {
      if (host_now() > patience) throw EnvironmentFailure("link " + name_ + " does not refuse");
    }
    proof.seen += ", connect: Connection refused";
    proof.proved = host_now();
    return proof;
  }
  Proof accept() override {
    return change("accepts", [this] {
      refusing_ = false;
      look_for_target();
    });
  }
  Proof reset() override {
    return change("reset", [this] { reset_all(); });
  }
  Proof delay(Direction direction, Duration extra) override {
    return change("delays", [this, direction, extra] {
      for (auto* way : ways(direction)) way->delay = extra;
    });
  }
  void drop_replies(std::uint32_t count, bool then_reset) override {
    on_thread([this, count, then_reset] {
      state_.drop = count;
      state_.then_reset = then_reset;
    });
  }
  Proof retarget(std::uint16_t port) override {
    return change("leads to port " + std::to_string(port), [this, port] {
      state_.target = SocketAddress::loopback(port);
      reset_all();
      look_for_target();
    });
  }
  std::set<std::uint16_t> source_ports() const override {
    std::set<std::uint16_t> result;
    on_thread([this, &result] { result = state_.source_ports; });
    return result;
  }
  LinkCounters counters() const override {
    LinkCounters result;
    on_thread([this, &result] {
      result = state_.counters;
      result.open = state_.pipes.size();
      for (const ProxyPipe* pipe : state_.pipes) pipe->count_kept(result);
    });
    return result;
  }

  // Runs `action` on the proxy's thread and waits for it.
  void on_thread(const std::function<void()>& action) const {
    std::promise<void> done;
    core_.post([&] {
      action();
      done.set_value();
    });
    done.get_future().wait();
  }
  // On the proxy's thread: binds a free port. The libuv error, or 0.
  int bind_any() {
    const int result = bind(0);
    if (result != 0) return result;
    sockaddr_in address{};
    int length = sizeof address;
    uv_tcp_getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    look_for_target();
    return 0;
  }
  void close() {
    core_.cancel(probe_);
    close_listener();
    state_.target_in_doubt = [] {};
    for (ProxyPipe* pipe : std::set(state_.pipes)) pipe->close(false);
  }

 private:
  std::vector<LinkState::Way*> ways(Direction direction) {
    std::vector<LinkState::Way*> result;
    if (direction != Direction::to_client) result.push_back(&state_.to_server);
    if (direction != Direction::to_server) result.push_back(&state_.to_client);
    return result;
  }

  Proof change(const std::string& what, const std::function<void()>& action) {
    Proof proof;
    proof.begun = host_now();
    const std::uint64_t resets = counters().resets;
    on_thread(action);
    const LinkCounters now = counters();
    proof.proved = host_now();
    proof.seen = "link " + name_ + " " + what + ", " + std::to_string(now.resets - resets) +
                 " connections reset, " +
                 std::to_string(now.to_server.kept_bytes + now.to_client.kept_bytes) +
                 " bytes kept";
    return proof;
  }

  void reset_all() {
    for (ProxyPipe* pipe : std::set(state_.pipes)) pipe->close(true);
  }

  int bind(std::uint16_t port) {
    sockaddr_in address{};
    uv_ip4_addr("127.0.0.1", port, &address);
    listener_ = new uv_tcp_t;
    listening_ = false;
    uv_tcp_init(core_.uv(), listener_);
    listener_->data = this;
    return uv_tcp_bind(listener_, reinterpret_cast<sockaddr*>(&address), 0);
  }
  void close_listener() {
    if (listener_ == nullptr) return;
    uv_close(reinterpret_cast<uv_handle_t*>(std::exchange(listener_, nullptr)),
             [](uv_handle_t* handle) { delete reinterpret_cast<uv_tcp_t*>(handle); });
  }

  // A socket that is bound but does not listen keeps the port and refuses.
  void update_listener() {
    const bool listen = !refusing_ && !target_gone_;
    if (listen == listening_) return;
    if (!listen) {
      close_listener();
      bind(port_);
      return;
    }
    constexpr int kBacklog = 511;
    const auto arrived = [](uv_stream_t* listener, int status) {
      if (status == 0) ProxyPipe::accept(static_cast<Link*>(listener->data)->state_, listener);
    };
    listening_ = uv_listen(reinterpret_cast<uv_stream_t*>(listener_), kBacklog, arrived) == 0;
    if (listening_) return;
    close_listener();  // a failed bind shows only now; look_for_target() tries again
    bind(port_);
  }

  // While the target refuses, so does the link; looks again soon.
  void look_for_target() {
    core_.cancel(probe_);
    target_gone_ = refuses(state_.target);
    update_listener();
    if (target_gone_ || (!refusing_ && !listening_)) {
      probe_ = core_.at(host_now() + 2ms, [this] {
        probe_ = {};
        look_for_target();
      });
    }
  }

  LoopCore& core_;
  std::string name_;
  std::uint16_t port_ = 0;
  LinkState state_;
  uv_tcp_t* listener_ = nullptr;
  bool listening_ = false;
  bool refusing_ = false;
  bool target_gone_ = false;
  LoopCore::Key probe_;
};

}  // namespace

struct Proxy::State {
  LoopCore core;
  std::vector<std::unique_ptr<Link>> links;
  std::thread thread;
};

Proxy::Proxy() : state_(std::make_unique<State>()) {
  state_->thread = std::thread([core = &state_->core] {
    const holdfast::detail::SigpipeGuard no_sigpipe;
    core->run([] { return false; });
  });
}

Proxy::~Proxy() {
  for (const auto& link : state_->links) link->on_thread([&link] { link->close(); });
  state_->core.stop();
  state_->thread.join();
}

ProxyLink& Proxy::open(std::string name, const SocketAddress& target, Carries carries) {
  auto link = std::make_unique<Link>(state_->core, std::move(name), target, carries);
  int result = 0;
  link->on_thread([&] {
    result = link->bind_any();
    if (result != 0) link->close();
  });
  if (result != 0) {
    throw EnvironmentFailure("no port for link " + link->name() + ": " + uv_strerror(result));
  }
  state_->links.push_back(std::move(link));
  return *state_->links.back();
}

}  // namespace holdfast::live
