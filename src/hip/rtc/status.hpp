// hiprtcResult as the HIP ABI numbers it (hip/hiprtc.h).
#pragma once

#include <cstdint>

namespace wavetank::hip::rtc {

/// What every hipRTC function returns.
enum class RtcStatus : std::int32_t {
  kSuccess = 0,
  kOutOfMemory = 1,
  kProgramCreationFailure = 2,
  kInvalidInput = 3,
  kInvalidProgram = 4,
  kInvalidOption = 5,
  kCompilation = 6,
  kBuiltinOperationFailure = 7,
  kNoNameExpressionsAfterCompilation = 8,
  kNoLoweredNamesBeforeCompilation = 9,
  kNameExpressionNotValid = 10,
  kInternalError = 11,
  kLinking = 100,
};

/// "HIPRTC_ERROR_COMPILATION" and so on; nullptr for a number that is none.
const char* name_of(RtcStatus status);

}  // namespace wavetank::hip::rtc
