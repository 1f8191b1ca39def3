// The hipRTC API: libhiprtc.so, and libamdhip64.so of ROCm 5 and 6, which have it too.
#include <cstddef>
#include <cstring>
#include <new>
#include <string>

#include "hip/rtc/linker.hpp"
#include "hip/rtc/lowered_names.hpp"
#include "hip/rtc/program.hpp"
#include "hip/rtc/status.hpp"

#define HIPRTC_API extern "C" [[gnu::visibility("default")]]

using namespace wavetank::hip::rtc;
using Status = RtcStatus;

namespace {

/// Runs body(Program&) for a live program, under its lock.
template <class Body>
Status with_program(const Program* handle, Body body) {
  const auto program = programs().find(handle);
  if (program == nullptr) return Status::kInvalidProgram;
  const std::lock_guard lock(program->mutex);
  try {
    return body(*program);
  } catch (const std::bad_alloc&) {
    return Status::kOutOfMemory;
  }
}

/// Copies what the last compilation gave, if it was of the wanted kind.
Status give_code(Program* handle, char* target, bool relocatable) {
  if (target == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    const Compiled& compiled = program.compiled;
    if (compiled.relocatable != relocatable || compiled.code.empty()) {
      return relocatable ? Status::kInvalidProgram : Status::kSuccess;
    }
    std::memcpy(target, compiled.code.data(), compiled.code.size());
    return Status::kSuccess;
  });
}

Status give_code_size(Program* handle, std::size_t* size_bytes, bool relocatable) {
  if (size_bytes == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    const Compiled& compiled = program.compiled;
    const bool present = compiled.relocatable == relocatable && !compiled.code.empty();
    if (!present && relocatable) return Status::kInvalidProgram;
    *size_bytes = present ? compiled.code.size() : 0;
    return Status::kSuccess;
  });
}

}  // namespace

HIPRTC_API const char* hiprtcGetErrorString(Status status) { return name_of(status); }

HIPRTC_API Status hiprtcVersion(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return Status::kInvalidInput;
  // What AMD's library says, whatever its own version.
  *major = 9;
  *minor = 0;
  return Status::kSuccess;
}

HIPRTC_API Status hiprtcCreateProgram(Program** handle, const char* source, const char* name,
                                      int header_count, const char** headers,
                                      const char** header_names) {
  if (handle == nullptr) return Status::kInvalidProgram;
  if (source == nullptr || *source == '\0' || header_count < 0) return Status::kInvalidInput;
  if (header_count != 0 && (headers == nullptr || header_names == nullptr)) {
    return Status::kInvalidInput;
  }
  auto program = std::make_shared<Program>();
  const bool named = name != nullptr && *name != '\0';
  program->request.source = {named ? name : "CompileSource", source};
  for (int i = 0; i < header_count; ++i) {
    const bool given = headers[i] != nullptr && header_names[i] != nullptr;
    if (!given || *headers[i] == '\0' || *header_names[i] == '\0') return Status::kInvalidInput;
    program->request.headers.push_back({header_names[i], headers[i]});
  }
  *handle = programs().add(std::move(program));
  return Status::kSuccess;
}

HIPRTC_API Status hiprtcDestroyProgram(Program** handle) {
  if (handle == nullptr) return Status::kInvalidInput;
  if (!programs().remove(*handle)) return Status::kInvalidProgram;
  *handle = nullptr;
  return Status::kSuccess;
}

HIPRTC_API Status hiprtcCompileProgram(Program* handle, int option_count, const char** options) {
  return with_program(handle, [&](Program& program) {
    if (option_count < 0 || (option_count != 0 && options == nullptr)) {
      return Status::kInvalidInput;
    }
    program.request.options.clear();
    for (int i = 0; i < option_count; ++i) {
      if (options[i] == nullptr) return Status::kInvalidInput;
      program.request.options.emplace_back(options[i]);
    }
    program.compiled = compile(program.request);
    return program.compiled.succeeded ? Status::kSuccess : Status::kCompilation;
  });
}

HIPRTC_API Status hiprtcGetProgramLogSize(Program* handle, std::size_t* size_bytes) {
  if (size_bytes == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    // Without a zero byte at its end: AMD's library copies the text alone.
    *size_bytes = program.compiled.log.size();
    return Status::kSuccess;
  });
}

HIPRTC_API Status hiprtcGetProgramLog(Program* handle, char* target) {
  if (target == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    const std::string& log = program.compiled.log;
    std::memcpy(target, log.data(), log.size());
    return Status::kSuccess;
  });
}

HIPRTC_API Status hiprtcGetCodeSize(Program* handle, std::size_t* size_bytes) {
  return give_code_size(handle, size_bytes, false);
}
HIPRTC_API Status hiprtcGetCode(Program* handle, char* target) {
  return give_code(handle, target, false);
}
HIPRTC_API Status hiprtcGetBitcodeSize(Program* handle, std::size_t* size_bytes) {
  return give_code_size(handle, size_bytes, true);
}
HIPRTC_API Status hiprtcGetBitcode(Program* handle, char* target) {
  return give_code(handle, target, true);
}

HIPRTC_API Status hiprtcAddNameExpression(Program* handle, const char* expression) {
  if (expression == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    std::string name = without_address_of(expression);
    if (name.empty()) return Status::kInvalidInput;
    program.request.name_expressions.push_back(std::move(name));
    return Status::kSuccess;
  });
}

HIPRTC_API Status hiprtcGetLoweredName(Program* handle, const char* expression,
                                       const char** lowered_name) {
  if (expression == nullptr || lowered_name == nullptr) return Status::kInvalidInput;
  return with_program(handle, [&](Program& program) {
    const auto& names = program.compiled.lowered_names;
    const auto found = names.find(without_address_of(expression));
    if (found == names.end()) return Status::kNameExpressionNotValid;
    *lowered_name = found->second.c_str();
    return Status::kSuccess;
  });
}

HIPRTC_API Status hiprtcLinkCreate(unsigned option_count, const int* options, void** values,
                                   LinkState** handle) {
  return link_create(option_count, options, values, handle);
}
HIPRTC_API Status hiprtcLinkAddFile(LinkState* handle, int type, const char* path, unsigned,
                                    const int*, void**) {
  return link_add_file(handle, type, path);
}
HIPRTC_API Status hiprtcLinkAddData(LinkState* handle, int type, const void* image,
                                    std::size_t size_bytes, const char*, unsigned, const int*,
                                    void**) {
  return link_add_data(handle, type, image, size_bytes);
}
HIPRTC_API Status hiprtcLinkComplete(LinkState* handle, void** code, std::size_t* size_bytes) {
  return link_complete(handle, code, size_bytes);
}
HIPRTC_API Status hiprtcLinkDestroy(LinkState* handle) { return link_destroy(handle); }
