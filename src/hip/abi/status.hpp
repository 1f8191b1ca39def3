// hipError_t as the HIP ABI numbers it (hip_runtime_api.h, enum hipError_t).
#pragma once

#include <cstdint>

namespace wavetank::hip::abi {

/// What every HIP function returns. The numbers are the same in ROCm 5, 6 and 7.
enum class Status : std::int32_t {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kDeinitialized = 4,
  kProfilerDisabled = 5,
  kProfilerNotInitialized = 6,
  kProfilerAlreadyStarted = 7,
  kProfilerAlreadyStopped = 8,
  kInvalidConfiguration = 9,
  kInvalidPitchValue = 12,
  kInvalidSymbol = 13,
  kInvalidDevicePointer = 17,
  kInvalidMemcpyDirection = 21,
  kInsufficientDriver = 35,
  kMissingConfiguration = 52,
  kPriorLaunchFailure = 53,
  kInvalidDeviceFunction = 98,
  kNoDevice = 100,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kContextAlreadyCurrent = 202,
  kMapFailed = 205,
  kUnmapFailed = 206,
  kArrayIsMapped = 207,
  kAlreadyMapped = 208,
  kNoBinaryForGpu = 209,
  kAlreadyAcquired = 210,
  kNotMapped = 211,
  kNotMappedAsArray = 212,
  kNotMappedAsPointer = 213,
  kEccNotCorrectable = 214,
  kUnsupportedLimit = 215,
  kContextAlreadyInUse = 216,
  kPeerAccessUnsupported = 217,
  kInvalidKernelFile = 218,
  kInvalidGraphicsContext = 219,
  kInvalidSource = 300,
  kFileNotFound = 301,
  kSharedObjectSymbolNotFound = 302,
  kSharedObjectInitFailed = 303,
  kOperatingSystem = 304,
  kInvalidHandle = 400,
  kIllegalState = 401,
  kNotFound = 500,
  kNotReady = 600,
  kIllegalAddress = 700,
  kLaunchOutOfResources = 701,
  kLaunchTimeOut = 702,
  kPeerAccessAlreadyEnabled = 704,
  kPeerAccessNotEnabled = 705,
  kSetOnActiveProcess = 708,
  kContextIsDestroyed = 709,
  kAssert = 710,
  kHostMemoryAlreadyRegistered = 712,
  kHostMemoryNotRegistered = 713,
  kLaunchFailure = 719,
  kCooperativeLaunchTooLarge = 720,
  kNotSupported = 801,
  kStreamCaptureUnsupported = 900,
  kStreamCaptureInvalidated = 901,
  kStreamCaptureMerge = 902,
  kStreamCaptureUnmatched = 903,
  kStreamCaptureUnjoined = 904,
  kStreamCaptureIsolation = 905,
  kStreamCaptureImplicit = 906,
  kCapturedEvent = 907,
  kStreamCaptureWrongThread = 908,
  kGraphExecUpdateFailure = 910,
  kUnknown = 999,
  kRuntimeMemory = 1052,
  kRuntimeOther = 1053,
};

/// True for a number that has a name of its own.
bool is_status(Status status);
/// "hipErrorInvalidValue"; "hipErrorUnknown" for a number that is no status.
const char* status_name(Status status);
/// The sentence that hipGetErrorString gives ("invalid argument").
const char* status_text(Status status);

}  // namespace wavetank::hip::abi
