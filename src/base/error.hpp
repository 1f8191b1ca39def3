// Errors as values: what went wrong, where, and what to do next. Nothing below src/cli prints one;
// `Error::to_text` gives the layout that every command and the runtime show:
//
//   error[E0103]: ds_gws_sema_p is not implemented
//     --> libsolver.so, kernel "sync_all" + 0x1a4
//      = note: 1 of 214 instructions in this kernel; the other 213 are supported
//      = help: `wavetank explain E0103` says what uses GWS and how to avoid it
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace wavetank {

/// Every diagnostic of the project. The number is stable: it is what `wavetank explain E0103`
/// takes.
enum class ErrorCode : unsigned {
  kUsage = 1,                     ///< a command line or API argument makes no sense
  kFileUnreadable = 2,            ///< a file is missing or cannot be read
  kInternal = 3,                  ///< a bug in Wavetank
  kBadBundle = 10,                ///< an offload bundle or fat binary is malformed
  kBadElf = 11,                   ///< a code object's ELF structure is malformed or truncated
  kBadMetadata = 12,              ///< kernel metadata or a kernel descriptor is malformed
  kNoMatchingCodeObject = 13,     ///< a file holds no code object for the device
  kUndefinedSymbol = 14,          ///< a code object refers to a symbol nobody defines
  kBadDevice = 20,                ///< a device description is malformed or unknown
  kUnknownInstruction = 100,      ///< bytes that are no instruction of the target
  kUnsupportedInstruction = 103,  ///< an instruction of the target that has no row or cannot run
  kBadLaunch = 110,               ///< a launch that exceeds a limit of the device
  kOutOfMemory = 111,             ///< device memory is exhausted
  kMemoryFault = 120,             ///< a kernel touched memory it may not touch
  kTrap = 121,                    ///< a kernel executed s_trap (abort, failed assert)
  kDeadlock = 122,                ///< waves wait for each other and none can go on
  kDroppedAtomic = 130,           ///< a float atomic on memory where the device drops it
  kStandstill = 131,              ///< all waves of a launch have polled memory for long
  // What `wavetank check` finds.
  kDataRace = 310,       ///< accesses to the same memory that nothing orders, one of them a store
  kOutOfBounds = 311,    ///< an access beside the memory that the program allocated
  kUseAfterFree = 312,   ///< an access to memory that was freed
  kUndefinedData = 313,  ///< something depends on data that nobody defined
  kMissedBarrier = 314,  ///< a barrier that not all work-items of the workgroup come to
  kUnorderedOperations = 315,  ///< of host and streams, on the same memory, one of them a store
  kMisaligned = 316,           ///< an access whose address the device does not take
  kMissingWait = 317,          ///< a memory result that is used before s_waitcnt tells of it
  kMissingWaitStates = 318,    ///< an instruction that follows another one too closely
  kUselessFence = 319,         ///< a fence that orders nothing, or reaches farther than it has to
  kUnusedSuppression = 320,    ///< a comment or entry that suppresses no finding
};

/// True for what a program may go on after, as on the device, though hardly as it was meant.
constexpr bool is_warning(ErrorCode code) {
  return code == ErrorCode::kDroppedAtomic || code == ErrorCode::kStandstill;
}

/// One error: a code, a sentence, and (each may be empty) a place, a note and a next step.
struct Error {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;
  std::string where = {};
  std::string note = {};
  std::string help = {};

  /// The code as printed: "E0103".
  std::string code_text() const;
  /// The whole diagnostic, several lines, ending in a newline.
  std::string to_text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning an error from a function that gives a Result.
inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {},
                                  std::string help = {}) {
  return tl::unexpected<Error>(
      Error{code, std::move(message), std::move(where), {}, std::move(help)});
}

}  // namespace wavetank
