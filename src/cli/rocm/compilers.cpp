// hipcc, and clang as ROCm ships it: amdclang, amdclang++ and llvm/bin/clang++, which CMake takes
// for its language HIP.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "cli/compile/compile.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/rocm/tool.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/paths.hpp"

namespace wavetank::cli {
namespace {

void add_unique(ToolWords& list, const std::string& word) {
  if (std::ranges::find(list, word) == list.end()) list.push_back(word);
}

/// Adds the processors of "gfx90a,native"; native are the devices of the shell.
void add_processors(std::string_view words, ToolWords& processors) {
  std::stringstream list{std::string(words)};
  for (std::string word; std::getline(list, word, ',');) {
    if (word == "native") {
      for (const isa::Target* own : processors_of_shell()) {
        add_unique(processors, std::string(own->name));
      }
    } else {
      add_unique(processors, word);
    }
  }
}

/// The words of an environment variable that hipcc puts behind its own.
ToolWords words_of(const char* variable) {
  const char* text = std::getenv(variable);
  std::stringstream stream(text == nullptr ? "" : text);
  ToolWords words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// The words of a compiler with the processors taken out.
struct Split {
  ToolWords processors;
  ToolWords rest;
};

Split split_processors(const ToolWords& words) {
  constexpr std::string_view kForms[] = {"--offload-arch", "--amdgpu-target", "--cuda-gpu-arch"};
  Split split;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i];
    const auto* const form = std::ranges::find_if(kForms, [&](std::string_view f) {
      return word == f || word.starts_with(std::string(f) + "=");
    });
    if (form == std::end(kForms)) {
      split.rest.push_back(words[i]);
    } else if (word.size() > form->size()) {
      add_processors(word.substr(form->size() + 1), split.processors);
    } else if (i + 1 < words.size()) {
      add_processors(words[++i], split.processors);
    }
  }
  return split;
}

/// True if clang would compile or link HIP: then it needs ROCm's files.
bool concerns_hip(const ToolWords& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--hip-link" || word == "-xhip" || word.ends_with(".hip")) return true;
    if (word == "-x" && i + 1 < words.size() && words[i + 1] == "hip") return true;
  }
  return false;
}

int run_clang(const ToolWords& words, const char* driver_mode) {
  if (!concerns_hip(words)) {
    const Result<toolchain::Compiler> compiler = toolchain::find_compiler();
    if (!compiler) return report(compiler.error());
    ToolWords command = {compiler->clang.string(), driver_mode};
    command.insert(command.end(), words.begin(), words.end());
    return become(command);
  }
  Split split = split_processors(words);
  if (split.processors.empty()) add_processors("native", split.processors);
  const auto hip = toolchain::find_hip_toolchain(toolchain::find_paths().share_folder);
  if (!hip) return report(hip.error());
  const Result<ToolWords> flags = hip->flags(split.processors);
  if (!flags) return report(flags.error());
  ToolWords command = {hip->compiler.clang.string(), driver_mode, "--start-no-unused-arguments"};
  command.insert(command.end(), flags->begin(), flags->end());
  for (const std::string& name : split.processors) command.push_back("--offload-arch=" + name);
  command.emplace_back("--end-no-unused-arguments");
  command.insert(command.end(), split.rest.begin(), split.rest.end());
  return become(command);
}

/// A line for --short-version, "6.4.0", or for --version, with the whole version.
int print_hip_version(bool whole) {
  const Result<toolchain::Rocm> rocm = toolchain::find_rocm();
  if (!rocm) return report(rocm.error());
  if (whole) {
    fmt::print("HIP version: {}\n", rocm->full_version());
  } else {
    fmt::print("{}.{}.0", rocm->version_major, rocm->version_minor);
  }
  return kOk;
}

bool only_compiles(const ToolWords& words) { return std::ranges::find(words, "-c") != words.end(); }

}  // namespace

int run_hipcc(const ToolWords& words) {
  if (words == ToolWords{"--short-version"}) return print_hip_version(false);
  if (words == ToolWords{"--version"}) {
    if (const int code = print_hip_version(true); code != kOk) return code;
    std::fflush(stdout);
  }
  if (words.empty()) {
    return report({ErrorCode::kUsage, "hipcc: no arguments passed", {}, {}, "hipcc a.hip -o a"});
  }
  Split split = split_processors(words);
  if (split.processors.empty()) add_processors("native", split.processors);
  CompileOptions options;
  options.architectures = split.processors;
  options.rest = split.rest;
  for (const char* variable : {"HIPCC_COMPILE_FLAGS_APPEND", "HIPCC_LINK_FLAGS_APPEND"}) {
    if (variable == std::string_view("HIPCC_LINK_FLAGS_APPEND") && only_compiles(words)) continue;
    for (const std::string& word : words_of(variable)) options.rest.push_back(word);
  }
  const Result<ToolWords> command = compile_command(options);
  if (!command) return report(command.error());
  return become(*command);
}

int run_amdclang(const ToolWords& words) { return run_clang(words, "--driver-mode=gcc"); }

int run_amdclang_cxx(const ToolWords& words) { return run_clang(words, "--driver-mode=g++"); }

}  // namespace wavetank::cli
