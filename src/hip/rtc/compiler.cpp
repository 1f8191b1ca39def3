#include "hip/rtc/compiler.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/embedded_file.hpp"
#include "base/file.hpp"
#include "hip/abi/generation.hpp"
#include "hip/rtc/code_cache.hpp"
#include "hip/rtc/current_device.hpp"
#include "hip/rtc/lowered_names.hpp"
#include "hip/rtc/options.hpp"
#include "hip/rtc/precompiled_header.hpp"
#include "hip/rtc/tools.hpp"
#include "toolchain/cache.hpp"
#include "toolchain/digest.hpp"
#include "toolchain/file_state.hpp"

namespace wavetank::hip::rtc {

/// builtin.h, by the build.
std::span<const wavetank::EmbeddedFile> builtin_header();

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

/// The name by which AMD's library knows its built-in header.
constexpr const char* kBuiltinName = "hiprtc_runtime.h";

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

/// clang with what every compilation for a target has.
Result<Words> base_command(const Tools& tools, const Options& options) {
  const toolchain::HipToolchain& toolchain = tools.toolchain();
  const auto flags = toolchain.flags({options.target});
  if (!flags) return flags;
  Words command = {tools.clang(),
                   "-x",
                   "hip",
                   "--offload-arch=" + options.target,
                   "--cuda-device-only",
                   "--no-gpu-bundle-output",
                   "-O3"};
  command.insert(command.end(), flags->begin(), flags->end());
  command.push_back(abi::generation.major >= 7 ? "-std=c++17" : "-std=c++14");
  command.insert(command.end(), {"-Wno-gnu-line-marker", "-Wno-missing-prototypes"});
  // clang's own header asks for them before HIP's can tell: malloc in kernels depends on it.
  command.push_back(fmt::format("-DHIP_VERSION_MAJOR={}", toolchain.rocm.version_major));
  command.push_back(fmt::format("-DHIP_VERSION_MINOR={}", toolchain.rocm.version_minor));
  if (options.builtin_header) command.emplace_back("-D__HIPCC_RTC__");
  return command;
}

Result<void> write_headers(const Tools& tools, const CompileRequest& request) {
  for (const NamedText& header : request.headers) {
    const auto written = tools.write(fs::path("include") / header.name, header.text);
    if (!written) return tl::unexpected(written.error());
  }
  const auto written =
      tools.write(fs::path("include") / kBuiltinName, builtin_header().front().text);
  if (!written) return tl::unexpected(written.error());
  return {};
}

/// One compilation on its way.
struct Job {
  const Tools& tools;
  const CompileRequest& request;
  const Options& options;
  Words base;
  fs::path source;
  fs::path output() const { return tools.folder() / "output"; }
  fs::path rule() const { return tools.folder() / "dependencies"; }
};

/// Runs clang, with the built-in header in its precompiled form if there is one.
bool run_clang(const Job& job, const std::optional<PrecompiledHeader>& precompiled,
               std::string& log) {
  Words command = job.base;
  command.push_back("-I" + (job.tools.folder() / "include").string());
  if (precompiled) {
    command.insert(command.end(), {"-include-pch", precompiled->file.string()});
  } else if (job.options.builtin_header) {
    command.insert(command.end(), {"-include", kBuiltinName});
  }
  command.insert(command.end(), job.options.words.begin(), job.options.words.end());
  if (job.options.relocatable) command.insert(command.end(), {"-emit-llvm", "-c"});
  const Words rule = toolchain::dependency_flags(job.rule());
  command.insert(command.end(), rule.begin(), rule.end());
  // By the text, not by clang's hash of the temporary path: the same source gives the same code.
  command.push_back(
      "-cuid=" +
      toolchain::Digest().add(job.request.source.name).add(job.request.source.text).hex());
  command.insert(command.end(), {job.source.string(), "-o", job.output().string()});
  return Tools::run(command, log);
}

/// The states of the files that clang read, beside those of the job's own folder and of the cache;
/// empty when they are not known.
std::string inputs_of(const Job& job, const std::optional<PrecompiledHeader>& precompiled) {
  std::vector<fs::path> read = toolchain::read_dependencies(job.rule());
  if (read.empty()) return {};
  std::vector<fs::path> files;
  for (fs::path& file : read) {
    const bool own = file.string().rfind(job.tools.folder().string() + "/", 0) == 0;
    if (!own && (!precompiled || file != precompiled->file)) files.push_back(std::move(file));
  }
  return toolchain::states_of(files) + (precompiled ? precompiled->inputs : "");
}

/// The names of a code object, or of the object that bitcode becomes.
Result<std::map<std::string, std::string>> find_names(const Job& job) {
  std::string elf = job.output().string();
  if (job.options.relocatable) {
    elf = (job.tools.folder() / "names.o").string();
    std::string log;
    if (!Tools::run({job.tools.clang(), "--target=amdgcn-amd-amdhsa", "-mcpu=" + job.options.target,
                     "-O0", "-nogpulib", "-x", "ir", "-c", job.output().string(), "-o", elf},
                    log)) {
      return fail(ErrorCode::kInternal, log);
    }
  }
  const auto content = read_file(elf);
  if (!content) return tl::unexpected(content.error());
  return lowered_names(*content, job.request.name_expressions);
}

/// Compiles, and gives inputs_of if it succeeds.
Result<std::string> compile_job(const Job& job, const std::optional<toolchain::Cache>& cache,
                                Compiled& compiled) {
  std::optional<PrecompiledHeader> precompiled;
  if (cache && job.options.builtin_header) {
    precompiled =
        find_precompiled_header(*cache, builtin_header().front().text, job.base, job.options.words);
  }
  bool succeeded = run_clang(job, precompiled, compiled.log);
  // Another process may have removed or renewed the precompiled header meanwhile.
  if (!succeeded && precompiled &&
      (!cache->find(precompiled->file.filename().string()) ||
       !toolchain::states_hold(precompiled->inputs))) {
    precompiled.reset();
    compiled.log.clear();
    succeeded = run_clang(job, precompiled, compiled.log);
  }
  if (!succeeded) return std::string();
  auto code = read_file(job.output().string());
  if (!code) return tl::unexpected(code.error());
  if (!job.request.name_expressions.empty()) {
    auto names = find_names(job);
    if (!names) return tl::unexpected(names.error());
    compiled.lowered_names = std::move(*names);
  }
  compiled.relocatable = job.options.relocatable;
  compiled.code = std::move(*code);
  compiled.succeeded = true;
  return inputs_of(job, precompiled);
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
  auto base = base_command(*tools, options);
  if (!base) return tl::unexpected(base.error());

  const auto cache = toolchain::Cache::open();
  Words whole = *base;
  whole.insert(whole.end(), options.words.begin(), options.words.end());
  whole.push_back(options.builtin_header ? builtin_header().front().text.data() : "");
  const std::string key = code_key(request, whole, tools->state(options.target));
  if (cache && !key.empty()) {
    if (auto kept = find_code(*cache, key)) {
      compiled = std::move(*kept);
      return {};
    }
  }
  const auto headers = write_headers(*tools, request);
  if (!headers) return headers;
  const auto source = tools->write("source.hip", source_text(request));
  if (!source) return tl::unexpected(source.error());
  const auto inputs =
      compile_job({*tools, request, options, std::move(*base), *source}, cache, compiled);
  if (!inputs) return tl::unexpected(inputs.error());
  if (cache && !inputs->empty() && !key.empty()) keep_code(*cache, key, compiled, *inputs);
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
  // What LLVM prints for its own options (-mllvm -print-after=...) comes on the program's stderr
  // where the compiler works inside of it, as AMD's does; hip-tests looks for it there.
  if (std::ranges::find(request.options, "-mllvm") != request.options.end()) {
    std::fputs(compiled.log.c_str(), stderr);
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
