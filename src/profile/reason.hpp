// Why a wave slot spent a cycle: the vocabulary of the stall stack. Every cycle of every wave slot
// of the device has exactly one of these, and their sum is slots x elapsed cycles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace wavetank::profile {

/// The order is the order of every stall stack: work first, then waiting, then emptiness.
enum class Reason : std::uint8_t {
  kIssueValu,         ///< a vector instruction occupies the wave's issue slot
  kIssueMatrix,       ///< a matrix instruction does
  kIssueScalar,       ///< SALU, SMEM issue, branches, messages
  kIssueMemory,       ///< vector memory and FLAT issue
  kIssueLds,          ///< LDS issue
  kWaitVectorMemory,  ///< s_waitcnt vmcnt: loads (or stores) under way
  kWaitLds,           ///< s_waitcnt lgkmcnt: LDS operations under way
  kWaitScalarMemory,  ///< s_waitcnt lgkmcnt: scalar loads under way
  kWaitBarrier,       ///< s_barrier: other waves of the workgroup are not there yet
  kWaitValu,          ///< the result of an earlier vector or scalar instruction
  kWaitMatrix,        ///< the result or the registers of an earlier matrix instruction
  kWaitFetch,         ///< the instruction buffer is empty
  kWaitFence,         ///< cache write-back or invalidation under way
  kMemoryQueueFull,   ///< the vector memory pipeline takes no instruction now
  kLdsQueueFull,      ///< the LDS takes no instruction now
  kNotPicked,         ///< ready, but the unit serves another wave
  kSleep,             ///< s_sleep, s_nop
  kEmpty,             ///< no wave in the slot
};
inline constexpr std::size_t kReasonCount = static_cast<std::size_t>(Reason::kEmpty) + 1;

/// Slot cycles by reason.
using ReasonCycles = std::array<std::uint64_t, kReasonCount>;

/// "waiting for vector memory": what a reader sees. The word for a file or a script is its key:
/// "wait_vector_memory".
std::string_view text_of(Reason reason);
std::string_view key_of(Reason reason);

}  // namespace wavetank::profile
