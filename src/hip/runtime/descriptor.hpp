// File descriptors that programs pass between processes (hipMemHandleTypePosixFileDescriptor).
#pragma once

#include <optional>

namespace wavetank::hip {

/// Stores a duplicate, which is the program's, in the int at `target`; false when the process has
/// as many as it may.
bool export_descriptor(int descriptor, void* target);

/// A duplicate of the descriptor that a program gives: as a pointer to it (ROCm 6) or as its number
/// (ROCm 7, and programs that came from CUDA). The program keeps its own.
std::optional<int> imported_descriptor(const void* given);

}  // namespace wavetank::hip
