// Device memory between processes (hipIpcMemHandle_t, hipMemPoolPtrExportData). The handle names a
// descriptor of the exporting process, which another process of the same user opens through /proc:
// nothing is left over when both are gone. As with ROCm the exporter must live while others open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hip/abi/status.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {

/// hipIpcMemHandle_t, hipIpcEventHandle_t, hipMemPoolPtrExportData: 64 bytes, opaque to programs.
struct ProcessHandle {
  std::array<std::byte, 64> bytes;
};

/// What a handle is for; a handle of another kind is refused.
enum class HandleKind : std::uint32_t { kMemory = 1, kEvent = 2 };

/// The meaning of a handle's bytes.
struct SharedObject {
  std::uint64_t magic = 0;
  HandleKind kind = HandleKind::kMemory;
  std::int32_t process_id = 0;
  std::int32_t descriptor = -1;
  std::int32_t device = 0;
  std::uint64_t inode = 0;  ///< the descriptor may mean another file by the time it is opened
  std::uint64_t size_bytes = 0;
  std::uint64_t offset_bytes = 0;
};

/// Describes a descriptor of this process.
SharedObject describe(HandleKind kind, int descriptor);
ProcessHandle to_handle(const SharedObject& object);
/// False for bytes that to_handle did not make, or of another kind.
bool from_handle(const ProcessHandle& handle, HandleKind kind, SharedObject& object);
/// A descriptor of our own for an object of any process, or -1.
int open_descriptor(const SharedObject& object);

/// Makes the allocation around an address one that other processes can open. Waits for the device,
/// as no kernel may write meanwhile. Errors: kInvalidValue, kOutOfMemory.
abi::Status export_memory(void* address, SharedObject& object);
/// How opened memory ends: by hipIpcCloseMemHandle, or as the memory of a pool by hipFree.
enum class OpenedBy : std::uint8_t { kIpcHandle, kPool };

/// Opens memory of a process; the same memory opened again has the same address, and must be closed
/// as often. Errors: kInvalidDevicePointer.
abi::Status open_memory(VirtualDevice& device, const SharedObject& object, OpenedBy by,
                        void** address);
/// Undoes open_memory; no device may use the memory. Errors: kInvalidValue.
abi::Status close_memory(void* address, OpenedBy by);

}  // namespace wavetank::hip
