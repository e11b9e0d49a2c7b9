#include "scenarios/format/spelling.h"

namespace holdfast::scenario {

const Spelling<Persistence>& persistence_words() {
  static const Spelling<Persistence> words{{"none", Persistence::none},
                                           {"rdb", Persistence::rdb},
                                           {"aof_no", Persistence::aof_no},
                                           {"aof_everysec", Persistence::aof_everysec},
                                           {"aof_always", Persistence::aof_always}};
  return words;
}

const Spelling<RedisVersion>& version_words() {
  static const Spelling<RedisVersion> words{
      {"6.2", RedisVersion::redis_6_2},     {"7.0", RedisVersion::redis_7_0},
      {"7.2", RedisVersion::redis_7_2},     {"8.4", RedisVersion::redis_8_4},
      {"valkey-8", RedisVersion::valkey_8}, {"valkey-9", RedisVersion::valkey_9}};
  return words;
}

const Spelling<Point>& point_words() {
  static const Spelling<Point> words{
      {"acquire_sent", Point::acquire_sent}, {"quorum_counted", Point::quorum_counted},
      {"acquired", Point::acquired},         {"before_write", Point::before_write},
      {"before_read", Point::before_read},   {"before_renew", Point::before_renew},
      {"renewed", Point::renewed},           {"before_release", Point::before_release},
      {"released", Point::released},         {"protocol_step", Point::protocol_step}};
  return words;
}

const Spelling<Lane>& lane_words() {
  static const Spelling<Lane> words{{"caller", Lane::caller}, {"watchdog", Lane::watchdog}};
  return words;
}

const Spelling<LockSpec::Algorithm>& algorithm_words() {
  static const Spelling<LockSpec::Algorithm> words{{"single", LockSpec::Algorithm::single},
                                                   {"redlock", LockSpec::Algorithm::redlock},
                                                   {"protocol", LockSpec::Algorithm::protocol}};
  return words;
}

const Spelling<Believes>& believes_words() {
  static const Spelling<Believes> words{{"until_release", Believes::until_release},
                                        {"ttl_from_send", Believes::ttl_from_send},
                                        {"ttl_from_reply", Believes::ttl_from_reply}};
  return words;
}

const Spelling<TokenKind>& token_words() {
  static const Spelling<TokenKind> words{{"random", TokenKind::random},
                                         {"per_call", TokenKind::per_call},
                                         {"constant", TokenKind::constant},
                                         {"process", TokenKind::process}};
  return words;
}

const Spelling<ProtocolClock>& protocol_clock_words() {
  static const Spelling<ProtocolClock> words{{"monotonic", ProtocolClock::monotonic},
                                             {"wall", ProtocolClock::wall}};
  return words;
}

const Spelling<Step::OnFailure>& on_failure_words() {
  static const Spelling<Step::OnFailure> words{{"stop", Step::OnFailure::stop},
                                               {"skip", Step::OnFailure::skip}};
  return words;
}

const Spelling<FaultSpec::Cut>& cut_words() {
  static const Spelling<FaultSpec::Cut> words{{"hold", FaultSpec::Cut::hold},
                                              {"refuse", FaultSpec::Cut::refuse}};
  return words;
}

const Spelling<FaultSpec::Direction>& direction_words() {
  static const Spelling<FaultSpec::Direction> words{{"both", FaultSpec::Direction::both},
                                                    {"to_server", FaultSpec::Direction::to_server},
                                                    {"to_client", FaultSpec::Direction::to_client}};
  return words;
}

const Spelling<Expectation>& expectation_words() {
  static const Spelling<Expectation> words{{"holds", Expectation::holds},
                                           {"violated", Expectation::violated},
                                           {"can-be-violated", Expectation::can_be_violated}};
  return words;
}

const Spelling<AcquireOutcome>& acquire_outcome_words() {
  static const Spelling<AcquireOutcome> words{{"acquired", AcquireOutcome::acquired},
                                              {"taken", AcquireOutcome::taken},
                                              {"too_late", AcquireOutcome::too_late},
                                              {"no_replica_ack", AcquireOutcome::no_replica_ack},
                                              {"unreachable", AcquireOutcome::unreachable},
                                              {"refused", AcquireOutcome::refused},
                                              {"cancelled", AcquireOutcome::cancelled},
                                              {"invalid", AcquireOutcome::invalid}};
  return words;
}

const Spelling<ReleaseOutcome>& release_outcome_words() {
  static const Spelling<ReleaseOutcome> words{{"released", ReleaseOutcome::released},
                                              {"already_expired", ReleaseOutcome::already_expired},
                                              {"not_owner", ReleaseOutcome::not_owner},
                                              {"unknown", ReleaseOutcome::unknown}};
  return words;
}

const std::vector<std::string>& invariant_words() {
  static const std::vector<std::string> words{
      "mutual-exclusion", "promise",        "backed",       "stale-write",
      "foreign-touch",    "zombie-renewal", "leak",         "progress",
      "late-loss",        "validity",       "bounded-calls"};
  return words;
}

const std::vector<std::string>& planned_invariant_words() {
  static const std::vector<std::string> words{"token-order", "truthful-outcome", "oversold",
                                              "sum",         "runs-once",        "lost-update"};
  return words;
}

}  // namespace holdfast::scenario
