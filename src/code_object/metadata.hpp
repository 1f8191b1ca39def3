// The metadata notes of a code object (AMDGPUUsage, "Code Object V3 Metadata" to "V5 Metadata"):
// MessagePack maps that tell the runtime each kernel's arguments and resources. A linked code
// object has as many as it was made of assembler files with a note.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "code_object/byte_view.hpp"
#include "code_object/elf.hpp"
#include "code_object/kernel.hpp"

namespace wavetank::code_object {

/// What the notes say.
struct Metadata {
  std::vector<Kernel> kernels;  ///< without descriptors and addresses
  std::vector<PrintfFormat> printf_formats;
};

/// The contents of all NT_AMDGPU_METADATA notes, in the file's order. Errors: kBadMetadata when a
/// note is malformed or segments use the same bytes.
Result<std::vector<std::span<const std::byte>>> find_metadata_notes(
    ByteView file, const std::vector<ProgramHeader>& segments);

/// Reads the content of one note. Errors: kBadMetadata; any bytes are safe to pass.
Result<Metadata> read_metadata(std::span<const std::byte> note);

/// What several notes say together: the kernels and formats of all. What is said twice is kept
/// once. Errors: kBadMetadata, also when two descriptions of a kernel or of a format's number
/// differ.
Result<Metadata> merge_metadata(std::vector<Metadata> notes);

/// Reads one string of `amdhsa.printf`. Errors: kBadMetadata.
Result<PrintfFormat> read_printf_format(std::string_view text);

}  // namespace wavetank::code_object
