#include "hip/abi/status.hpp"

#include <algorithm>
#include <array>

namespace wavetank::hip::abi {
namespace {

struct StatusRow {
  Status status;
  const char* name;
  const char* text;
};

// Names: hip_runtime_api.h. Sentences: those that programs see from AMD's hipGetErrorString.
constexpr std::array kRows = {
    StatusRow{Status::kSuccess, "hipSuccess", "no error"},
    StatusRow{Status::kInvalidValue, "hipErrorInvalidValue", "invalid argument"},
    StatusRow{Status::kOutOfMemory, "hipErrorOutOfMemory", "out of memory"},
    StatusRow{Status::kNotInitialized, "hipErrorNotInitialized", "initialization error"},
    StatusRow{Status::kDeinitialized, "hipErrorDeinitialized", "driver shutting down"},
    StatusRow{Status::kProfilerDisabled, "hipErrorProfilerDisabled",
              "profiler disabled while using external profiling tool"},
    StatusRow{Status::kProfilerNotInitialized, "hipErrorProfilerNotInitialized",
              "profiler is not initialized"},
    StatusRow{Status::kProfilerAlreadyStarted, "hipErrorProfilerAlreadyStarted",
              "profiler already started"},
    StatusRow{Status::kProfilerAlreadyStopped, "hipErrorProfilerAlreadyStopped",
              "profiler already stopped"},
    StatusRow{Status::kInvalidConfiguration, "hipErrorInvalidConfiguration",
              "invalid configuration argument"},
    StatusRow{Status::kInvalidPitchValue, "hipErrorInvalidPitchValue", "invalid pitch argument"},
    StatusRow{Status::kInvalidSymbol, "hipErrorInvalidSymbol", "invalid device symbol"},
    StatusRow{Status::kInvalidDevicePointer, "hipErrorInvalidDevicePointer",
              "invalid device pointer"},
    StatusRow{Status::kInvalidMemcpyDirection, "hipErrorInvalidMemcpyDirection",
              "invalid copy direction for memcpy"},
    StatusRow{Status::kInsufficientDriver, "hipErrorInsufficientDriver",
              "driver version is insufficient for runtime version"},
    StatusRow{Status::kMissingConfiguration, "hipErrorMissingConfiguration",
              "__global__ function call is not configured"},
    StatusRow{Status::kPriorLaunchFailure, "hipErrorPriorLaunchFailure",
              "unspecified launch failure in prior launch"},
    StatusRow{Status::kInvalidDeviceFunction, "hipErrorInvalidDeviceFunction",
              "invalid device function"},
    StatusRow{Status::kNoDevice, "hipErrorNoDevice", "no ROCm-capable device is detected"},
    StatusRow{Status::kInvalidDevice, "hipErrorInvalidDevice", "invalid device ordinal"},
    StatusRow{Status::kInvalidImage, "hipErrorInvalidImage", "device kernel image is invalid"},
    StatusRow{Status::kInvalidContext, "hipErrorInvalidContext", "invalid device context"},
    StatusRow{Status::kContextAlreadyCurrent, "hipErrorContextAlreadyCurrent",
              "context is already current context"},
    StatusRow{Status::kMapFailed, "hipErrorMapFailed", "mapping of buffer object failed"},
    StatusRow{Status::kUnmapFailed, "hipErrorUnmapFailed", "unmapping of buffer object failed"},
    StatusRow{Status::kArrayIsMapped, "hipErrorArrayIsMapped", "array is mapped"},
    StatusRow{Status::kAlreadyMapped, "hipErrorAlreadyMapped", "resource already mapped"},
    StatusRow{Status::kNoBinaryForGpu, "hipErrorNoBinaryForGpu",
              "no kernel image is available for execution on the device"},
    StatusRow{Status::kAlreadyAcquired, "hipErrorAlreadyAcquired", "resource already acquired"},
    StatusRow{Status::kNotMapped, "hipErrorNotMapped", "resource not mapped"},
    StatusRow{Status::kNotMappedAsArray, "hipErrorNotMappedAsArray",
              "resource not mapped as array"},
    StatusRow{Status::kNotMappedAsPointer, "hipErrorNotMappedAsPointer",
              "resource not mapped as pointer"},
    StatusRow{Status::kEccNotCorrectable, "hipErrorECCNotCorrectable",
              "uncorrectable ECC error encountered"},
    StatusRow{Status::kUnsupportedLimit, "hipErrorUnsupportedLimit",
              "limit is not supported on this architecture"},
    StatusRow{Status::kContextAlreadyInUse, "hipErrorContextAlreadyInUse",
              "exclusive-thread device already in use by a different thread"},
    StatusRow{Status::kPeerAccessUnsupported, "hipErrorPeerAccessUnsupported",
              "peer access is not supported between these two devices"},
    StatusRow{Status::kInvalidKernelFile, "hipErrorInvalidKernelFile", "invalid kernel file"},
    StatusRow{Status::kInvalidGraphicsContext, "hipErrorInvalidGraphicsContext",
              "invalid OpenGL or DirectX context"},
    StatusRow{Status::kInvalidSource, "hipErrorInvalidSource", "device kernel image is invalid"},
    StatusRow{Status::kFileNotFound, "hipErrorFileNotFound", "file not found"},
    StatusRow{Status::kSharedObjectSymbolNotFound, "hipErrorSharedObjectSymbolNotFound",
              "shared object symbol not found"},
    StatusRow{Status::kSharedObjectInitFailed, "hipErrorSharedObjectInitFailed",
              "shared object initialization failed"},
    StatusRow{Status::kOperatingSystem, "hipErrorOperatingSystem",
              "OS call failed or operation not supported on this OS"},
    StatusRow{Status::kInvalidHandle, "hipErrorInvalidHandle", "invalid resource handle"},
    StatusRow{Status::kIllegalState, "hipErrorIllegalState",
              "the operation cannot be performed in the present state"},
    StatusRow{Status::kNotFound, "hipErrorNotFound", "named symbol not found"},
    StatusRow{Status::kNotReady, "hipErrorNotReady", "device not ready"},
    StatusRow{Status::kIllegalAddress, "hipErrorIllegalAddress",
              "an illegal memory access was encountered"},
    StatusRow{Status::kLaunchOutOfResources, "hipErrorLaunchOutOfResources",
              "too many resources requested for launch"},
    StatusRow{Status::kLaunchTimeOut, "hipErrorLaunchTimeOut",
              "the launch timed out and was terminated"},
    StatusRow{Status::kPeerAccessAlreadyEnabled, "hipErrorPeerAccessAlreadyEnabled",
              "peer access is already enabled"},
    StatusRow{Status::kPeerAccessNotEnabled, "hipErrorPeerAccessNotEnabled",
              "peer access has not been enabled"},
    StatusRow{Status::kSetOnActiveProcess, "hipErrorSetOnActiveProcess",
              "cannot set while device is active in this process"},
    StatusRow{Status::kContextIsDestroyed, "hipErrorContextIsDestroyed", "context is destroyed"},
    StatusRow{Status::kAssert, "hipErrorAssert", "device-side assert triggered"},
    StatusRow{Status::kHostMemoryAlreadyRegistered, "hipErrorHostMemoryAlreadyRegistered",
              "part or all of the requested memory range is already mapped"},
    StatusRow{Status::kHostMemoryNotRegistered, "hipErrorHostMemoryNotRegistered",
              "pointer does not correspond to a registered memory region"},
    StatusRow{Status::kLaunchFailure, "hipErrorLaunchFailure", "unspecified launch failure"},
    StatusRow{Status::kCooperativeLaunchTooLarge, "hipErrorCooperativeLaunchTooLarge",
              "too many blocks in cooperative launch"},
    StatusRow{Status::kNotSupported, "hipErrorNotSupported", "operation not supported"},
    StatusRow{Status::kStreamCaptureUnsupported, "hipErrorStreamCaptureUnsupported",
              "operation not permitted when stream is capturing"},
    StatusRow{Status::kStreamCaptureInvalidated, "hipErrorStreamCaptureInvalidated",
              "operation failed due to a previous error during capture"},
    StatusRow{Status::kStreamCaptureMerge, "hipErrorStreamCaptureMerge",
              "operation would result in a merge of separate capture sequences"},
    StatusRow{Status::kStreamCaptureUnmatched, "hipErrorStreamCaptureUnmatched",
              "capture was not ended in the same stream as it began"},
    StatusRow{Status::kStreamCaptureUnjoined, "hipErrorStreamCaptureUnjoined",
              "capturing stream has unjoined work"},
    StatusRow{Status::kStreamCaptureIsolation, "hipErrorStreamCaptureIsolation",
              "dependency created on uncaptured work in another stream"},
    StatusRow{Status::kStreamCaptureImplicit, "hipErrorStreamCaptureImplicit",
              "operation would make the legacy stream depend on a capturing blocking stream"},
    StatusRow{Status::kCapturedEvent, "hipErrorCapturedEvent",
              "operation not permitted on an event last recorded in a capturing stream"},
    StatusRow{Status::kStreamCaptureWrongThread, "hipErrorStreamCaptureWrongThread",
              "attempt to terminate a thread-local capture sequence from another thread"},
    StatusRow{Status::kGraphExecUpdateFailure, "hipErrorGraphExecUpdateFailure",
              "the graph update was not performed because it included changes which violated "
              "constraints specific to instantiated graph update"},
    StatusRow{Status::kUnknown, "hipErrorUnknown", "unknown error"},
    StatusRow{Status::kRuntimeMemory, "hipErrorRuntimeMemory",
              "runtime memory call returned error"},
    StatusRow{Status::kRuntimeOther, "hipErrorRuntimeOther",
              "runtime call other than memory returned error"},
};

const StatusRow* find(Status status) {
  const auto row = std::ranges::find(kRows, status, &StatusRow::status);
  return row == kRows.end() ? nullptr : &*row;
}

}  // namespace

bool is_status(Status status) { return find(status) != nullptr; }

const char* status_name(Status status) {
  const StatusRow* row = find(status);
  return row == nullptr ? "hipErrorUnknown" : row->name;
}

const char* status_text(Status status) {
  const StatusRow* row = find(status);
  return row == nullptr ? "unknown error" : row->text;
}

}  // namespace wavetank::hip::abi
