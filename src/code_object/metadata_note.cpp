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

/// Appends the metadata notes of one PT_NOTE segment.
Result<void> take_notes(ByteView notes, std::vector<std::span<const std::byte>>& found) {
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
    if (*name == kNoteName && type == kNoteTypeMetadata) found.push_back(*content);
    at = content_at + padded(content_bytes);
  }
  return {};
}

}  // namespace

Result<std::vector<std::span<const std::byte>>> find_metadata_notes(
    ByteView file, const std::vector<ProgramHeader>& segments) {
  std::vector<std::span<const std::byte>> found;
  std::uint64_t note_bytes = 0;
  for (const ProgramHeader& segment : segments) {
    if (segment.type != kSegmentNote) continue;
    note_bytes += segment.file_size_bytes;
    // Thousands of segments that name the same notes would be read as often.
    if (note_bytes > file.size()) {
      return fail(ErrorCode::kBadMetadata, "notes of the code object use the same bytes");
    }
    const ByteView notes(*file.slice(segment.file_offset, segment.file_size_bytes));
    if (auto done = take_notes(notes, found); !done) return tl::unexpected(done.error());
  }
  return found;
}

}  // namespace wavetank::code_object
