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

/// A duplicate of the descriptor whose number a program gives as a pointer. Only the lower 32 bits
/// count: AMD's runtime reads no others for pools (ROCm/clr, hip_mempool.cpp), and programs that
/// export into a wider variable leave the upper ones as they were.
std::optional<int> numbered_descriptor(const void* given);

}  // namespace wavetank::hip
