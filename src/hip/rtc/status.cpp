#include "hip/rtc/status.hpp"

namespace wavetank::hip::rtc {

const char* name_of(RtcStatus status) {
  using enum RtcStatus;
  switch (status) {
    case kSuccess: return "HIPRTC_SUCCESS";
    case kOutOfMemory: return "HIPRTC_ERROR_OUT_OF_MEMORY";
    case kProgramCreationFailure: return "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case kInvalidInput: return "HIPRTC_ERROR_INVALID_INPUT";
    case kInvalidProgram: return "HIPRTC_ERROR_INVALID_PROGRAM";
    case kInvalidOption: return "HIPRTC_ERROR_INVALID_OPTION";
    case kCompilation: return "HIPRTC_ERROR_COMPILATION";
    case kBuiltinOperationFailure: return "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE";
    case kNoNameExpressionsAfterCompilation:
      return "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION";
    case kNoLoweredNamesBeforeCompilation:
      return "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION";
    case kNameExpressionNotValid: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case kInternalError: return "HIPRTC_ERROR_INTERNAL_ERROR";
    case kLinking: return "HIPRTC_ERROR_LINKING";
  }
  return nullptr;
}

}  // namespace wavetank::hip::rtc
