#include "cli/compile/compile.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

#include "cli/compile/hipcc_words.hpp"
#include "target/load_device.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/paths.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// clang options whose value is the next word, so that it is no input file.
constexpr std::array kTakesValue = {"-o",
                                    "-I",
                                    "-D",
                                    "-U",
                                    "-L",
                                    "-l",
                                    "-x",
                                    "-u",
                                    "-z",
                                    "-T",
                                    "-F",
                                    "-MF",
                                    "-MT",
                                    "-MQ",
                                    "-include",
                                    "-imacros",
                                    "-isystem",
                                    "-iquote",
                                    "-idirafter",
                                    "-isysroot",
                                    "--sysroot",
                                    "-target",
                                    "-arch",
                                    "-Xclang",
                                    "-mllvm",
                                    "-Xlinker",
                                    "-Xassembler",
                                    "-Xpreprocessor",
                                    "-Xarch_host",
                                    "-Xarch_device",
                                    "-Xoffload-linker",
                                    "-Xcuda-ptxas",
                                    "--param",
                                    "-e",
                                    "-rpath",
                                    "-dumpdir"};

/// With one of these, clang stops before it links.
constexpr std::array kNoLink = {"-c",
                                "-S",
                                "-E",
                                "-M",
                                "-MM",
                                "-fsyntax-only",
                                "-emit-ast",
                                "--precompile",
                                "--cuda-device-only",
                                "--offload-device-only",
                                "-###",
                                "--version",
                                "--analyze"};

/// Sources that hipcc, too, takes for HIP whatever their extension says.
constexpr std::array kHipSources = {".hip", ".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"};

template <std::size_t n>
bool contains(const std::array<const char*, n>& list, std::string_view word) {
  return std::any_of(list.begin(), list.end(), [&](const char* item) { return word == item; });
}

bool has_prefix(const Words& words, std::string_view prefix) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.rfind(prefix, 0) == 0; });
}

bool links(const Words& words) {
  return std::none_of(words.begin(), words.end(),
                      [](const std::string& word) { return contains(kNoLink, word); });
}

/// The processors to compile for unless some are named: hipcc's variable, or gfx90a.
Words default_architectures() {
  const char* variable = std::getenv("HCC_AMDGPU_TARGET");
  std::istringstream list(variable != nullptr && *variable != '\0' ? variable : "gfx90a");
  Words names;
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

/// The architectures asked for by name or by device.
Result<Words> architectures(const CompileOptions& options, const Words& more) {
  Words result = options.architectures;
  result.insert(result.end(), more.begin(), more.end());
  for (const std::string& name : options.devices) {
    Result<target::Device> device = target::load_device(name);
    if (!device) return tl::unexpected(std::move(device).error());
    result.push_back(device->gfx());
  }
  if (result.empty()) result = default_architectures();
  Words unique;
  for (const std::string& gfx : result) {
    if (std::find(unique.begin(), unique.end(), gfx) == unique.end()) unique.push_back(gfx);
  }
  return unique;
}

/// clang's -x name for a word; "none" lets clang go by the extension. The driver is clang++, which
/// would take .c for C++.
std::string_view language_of(std::string_view word) {
  if (is_hip_source(word)) return "hip";
  return word.size() > 2 && word.substr(word.size() - 2) == ".c" ? "c" : "none";
}

/// The user's words, with each source marked as HIP. A language that the user names stands.
void append_inputs(const Words& words, Words& command) {
  const bool own_language = has_prefix(words, "-x");
  std::string_view current = "none";
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string_view language = language_of(word);
    if (!own_language && word.rfind('-', 0) != 0 && language != current) {
      command.insert(command.end(), {"-x", std::string(language)});
      current = language;
    }
    command.push_back(word);
    if (contains(kTakesValue, word) && i + 1 < words.size()) command.push_back(words[++i]);
  }
}

/// Links with Wavetank's runtime of the headers' version (and hipRTC and ROCTX, where the user
/// names them), so that no AMD library is needed. The program does not remember the folder: with a
/// GPU and AMD's runtime it runs there.
void append_runtime(const toolchain::Rocm& rocm, const toolchain::Paths& paths, Words& command) {
  const int version = std::clamp(rocm.version_major, 5, 7);
  const auto link_ours = [&](const char* option, const std::string& soname) {
    const auto library = toolchain::find_library(paths, soname);
    const auto named = std::find(command.begin(), command.end(), option);
    if (library && named != command.end()) *named = "-Wl," + library->string();
  };
  link_ours("-lhiprtc", "libhiprtc.so." + std::to_string(version));
  link_ours("-lroctx64", "libroctx64.so.4");
  const auto runtime = toolchain::find_runtime(paths, version);
  if (!runtime) {
    std::fputs("note: Wavetank's runtime is not beside this program; linking ROCm's own\n", stderr);
    return;
  }
  // As a linker word it is no input that a language before it could claim.
  command.insert(command.end(), {"-no-hip-rt", "-Xlinker", runtime->string()});
}

}  // namespace

Result<std::vector<std::string>> compile_command(const CompileOptions& options) {
  const toolchain::Paths paths = toolchain::find_paths();
  const auto tools = toolchain::find_hip_toolchain(paths.share_folder, options.rocm_path);
  if (!tools) return tl::unexpected(tools.error());
  const Result<HipccWords> words = read_hipcc_words(options.rest);
  if (!words) return tl::unexpected(words.error());
  const Result<Words> gfx = architectures(options, words->architectures);
  if (!gfx) return gfx;
  const Result<Words> flags = tools->flags(*gfx);
  if (!flags) return flags;

  Words command = {tools->compiler.clang.string(), "--start-no-unused-arguments"};
  for (const std::string& name : *gfx) command.push_back("--offload-arch=" + name);
  command.insert(command.end(), flags->begin(), flags->end());
  // The names of kernels' arguments go to their metadata: `wavetank profile` says them.
  command.insert(command.end(), {"-Xarch_device", "-fno-discard-value-names"});
  // As hipcc: device code without optimisation spills every variable.
  if (!has_prefix(words->rest, "-O")) command.push_back("-O3");
  const bool link = links(words->rest);
  // As hipcc: objects of -fgpu-rdc hold device code that is linked with the program.
  if (link) command.push_back("--hip-link");
  if (link && !has_prefix(words->rest, "-fuse-ld")) command.push_back("-fuse-ld=lld");
  command.push_back("--end-no-unused-arguments");
  append_inputs(words->rest, command);
  if (link) append_runtime(tools->rocm, paths, command);
  return command;
}

std::string help_for_failure(const CompileOptions& options) {
  const Result<HipccWords> words = read_hipcc_words(options.rest);
  const Result<toolchain::Compiler> compiler = toolchain::find_compiler();
  if (!words || !compiler) return {};
  const bool openmp = std::any_of(words->rest.begin(), words->rest.end(), [](const auto& word) {
    return word == "-fopenmp" || word == "-fopenmp=libomp";
  });
  std::error_code error;
  if (!openmp || fs::exists(compiler->folder.parent_path() / "lib" / "libomp.so", error)) return {};
  return fmt::format("-fopenmp needs clang {0}'s OpenMP library: apt-get install libomp-{0}-dev",
                     compiler->version_major);
}

bool is_hip_source(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  return dot != std::string_view::npos && contains(kHipSources, word.substr(dot));
}

}  // namespace wavetank::cli
