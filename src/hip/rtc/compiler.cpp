#include "hip/rtc/compiler.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "base/file.hpp"
#include "hip/abi/generation.hpp"
#include "hip/rtc/current_device.hpp"
#include "hip/rtc/lowered_names.hpp"
#include "hip/rtc/tools.hpp"

namespace wavetank::hip::rtc {
namespace {

using Words = std::vector<std::string>;

/// What the device part of a source may use without an #include. HIP's headers come in their form
/// for run-time compilation (__HIPCC_RTC__): no host headers, no API.
constexpr std::string_view kBuiltinHeader = R"(#pragma once
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#include <hip/hip_runtime.h>
#if HIP_VERSION_MAJOR >= 6
#include <hip/hip_bfloat16.h>
#endif
#if !defined(assert) && defined(NDEBUG)
#define assert(condition) static_cast<void>(0)
#elif !defined(assert)
#define assert(condition) \
  ((condition) ? static_cast<void>(0) \
               : __assert_fail(#condition, __FILE__, __LINE__, __PRETTY_FUNCTION__))
#endif
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef long clock_t;
namespace std {
using ::clock_t;
using ::ptrdiff_t;
}
#pragma clang diagnostic pop
)";

/// The program's options, sorted into clang's and our own.
struct Options {
  Words words;
  std::string target;
  bool relocatable = false;
  bool builtin_header = true;
};

bool take_value(const std::string& word, std::string_view prefix, std::string& value) {
  if (word.rfind(prefix, 0) != 0) return false;
  if (value.empty()) value = word.substr(prefix.size());
  return true;
}

/// As AMD's library sorts them: the first --offload-arch counts, nvcc's name for it too.
Options sort_options(const Words& words) {
  Options options;
  for (const std::string& word : words) {
    if (take_value(word, "--offload-arch=", options.target)) continue;
    if (take_value(word, "--gpu-architecture=", options.target)) continue;
    if (word == "-hip-pch") continue;
    if (word == "--hiprtc-no-builtin-header") {
      options.builtin_header = false;
      continue;
    }
    if (word == "-fgpu-rdc") options.relocatable = true;
    options.words.push_back(word);
  }
  if (const char* more = std::getenv("HIPRTC_COMPILE_OPTIONS_APPEND")) {
    std::istringstream stream(more);
    options.words.insert(options.words.end(), std::istream_iterator<std::string>(stream), {});
  }
  return options;
}

/// The source under its own name, with a marker for each expression to be lowered.
std::string source_text(const CompileRequest& request) {
  std::string name;
  for (const char c : request.source.name) {
    if (c == '"' || c == '\\') name += '\\';
    if (c != '\n') name += c;
  }
  return fmt::format("#line 1 \"{}\"\n{}\n{}", name, request.source.text,
                     marker_text(request.name_expressions));
}

Result<Words> compile_command(const Tools& tools, const CompileRequest& request,
                              const Options& options, const std::string& output) {
  const auto flags = tools.toolchain().flags({options.target});
  if (!flags) return flags;
  for (const NamedText& header : request.headers) {
    const auto written = tools.write(std::filesystem::path("include") / header.name, header.text);
    if (!written) return tl::unexpected(written.error());
  }
  const auto builtin = tools.write("include/hiprtc_runtime.h", kBuiltinHeader);
  if (!builtin) return tl::unexpected(builtin.error());
  const auto source = tools.write("source.hip", source_text(request));
  if (!source) return tl::unexpected(source.error());

  Words command = {tools.clang(),
                   "-x",
                   "hip",
                   "--offload-arch=" + options.target,
                   "--cuda-device-only",
                   "--no-gpu-bundle-output",
                   "-O3"};
  command.insert(command.end(), flags->begin(), flags->end());
  command.push_back(abi::generation.major >= 7 ? "-std=c++17" : "-std=c++14");
  command.insert(command.end(), {"-Wno-gnu-line-marker", "-Wno-missing-prototypes",
                                 "-I" + (tools.folder() / "include").string()});
  if (options.builtin_header) {
    command.insert(command.end(), {"-D__HIPCC_RTC__", "-include", "hiprtc_runtime.h"});
  }
  command.insert(command.end(), options.words.begin(), options.words.end());
  if (options.relocatable) command.insert(command.end(), {"-emit-llvm", "-c"});
  command.insert(command.end(), {source->string(), "-o", output});
  return command;
}

/// The names of a code object, or of the object that bitcode becomes.
Result<std::map<std::string, std::string>> find_names(const Tools& tools, const Options& options,
                                                      const CompileRequest& request,
                                                      const std::string& output) {
  std::string elf = output;
  if (options.relocatable) {
    elf = (tools.folder() / "names.o").string();
    std::string log;
    if (!Tools::run({tools.clang(), "--target=amdgcn-amd-amdhsa", "-mcpu=" + options.target, "-O0",
                     "-nogpulib", "-x", "ir", "-c", output, "-o", elf},
                    log)) {
      return fail(ErrorCode::kInternal, log);
    }
  }
  const auto content = read_file(elf);
  if (!content) return tl::unexpected(content.error());
  return lowered_names(*content, request.name_expressions);
}

Result<void> try_compile(const CompileRequest& request, Compiled& compiled) {
  Options options = sort_options(request.options);
  if (options.target.empty()) {
    const auto current = current_target_id();
    if (!current) {
      return fail(ErrorCode::kNoMatchingCodeObject, "there is no device to compile for", {},
                  "give --offload-arch=NAME");
    }
    options.target = *current;
  }
  const auto tools = Tools::find();
  if (!tools) return tl::unexpected(tools.error());
  const std::string output = (tools->folder() / "output").string();
  const auto command = compile_command(*tools, request, options, output);
  if (!command) return tl::unexpected(command.error());
  if (!Tools::run(*command, compiled.log)) return {};
  auto code = read_file(output);
  if (!code) return tl::unexpected(code.error());
  if (!request.name_expressions.empty()) {
    auto names = find_names(*tools, options, request, output);
    if (!names) return tl::unexpected(names.error());
    compiled.lowered_names = std::move(*names);
  }
  compiled.relocatable = options.relocatable;
  compiled.code = std::move(*code);
  compiled.succeeded = true;
  return {};
}

Result<void> try_link(const std::vector<Bitcode>& modules, const std::string& target,
                      const Words& options, Compiled& compiled) {
  const auto tools = Tools::find();
  if (!tools) return tl::unexpected(tools.error());
  const std::string linked = (tools->folder() / "linked.bc").string();
  const std::string output = (tools->folder() / "output").string();
  const toolchain::Compiler& compiler = tools->toolchain().compiler;
  const auto linker = compiler.tool("llvm-link");
  if (!linker) {
    return fail(ErrorCode::kUsage, "llvm-link is not installed", compiler.folder.string(),
                fmt::format("apt-get install llvm-{}", compiler.version_major));
  }
  Words command = {*linker, "-o", linked};
  for (std::size_t i = 0; i < modules.size(); ++i) {
    const auto module = tools->write(fmt::format("module{}.bc", i), modules[i]);
    if (!module) return tl::unexpected(module.error());
    command.push_back(module->string());
  }
  if (!Tools::run(command, compiled.log)) return {};
  command = {tools->clang(), "--target=amdgcn-amd-amdhsa",       "-mcpu=" + target, "-nogpulib",
             "-fuse-ld=lld", "-Wno-unused-command-line-argument"};
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-x", "ir", linked, "-o", output});
  if (!Tools::run(command, compiled.log)) return {};
  auto code = read_file(output);
  if (!code) return tl::unexpected(code.error());
  compiled.code = std::move(*code);
  compiled.succeeded = true;
  return {};
}

}  // namespace

Compiled compile(const CompileRequest& request) {
  Compiled compiled;
  if (const auto done = try_compile(request, compiled); !done) {
    compiled.log += done.error().to_text();
  }
  return compiled;
}

Compiled link(const std::vector<Bitcode>& modules, const std::string& target,
              const Words& options) {
  Compiled compiled;
  if (const auto done = try_link(modules, target, options, compiled); !done) {
    compiled.log += done.error().to_text();
  }
  return compiled;
}

}  // namespace wavetank::hip::rtc
