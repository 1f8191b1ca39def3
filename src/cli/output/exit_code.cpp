#include "cli/output/exit_code.hpp"

#include <cstdio>
#include <string>

#include "cli/output/terminal.hpp"

namespace wavetank::cli {

ExitCode exit_code_for(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUsage:
    case ErrorCode::kFileUnreadable:
    case ErrorCode::kBadDevice: return kUsageError;
    case ErrorCode::kNoMatchingCodeObject:
    case ErrorCode::kUnknownInstruction:
    case ErrorCode::kUnsupportedInstruction: return kUnsupported;
    case ErrorCode::kInternal: return kInternalError;
    default: return kProgramFailed;
  }
}

int report(const Error& error) {
  const std::string text = error.to_text();
  const std::size_t head = text.find(':');
  const Style style(Stream::kStderr);
  std::fputs((style.error(text.substr(0, head)) + text.substr(head)).c_str(), stderr);
  return exit_code_for(error.code);
}

}  // namespace wavetank::cli
