// The metadata note of a code object (AMDGPUUsage, "Code Object V3 Metadata" to "V5 Metadata"): a
// MessagePack map that tells the runtime each kernel's arguments and resources.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "code_object/byte_view.hpp"
#include "code_object/code_object.hpp"
#include "code_object/elf.hpp"

namespace wavetank::code_object {

/// What the note says.
struct Metadata {
  std::string target;           ///< "amdgcn-amd-amdhsa--gfx90a", empty if not given
  std::vector<Kernel> kernels;  ///< without descriptors and addresses
  std::vector<PrintfFormat> printf_formats;
};

/// The content of the NT_AMDGPU_METADATA note, empty if there is none. Errors: kBadMetadata when a
/// note is malformed.
Result<std::span<const std::byte>> find_metadata_note(ByteView file,
                                                      const std::vector<ProgramHeader>& segments);

/// Reads the content of the note. Errors: kBadMetadata; any bytes are safe to pass.
Result<Metadata> read_metadata(std::span<const std::byte> note);

/// Reads one string of `amdhsa.printf`. Errors: kBadMetadata.
Result<PrintfFormat> read_printf_format(std::string_view text);

}  // namespace wavetank::code_object
