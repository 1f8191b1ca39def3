// What kernels print that were compiled with -mprintf-kind=buffered: they append records to a
// buffer, hidden_printf_buffer, which the host prints when the kernel is done (ROCm/clr,
// rocprintf.cpp; __printf_alloc of the device libraries; LLVM AMDGPUEmitPrintf).
//
//   bytes 0-3   bytes of records that were written       4-7   bytes that there is room for
//   8-          records, each a multiple of 4 bytes:
//                 0-3   bit 0: standard error, bit 1: a format of the code object,
//                       bits 2-31: size of the record in bytes
//                 4-    the format's hash (8 bytes) or its text (zero-terminated, padded to 8),
//                       then the arguments as hostcall has them (printf_format.hpp)
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "code_object/code_object.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::hip {

/// One call of printf.
struct PrintedText {
  bool to_stderr = false;
  std::string text;
};

/// Reads a buffer that a kernel wrote; a record that is malformed ends it. Any bytes are safe. A
/// format that `formats` lacks prints nothing.
std::vector<PrintedText> read_printf_buffer(std::span<const std::byte> buffer,
                                            std::span<const code_object::PrintfFormat> formats);

/// True if a kernel of this code object prints into a buffer.
bool prints_into_buffer(const code_object::CodeObject& object, const code_object::Kernel& kernel);

/// The buffers of a device: one for each kernel that runs now and prints. Safe from any thread.
class PrintfBuffers {
 public:
  explicit PrintfBuffers(machine::DeviceMemory& memory) : memory_(memory) {}
  /// An empty buffer, in host-visible memory. Errors: kOutOfMemory.
  Result<std::byte*> take();
  /// Prints what is in a buffer and keeps it for the next kernel.
  void print_and_return(std::byte* buffer, const code_object::CodeObject& object);

 private:
  machine::DeviceMemory& memory_;
  std::mutex mutex_;
  std::vector<std::byte*> free_;
};

}  // namespace wavetank::hip
