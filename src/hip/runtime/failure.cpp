#include "hip/runtime/failure.hpp"

#include <cstdio>

namespace wavetank::hip {

void print_on_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void report_error(const Error& error) { print_on_stderr(error.to_text()); }

abi::Status status_of(const Error& error) {
  using abi::Status;
  switch (error.code) {
    case ErrorCode::kUsage: return Status::kInvalidValue;
    case ErrorCode::kFileUnreadable: return Status::kFileNotFound;
    case ErrorCode::kBadBundle:
    case ErrorCode::kBadElf:
    case ErrorCode::kBadMetadata: return Status::kInvalidImage;
    case ErrorCode::kNoMatchingCodeObject: return Status::kNoBinaryForGpu;
    case ErrorCode::kUndefinedSymbol: return Status::kSharedObjectSymbolNotFound;
    case ErrorCode::kBadDevice: return Status::kNoDevice;
    case ErrorCode::kBadLaunch: return Status::kInvalidConfiguration;
    case ErrorCode::kOutOfMemory: return Status::kOutOfMemory;
    case ErrorCode::kMemoryFault: return Status::kIllegalAddress;
    case ErrorCode::kTrap: return Status::kAssert;
    case ErrorCode::kDeadlock: return Status::kLaunchTimeOut;
    case ErrorCode::kUnknownInstruction:
    case ErrorCode::kUnsupportedInstruction: return Status::kLaunchFailure;
    case ErrorCode::kDroppedAtomic:
    case ErrorCode::kStandstill:
    // What a check finds changes nothing for the program.
    case ErrorCode::kDataRace:
    case ErrorCode::kOutOfBounds:
    case ErrorCode::kUseAfterFree:
    case ErrorCode::kUndefinedData:
    case ErrorCode::kMissedBarrier:
    case ErrorCode::kUnorderedOperations:
    case ErrorCode::kMisaligned:
    case ErrorCode::kMissingWait:
    case ErrorCode::kMissingWaitStates:
    case ErrorCode::kUselessFence:
    case ErrorCode::kUnusedSuppression: return Status::kSuccess;
    case ErrorCode::kInternal: return Status::kUnknown;
  }
  return Status::kUnknown;
}

}  // namespace wavetank::hip
