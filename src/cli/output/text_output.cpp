#include "cli/output/text_output.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace wavetank::cli {

Result<void> write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    std::fputs(text.c_str(), stdout);
    return {};
  }
  std::ofstream file(path, std::ios::binary);
  file << text << std::flush;
  if (!file) {
    return fail(ErrorCode::kFileUnreadable,
                fmt::format("cannot write {}: {}", path, std::strerror(errno)));
  }
  return {};
}

}  // namespace wavetank::cli
