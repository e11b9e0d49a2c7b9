// Kinds of the kernel events of a simulated server. They enter the run's fingerprint.
#pragma once

#include <cstdint>

namespace holdfast::sim::redis {

inline constexpr std::uint32_t kKeyDies = 0x5201;
inline constexpr std::uint32_t kActiveExpiry = 0x5202;
inline constexpr std::uint32_t kStreamArrives = 0x5203;
inline constexpr std::uint32_t kAckArrives = 0x5204;
inline constexpr std::uint32_t kAckDue = 0x5205;
inline constexpr std::uint32_t kSyncArrives = 0x5206;
inline constexpr std::uint32_t kReconnect = 0x5207;
inline constexpr std::uint32_t kWaitEnds = 0x5208;
inline constexpr std::uint32_t kFsyncDone = 0x5209;
inline constexpr std::uint32_t kPauseEnds = 0x520a;
inline constexpr std::uint32_t kShutsDown = 0x520b;
inline constexpr std::uint32_t kScriptStepEnds = 0x520c;
inline constexpr std::uint32_t kSentinelTick = 0x5220;
inline constexpr std::uint32_t kClusterTick = 0x5230;
inline constexpr std::uint32_t kFailoverLooks = 0x5221;
inline constexpr std::uint32_t kSilenceEnds = 0x5230;
inline constexpr std::uint32_t kSyncDue = 0x5231;
inline constexpr std::uint32_t kLoaded = 0x5232;
inline constexpr std::uint32_t kShutdownTick = 0x5233;
inline constexpr std::uint32_t kIdleClients = 0x5234;
inline constexpr std::uint32_t kTooManyClients = 0x5235;

}  // namespace holdfast::sim::redis
