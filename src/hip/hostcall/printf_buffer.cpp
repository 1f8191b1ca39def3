#include "hip/hostcall/printf_buffer.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "hip/hostcall/printf_format.hpp"

namespace wavetank::hip {
namespace {

using code_object::ArgumentKind;
using code_object::PrintfFormat;

// ROCm/clr's size: 4096 bytes for each of 1024 work-items. What does not fit is not printed.
constexpr std::size_t kPrintfBufferBytes = std::size_t{4} << 20;
constexpr std::size_t kPrintfHeaderBytes = 8;
constexpr std::uint32_t kToStderr = 1, kConstantFormat = 2;
constexpr unsigned kSizeShift = 2;

template <class T>
T read(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

/// Whole words; records stand at multiples of four bytes only.
std::vector<std::uint64_t> words_of(std::span<const std::byte> bytes) {
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::ranges::copy(bytes.first(words.size() * sizeof(std::uint64_t)),
                    std::as_writable_bytes(std::span(words)).begin());
  return words;
}

std::string text_of(std::uint32_t control, std::span<const std::byte> content,
                    std::span<const PrintfFormat> formats) {
  if ((control & kConstantFormat) == 0) return format_device_message(words_of(content));
  if (content.size() < sizeof(std::uint64_t)) return {};
  const auto hash = read<std::uint64_t>(content);
  const auto format = std::ranges::find(formats, hash, &PrintfFormat::hash);
  if (format == formats.end()) return {};
  return format_device_printf(format->format, words_of(content.subspan(sizeof hash)));
}

}  // namespace

std::vector<PrintedText> read_printf_buffer(std::span<const std::byte> buffer,
                                            std::span<const PrintfFormat> formats) {
  std::vector<PrintedText> texts;
  if (buffer.size() < kPrintfHeaderBytes) return texts;
  auto rest = buffer.subspan(kPrintfHeaderBytes);
  rest = rest.first(std::min<std::size_t>(rest.size(), read<std::uint32_t>(buffer)));
  while (rest.size() >= sizeof(std::uint32_t)) {
    const auto control = read<std::uint32_t>(rest);
    const std::size_t size = control >> kSizeShift;
    if (size < sizeof control || size > rest.size()) break;
    const auto content = rest.first(size).subspan(sizeof control);
    texts.push_back({(control & kToStderr) != 0, text_of(control, content, formats)});
    rest = rest.subspan(size);
  }
  return texts;
}

bool prints_into_buffer(const code_object::CodeObject& object, const code_object::Kernel& kernel) {
  return !object.printf_formats.empty() &&
         std::ranges::any_of(kernel.arguments, [](const code_object::Argument& argument) {
           return argument.kind == ArgumentKind::kHiddenPrintfBuffer;
         });
}

Result<std::byte*> PrintfBuffers::take() {
  std::byte* buffer = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      buffer = free_.back();
      free_.pop_back();
    }
  }
  if (buffer == nullptr) {
    auto made = memory_.allocate(kPrintfBufferBytes, machine::MemoryKind::kHostPinned);
    if (!made) return made;
    buffer = *made;
  }
  const std::uint32_t header[] = {0, kPrintfBufferBytes - kPrintfHeaderBytes};
  std::memcpy(buffer, header, sizeof header);
  return buffer;
}

void PrintfBuffers::print_and_return(std::byte* buffer, const code_object::CodeObject& object) {
  for (const auto& [to_stderr, text] :
       read_printf_buffer({buffer, kPrintfBufferBytes}, object.printf_formats)) {
    std::fwrite(text.data(), 1, text.size(), to_stderr ? stderr : stdout);
  }
  // A kernel that fails leaves room without a record, where an old one would be printed again.
  std::memset(buffer, 0,
              kPrintfHeaderBytes + std::min<std::size_t>(read<std::uint32_t>({buffer, 4}),
                                                         kPrintfBufferBytes - kPrintfHeaderBytes));
  const std::lock_guard lock(mutex_);
  free_.push_back(buffer);
}

}  // namespace wavetank::hip
