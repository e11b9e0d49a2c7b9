// CLIENT TRACKING, CACHING, TRACKINGINFO, GETREDIR (FID-X11).
#include <string>

#include "sim/redis/command.h"
#include "sim/redis/instance.h"
#include "sim/redis/letter_case.h"

namespace holdfast::sim::redis {

namespace {

using Caching = TrackingOptions::Caching;

bool read_redirect(Execution& run, std::size_t at, TrackingOptions& options) {
  if (options.redirect != 0) {
    run.error("ERR A client can only redirect to a single other client");
    return false;
  }
  std::int64_t id = 0;
  if (!run.integer(at, id)) return false;
  Sessions& sessions = run.server.sessions();
  const bool known = id > 0 && id <= static_cast<std::int64_t>(sessions.size());
  if (!known || !sessions[static_cast<SessionId>(id)].open) {
    run.error("ERR The client ID you want redirect to does not exist");
    return false;
  }
  options.redirect = static_cast<SessionId>(id);
  return true;
}

bool read_options(Execution& run, TrackingOptions& options) {
  for (std::size_t i = 3; i < run.size(); ++i) {
    const bool more = i + 1 < run.size();
    if (same_word(run[i], "redirect") && more) {
      if (!read_redirect(run, ++i, options)) return false;
    } else if (same_word(run[i], "bcast")) {
      options.broadcast = true;
    } else if (same_word(run[i], "optin")) {
      options.opt_in = true;
    } else if (same_word(run[i], "optout")) {
      options.opt_out = true;
    } else if (same_word(run[i], "noloop")) {
      options.no_loop = true;
    } else if (same_word(run[i], "prefix") && more) {
      options.prefixes.emplace_back(run[++i]);
    } else {
      run.syntax_error();
      return false;
    }
  }
  return true;
}

bool overlap(std::string_view one, std::string_view other) {
  return one.starts_with(other) || other.starts_with(one);
}

// Empty: they may be used.
std::string prefix_collision(const TrackingOptions& now, const TrackingOptions& options) {
  const auto error = [](std::string_view prefix, std::string_view how, std::string_view other) {
    return "ERR Prefix '" + std::string(prefix) + "' overlaps with " + std::string(how) +
           " prefix '" + std::string(other) + "'. Prefixes for a single client must not overlap.";
  };
  for (std::size_t i = 0; i < options.prefixes.size(); ++i) {
    const std::string& prefix = options.prefixes[i];
    for (const std::string& other : now.prefixes) {
      if (overlap(prefix, other)) return error(prefix, "an existing", other);
    }
    for (std::size_t j = i + 1; j < options.prefixes.size(); ++j) {
      if (!overlap(prefix, options.prefixes[j])) continue;
      return error(prefix, "another provided", options.prefixes[j]);
    }
  }
  return {};
}

std::string conflict(const Session& session, const TrackingOptions& options) {
  static const TrackingOptions kNone;
  const bool is_on = session.is(kTracking);
  const TrackingOptions& now = is_on ? session.extras->tracking : kNone;
  if (!options.broadcast && !options.prefixes.empty()) {
    return "ERR PREFIX option requires BCAST mode to be enabled";
  }
  if (is_on && options.broadcast != now.broadcast) {
    return "ERR You can't switch BCAST mode on/off before disabling tracking for this client, and "
           "then re-enabling it with a different mode.";
  }
  if (options.broadcast && (options.opt_in || options.opt_out)) {
    return "ERR OPTIN and OPTOUT are not compatible with BCAST";
  }
  if (options.opt_in && options.opt_out) {
    return "ERR You can't specify both OPTIN mode and OPTOUT mode";
  }
  if ((options.opt_in && now.opt_out) || (options.opt_out && now.opt_in)) {
    return "ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client, and "
           "then re-enabling it with a different mode.";
  }
  return options.broadcast ? prefix_collision(now, options) : std::string();
}

void tracking(Execution& run) {
  TrackingOptions options;
  if (!read_options(run, options)) return;
  if (same_word(run[2], "off")) {
    run.server.tracking().disable(run.session);
  } else if (same_word(run[2], "on")) {
    const std::string error = conflict(run.client(), options);
    if (!error.empty()) return run.error(error);
    run.server.tracking().enable(run.session, options);
  } else {
    return run.syntax_error();
  }
  run.server.interest().review();
  run.ok();
}

void caching(Execution& run) {
  Session& session = run.client();
  if (!session.is(kTracking)) {
    return run.error(
        "ERR CLIENT CACHING can be called only when the client is in tracking mode with OPTIN or "
        "OPTOUT mode enabled");
  }
  TrackingOptions& options = session.extras->tracking;
  const bool yes = same_word(run[2], "yes");
  if (!yes && !same_word(run[2], "no")) return run.syntax_error();
  if (yes && !options.opt_in) {
    return run.error(
        "ERR CLIENT CACHING YES is only valid when tracking is enabled in OPTIN mode.");
  }
  if (!yes && !options.opt_out) {
    return run.error(
        "ERR CLIENT CACHING NO is only valid when tracking is enabled in OPTOUT mode.");
  }
  options.caching = yes ? Caching::yes : Caching::no;
  run.ok();
}

void trackinginfo(Execution& run) {
  static const TrackingOptions kNone;
  const bool on = run.client().is(kTracking);
  const TrackingOptions& options = on ? run.client().extras->tracking : kNone;
  Reply flags;
  flags.type = Reply::Type::set;
  const auto flag = [&flags](bool is_set, std::string_view name) {
    if (is_set) flags.elements.push_back(Reply::bulk(name));
  };
  flag(true, on ? "on" : "off");
  flag(options.broadcast, "bcast");
  flag(options.opt_in, "optin");
  flag(options.opt_in && options.caching == Caching::yes, "caching-yes");
  flag(options.opt_out, "optout");
  flag(options.opt_out && options.caching == Caching::no, "caching-no");
  flag(options.no_loop, "noloop");
  flag(options.redirect_broken, "broken_redirect");
  Reply prefixes = Reply::array({});
  for (const std::string& prefix : options.prefixes) {
    prefixes.elements.push_back(Reply::bulk(prefix));
  }
  run.reply.type = Reply::Type::map;
  run.element("flags");
  run.reply.elements.push_back(std::move(flags));
  run.element("redirect");
  run.reply.elements.push_back(Reply::number(on ? std::int64_t{options.redirect} : -1));
  run.element("prefixes");
  run.reply.elements.push_back(std::move(prefixes));
}

void getredir(Execution& run) {
  const bool on = run.client().is(kTracking);
  run.number(on ? std::int64_t{run.client().extras->tracking.redirect} : -1);
}

constexpr std::uint32_t kFlags = kNotInScript | kLoading | kStale;
constexpr CommandSpec kTrackingCommands[] = {
    {"client|tracking", -3, kFlags, 0, 0, 0, tracking},
    {"client|caching", 3, kFlags, 0, 0, 0, caching},
    {"client|trackinginfo", 2, kFlags, 0, 0, 0, trackinginfo},
    {"client|getredir", 2, kFlags, 0, 0, 0, getredir},
};

}  // namespace

std::span<const CommandSpec> tracking_commands() { return kTrackingCommands; }

}  // namespace holdfast::sim::redis
