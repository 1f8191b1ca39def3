// The hiprtcLink* functions without their linkage; hipLink* of ROCm 7 are the same ones.
#pragma once

#include <cstddef>

#include "hip/rtc/program.hpp"
#include "hip/rtc/status.hpp"

namespace wavetank::hip::rtc {

/// hiprtcJITInputType (hip/hiprtc.h).
enum class InputType : int {
  kBitcode = 100,
  kBundledBitcode = 101,
  kArchiveOfBundledBitcode = 102,
};

/// hiprtcJIT_option. Those that have no meaning for a code object are accepted and ignored.
enum class LinkOption : int {
  kInfoLogBuffer = 3,
  kInfoLogBufferBytes = 4,
  kErrorLogBuffer = 5,
  kErrorLogBufferBytes = 6,
  kOptimizationLevel = 7,
  kIrToIsaOptions = 10000,
  kIrToIsaOptionCount = 10001,
};

RtcStatus link_create(unsigned option_count, const int* options, void** values, LinkState** handle);
RtcStatus link_add_file(LinkState* handle, int type, const char* path);
RtcStatus link_add_data(LinkState* handle, int type, const void* image, std::size_t size_bytes);
/// The code object belongs to the link state.
RtcStatus link_complete(LinkState* handle, void** code, std::size_t* size_bytes);
RtcStatus link_destroy(LinkState* handle);

}  // namespace wavetank::hip::rtc
