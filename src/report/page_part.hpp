// A part of the page's data as text that HTML can hold.
#pragma once

#include <string>
#include <string_view>

namespace wavetank::report {

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// A script element of type application/zlib, which browsers do not run: `text` in zlib's format
/// (RFC 1950, DecompressionStream's "deflate") and in base64, named `part-ID`.
std::string page_part(std::string_view id, std::string_view text);

}  // namespace wavetank::report
