#include "report/page_part.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdint>

namespace wavetank::report {
namespace {

std::string deflated(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string bytes(size, '\0');
  // The buffer is as large as compressBound() asks, so the call cannot fail but for lack of memory.
  compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
            reinterpret_cast<const Bytef*>(text.data()), text.size(), Z_BEST_COMPRESSION);
  bytes.resize(size);
  return bytes;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto byte = [&](std::size_t at) -> std::uint32_t {
    return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
  };
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::uint32_t bits = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
    for (unsigned digit = 0; digit < 4; ++digit) {
      const bool is_padding = at + digit > bytes.size();
      text += is_padding ? '=' : kDigits[bits >> (18 - 6 * digit) & 63];
    }
  }
  return text;
}

std::string page_part(std::string_view id, std::string_view text) {
  return fmt::format("<script type=\"application/zlib\" id=\"part-{}\">{}</script>\n", id,
                     base64(deflated(text)));
}

}  // namespace wavetank::report
