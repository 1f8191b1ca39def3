// One hiprtcProgram: a source, what was asked about it, and what the compiler made of it.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "hip/rtc/compiler.hpp"
#include "hip/rtc/registry.hpp"

namespace wavetank::hip::rtc {

struct Program {
  std::mutex mutex;
  CompileRequest request;
  Compiled compiled;
};

/// The process's programs.
Registry<Program>& programs();

/// Modules that are linked together (hiprtcLinkState).
struct LinkState {
  std::mutex mutex;
  std::vector<Bitcode> modules;
  std::vector<std::string> options;
  char* error_log = nullptr;  ///< the program's buffers, as the JIT options gave them
  std::size_t error_log_bytes = 0;
  char* info_log = nullptr;
  std::size_t info_log_bytes = 0;
  Compiled linked;
};

/// The process's link states.
Registry<LinkState>& link_states();

}  // namespace wavetank::hip::rtc
