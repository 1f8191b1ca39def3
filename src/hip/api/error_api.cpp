// HIP API: error handling.
#include "hip/api/entry.hpp"

using namespace wavetank::hip;
using abi::Status;

WAVETANK_API Status hipGetLastError() { return api::take_last_error(); }
WAVETANK_API Status hipPeekAtLastError() { return api::peek_last_error(); }
WAVETANK_API Status hipExtGetLastError() { return api::take_last_call_status(); }
WAVETANK_API const char* hipGetErrorName(Status status) { return abi::status_name(status); }
WAVETANK_API const char* hipGetErrorString(Status status) { return abi::status_text(status); }

// A number that is no status has the name and the sentence of hipErrorUnknown.
WAVETANK_API Status hipDrvGetErrorName(Status status, const char** name) {
  if (name == nullptr) return Status::kInvalidValue;
  *name = abi::status_name(status);
  return abi::is_status(status) ? Status::kSuccess : Status::kInvalidValue;
}

WAVETANK_API Status hipDrvGetErrorString(Status status, const char** text) {
  if (text == nullptr) return Status::kInvalidValue;
  *text = abi::status_text(status);
  return abi::is_status(status) ? Status::kSuccess : Status::kInvalidValue;
}
