// LLVM bitcode files as far as choosing a compiler for them needs.
#pragma once

#include <filesystem>
#include <optional>

namespace wavetank::toolchain {

/// The major version of the LLVM that wrote a bitcode file: 22 for the producer "LLVM22.1.6". A
/// compiler reads what its own version or an older one wrote. Absent when the file is missing, is
/// no bitcode or names no version. Source: LLVM's BitCodeFormat, "IDENTIFICATION_BLOCK".
std::optional<int> bitcode_writer(const std::filesystem::path& file);

}  // namespace wavetank::toolchain
