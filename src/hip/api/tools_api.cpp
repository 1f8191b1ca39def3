// HIP API: what tracing tools, debuggers and old compilers ask the library about itself.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hip/abi/api_names.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/activity.hpp"

using namespace wavetank::hip;

namespace {

/// A kind of command, as activity records number it.
struct CommandName {
  std::uint32_t kind;
  const char* name;
};

// Source: ROCm/clr, rocclr/platform/activity.cpp; the numbers are OpenCL's (CL_COMMAND_*).
constexpr CommandName kCommandNames[] = {
    {0x0000, "InternalMarker"},
    {0x11F0, "KernelExecution"},
    {0x11F1, "Task"},
    {0x11F2, "NativeKernel"},
    {0x11F3, "CopyDeviceToHost"},
    {0x11F4, "CopyHostToDevice"},
    {0x11F5, "CopyDeviceToDevice"},
    {0x11F6, "ReadImage"},
    {0x11F7, "WriteImage"},
    {0x11F8, "CopyImage"},
    {0x11F9, "CopyImageToBuffer"},
    {0x11FA, "CopyBufferToImage"},
    {0x11FB, "MapBuffer"},
    {0x11FC, "MapImage"},
    {0x11FD, "UnmapMemObject"},
    {0x11FE, "Marker"},
    {0x11FF, "AcquireGLObjects"},
    {0x1200, "ReleaseGLObjects"},
    {0x1201, "CopyDeviceToHost2D"},
    {0x1202, "CopyHostToDevice2D"},
    {0x1203, "CopyDeviceToDevice2D"},
    {0x1204, "User"},
    {0x1205, "Barrier"},
    {0x1206, "MigrateMemObjects"},
    {0x1207, "FillBuffer"},
    {0x1208, "FillImage"},
    {0x1209, "SvmFree"},
    {0x120A, "SvmMemcpy"},
    {0x120B, "SvmMemFill"},
    {0x120C, "SvmMap"},
    {0x120D, "SvmUnmap"},
    {0x4501, "StreamWait"},
    {0x4502, "StreamWrite"},
};

}  // namespace

WAVETANK_API const char* hipApiName(std::uint32_t id) { return abi::api_name(id); }

WAVETANK_API const char* hipGetCmdName(std::uint32_t kind) {
  const auto* known = std::ranges::find(kCommandNames, kind, &CommandName::kind);
  return known == std::ranges::end(kCommandNames) ? "Unknown command kind" : known->name;
}

WAVETANK_API const char* amd_dbgapi_get_build_name() { return "wavetank"; }
WAVETANK_API const char* amd_dbgapi_get_git_hash() { return ""; }
WAVETANK_API std::size_t amd_dbgapi_get_build_id() { return 0; }

// Of the domains that a tool can listen to, what devices do is told, not the calls of functions.
WAVETANK_API void hipRegisterTracerCallback(ActivityListener listener) {
  set_activity_listener(listener);
}

// hipRTC makes its precompiled header itself, with the compiler that will read it: none is inside.
WAVETANK_API void __hipGetPCH(const char** header, unsigned* size_bytes) {
  *header = nullptr;
  *size_bytes = 0;
}
