#include <optional>
#include <string_view>

#include "code_object/metadata.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::string_view kNoteName("AMDGPU", 7);  // with its terminating zero
constexpr std::uint32_t kNoteTypeMetadata = 32;     // NT_AMDGPU_METADATA
constexpr std::uint64_t kNoteHeaderBytes = 12;

/// Note entries are padded to four bytes.
constexpr std::uint64_t padded(std::uint32_t size_bytes) {
  return (std::uint64_t{size_bytes} + 3) & ~std::uint64_t{3};
}

/// The metadata note of one PT_NOTE segment.
Result<std::optional<std::span<const std::byte>>> find_in_segment(ByteView notes) {
  std::uint64_t at = 0;
  while (notes.contains(at, kNoteHeaderBytes)) {
    const auto name_bytes = *notes.read<std::uint32_t>(at);
    const auto content_bytes = *notes.read<std::uint32_t>(at + 4);
    const auto type = *notes.read<std::uint32_t>(at + 8);
    const std::uint64_t content_at = at + kNoteHeaderBytes + padded(name_bytes);
    const auto name = notes.text(at + kNoteHeaderBytes, name_bytes);
    const auto content = notes.slice(content_at, content_bytes);
    if (!name || !content) {
      return fail(ErrorCode::kBadMetadata, "a note of the code object is truncated");
    }
    if (*name == kNoteName && type == kNoteTypeMetadata) return std::optional(*content);
    at = content_at + padded(content_bytes);
  }
  return std::optional<std::span<const std::byte>>();
}

}  // namespace

Result<std::span<const std::byte>> find_metadata_note(ByteView file,
                                                      const std::vector<ProgramHeader>& segments) {
  for (const ProgramHeader& segment : segments) {
    if (segment.type != kSegmentNote) continue;
    auto found = find_in_segment(
        ByteView(*file.slice(segment.file_offset, segment.file_size_bytes)));
    if (!found) return tl::unexpected(found.error());
    if (*found) return **found;
  }
  return std::span<const std::byte>();
}

}  // namespace wavetank::code_object
