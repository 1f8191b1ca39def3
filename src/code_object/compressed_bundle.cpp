#include "code_object/compressed_bundle.hpp"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "code_object/bad_file.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::uint64_t kMaxContentBytes = std::uint64_t{4} << 30;
// zlib cannot exceed 1032 to 1; code objects reach about 20 to 1 with zstd. A file beyond this
// factor was made to exhaust memory.
constexpr std::uint64_t kMaxRatio = 4096;
constexpr std::uint64_t kPageBytes = 4096;
constexpr std::size_t kOutputStepBytes = std::size_t{1} << 20;

enum class Method : std::uint16_t { kZlib = 0, kZstd = 1 };

struct Header {
  Method method = Method::kZlib;
  std::uint64_t header_bytes = 0;
  std::uint64_t file_bytes = 0;  ///< header and stream; 0 when the version does not say
  std::uint64_t content_bytes = 0;
};

Result<Header> read_header(ByteView bytes) {
  const auto version = bytes.read<std::uint16_t>(4);
  const auto method = bytes.read<std::uint16_t>(6);
  if (!version || !method) return bad_bundle("a compressed bundle is truncated in its header");
  if (*method > 1) {
    return bad_bundle("a compressed bundle has the unknown method " + std::to_string(*method));
  }
  Header header;
  header.method = static_cast<Method>(*method);
  std::optional<std::uint64_t> file_bytes = 0;
  std::optional<std::uint64_t> content_bytes;
  switch (*version) {
    case 1:
      header.header_bytes = 20;
      content_bytes = bytes.read<std::uint32_t>(8);
      break;
    case 2:
      header.header_bytes = 24;
      file_bytes = bytes.read<std::uint32_t>(8);
      content_bytes = bytes.read<std::uint32_t>(12);
      break;
    case 3:
      header.header_bytes = 32;
      file_bytes = bytes.read<std::uint64_t>(8);
      content_bytes = bytes.read<std::uint64_t>(16);
      break;
    default:
      return bad_bundle("a compressed bundle has the unknown version " + std::to_string(*version));
  }
  if (!file_bytes || !content_bytes || !bytes.contains(0, header.header_bytes)) {
    return bad_bundle("a compressed bundle is truncated in its header");
  }
  header.file_bytes = *file_bytes;
  header.content_bytes = *content_bytes;
  if (*version >= 2 &&
      (header.file_bytes < header.header_bytes || header.file_bytes > bytes.size())) {
    return bad_bundle("a compressed bundle of " + std::to_string(header.file_bytes) +
                      " bytes is truncated or its size is wrong");
  }
  return header;
}

/// One kind of stream: takes what it can from `input`, appends to `output`.
class Decompressor {
 public:
  enum class State { kMore, kEnd, kError };
  virtual ~Decompressor() = default;
  /// Consumes from the front of `input` and of `output`, which both shrink.
  virtual State run(std::span<const std::byte>& input, std::span<std::byte>& output) = 0;
};

class ZlibDecompressor final : public Decompressor {
 public:
  ZlibDecompressor() { ready_ = inflateInit(&stream_) == Z_OK; }
  ~ZlibDecompressor() override {
    if (ready_) inflateEnd(&stream_);
  }
  ZlibDecompressor(const ZlibDecompressor&) = delete;
  ZlibDecompressor& operator=(const ZlibDecompressor&) = delete;

  State run(std::span<const std::byte>& input, std::span<std::byte>& output) override {
    if (!ready_) return State::kError;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(output.data());
    stream_.avail_out = static_cast<uInt>(output.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    input = input.last(stream_.avail_in);
    output = output.last(stream_.avail_out);
    if (status == Z_STREAM_END) return State::kEnd;
    return status == Z_OK || status == Z_BUF_ERROR ? State::kMore : State::kError;
  }

 private:
  z_stream stream_ = {};
  bool ready_ = false;
};

class ZstdDecompressor final : public Decompressor {
 public:
  State run(std::span<const std::byte>& input, std::span<std::byte>& output) override {
    if (!stream_) return State::kError;
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{output.data(), output.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_.get(), &out, &in);
    input = input.subspan(in.pos);
    output = output.subspan(out.pos);
    if (ZSTD_isError(status) != 0) return State::kError;
    return status == 0 ? State::kEnd : State::kMore;
  }

 private:
  struct Free {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, Free> stream_{ZSTD_createDStream()};
};

/// The next piece of input. It ends at the end of a page, so that no page behind the stream is
/// touched when the bundle's size is unknown.
std::span<const std::byte> next_piece(std::span<const std::byte> rest) {
  const auto address = reinterpret_cast<std::uint64_t>(rest.data());
  const std::uint64_t to_page_end = kPageBytes - address % kPageBytes;
  return rest.first(std::min<std::uint64_t>(rest.size(), to_page_end));
}

/// Runs the stream to its end. On success `rest` is what lies behind it.
Result<std::vector<std::byte>> decompress(Decompressor& decompressor,
                                          std::span<const std::byte>& rest,
                                          std::uint64_t content_bytes) {
  std::vector<std::byte> content;
  std::uint64_t filled = 0;
  std::uint64_t consumed = 0;
  auto state = Decompressor::State::kMore;
  while (state == Decompressor::State::kMore) {
    if (filled == content.size() && filled < content_bytes) {
      const std::uint64_t step = std::max<std::uint64_t>(kOutputStepBytes, content.size());
      content.resize(std::min(content_bytes, filled + step));
    }
    auto input = next_piece(rest);
    auto output = std::span(content).subspan(filled);
    const std::size_t offered = input.size();
    const std::size_t room = output.size();
    state = decompressor.run(input, output);
    consumed = offered - input.size();
    filled += room - output.size();
    rest = rest.subspan(consumed);
    if (state == Decompressor::State::kMore && consumed == 0 && room == output.size()) {
      return bad_bundle(filled == content_bytes
                            ? "a compressed bundle holds more than its header says"
                            : "a compressed bundle is truncated");
    }
  }
  if (state == Decompressor::State::kError || filled != content_bytes) {
    return bad_bundle("the stream of a compressed bundle is corrupt");
  }
  return content;
}

}  // namespace

bool is_compressed_bundle(std::span<const std::byte> bytes) {
  return ByteView(bytes).text(0, kCompressedMagic.size()) == kCompressedMagic;
}

Result<DecompressedBundle> decompress_bundle(ByteView bytes) {
  auto header = read_header(bytes);
  if (!header) return tl::unexpected(header.error());
  const std::uint64_t end = header->file_bytes == 0 ? bytes.size() : header->file_bytes;
  const std::uint64_t stream_bytes = end - header->header_bytes;
  if (header->content_bytes > kMaxContentBytes ||
      header->content_bytes / kMaxRatio > stream_bytes) {
    return bad_bundle("a compressed bundle claims to hold " +
                      std::to_string(header->content_bytes) + " bytes, which is implausible");
  }
  auto rest = bytes.bytes().subspan(header->header_bytes, stream_bytes);
  Result<std::vector<std::byte>> content;
  if (header->method == Method::kZlib) {
    ZlibDecompressor decompressor;
    content = decompress(decompressor, rest, header->content_bytes);
  } else {
    ZstdDecompressor decompressor;
    content = decompress(decompressor, rest, header->content_bytes);
  }
  if (!content) return tl::unexpected(content.error());
  const std::uint64_t used = header->file_bytes == 0 ? end - rest.size() : header->file_bytes;
  return DecompressedBundle{std::move(*content), used};
}

}  // namespace wavetank::code_object
