// wavetank cc: clang-19 with the flags that make a HIP program, whatever headers there are.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/paths.hpp"
#include "cli/process.hpp"
#include "cli/toolchain.hpp"
#include "target/device.hpp"

namespace wavetank::cli {
namespace {

using Words = std::vector<std::string>;

struct Options {
  Words devices;
  Words architectures;
  std::string rocm_path;
  bool print_command = false;
  Words rest;  ///< everything that is clang's
};

/// clang options whose value is the next word, so that it is no input file.
constexpr std::array kTakesValue = {
    "-o", "-I", "-D", "-U", "-L", "-l", "-x", "-u", "-z", "-T", "-F", "-MF", "-MT", "-MQ", "-include",
    "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot", "-target", "-arch",
    "-Xclang", "-mllvm", "-Xlinker", "-Xassembler", "-Xpreprocessor", "-Xarch_host",
    "-Xarch_device", "-Xoffload-linker", "-Xcuda-ptxas", "--param", "-e", "-rpath", "-dumpdir"};

/// With one of these, clang stops before it links.
constexpr std::array kNoLink = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-ast",
                                "--precompile", "--cuda-device-only", "--offload-device-only",
                                "-###", "--version", "--analyze"};

/// Sources that hipcc, too, takes for HIP whatever their extension says.
constexpr std::array kHipSources = {".hip", ".cu", ".cpp", ".cc", ".cxx", ".c++", ".C", ".cp"};

template <std::size_t n>
bool contains(const std::array<const char*, n>& list, std::string_view word) {
  return std::any_of(list.begin(), list.end(), [&](const char* item) { return word == item; });
}

bool is_hip_source(std::string_view word) {
  const std::size_t dot = word.rfind('.');
  return dot != std::string_view::npos && contains(kHipSources, word.substr(dot));
}

bool has_prefix(const Words& words, std::string_view prefix) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return word.rfind(prefix, 0) == 0; });
}

bool links(const Words& words) {
  return std::none_of(words.begin(), words.end(),
                      [](const std::string& word) { return contains(kNoLink, word); });
}

/// The architectures asked for by name or by device; gfx90a if none.
Result<Words> architectures(const Options& options) {
  Words result = options.architectures;
  for (const std::string& name : options.devices) {
    Result<target::Device> device = target::load_device(name);
    if (!device) return tl::unexpected(std::move(device).error());
    result.push_back(device->gfx);
  }
  if (result.empty()) result.push_back("gfx90a");
  Words unique;
  for (const std::string& gfx : result) {
    if (std::find(unique.begin(), unique.end(), gfx) == unique.end()) unique.push_back(gfx);
  }
  return unique;
}

/// The user's words, with each source marked as HIP. A language that the user names stands.
void append_inputs(const Words& words, Words& command) {
  const bool own_language = has_prefix(words, "-x");
  bool as_hip = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const bool input = word.rfind('-', 0) != 0;
    const bool wants_hip = !own_language && is_hip_source(word);
    if (input && wants_hip != as_hip) {
      command.insert(command.end(), {"-x", wants_hip ? "hip" : "none"});
      as_hip = wants_hip;
    }
    command.push_back(word);
    if (contains(kTakesValue, word) && i + 1 < words.size()) command.push_back(words[++i]);
  }
}

/// Links with Wavetank's runtime of the headers' version, so that no AMD library is needed. The
/// program does not remember the folder: with a GPU and AMD's runtime it runs there.
void append_runtime(const Rocm& rocm, const Paths& paths, Words& command) {
  const auto runtime = find_runtime(paths, std::clamp(rocm.version_major, 5, 7));
  if (!runtime) {
    std::fputs("note: Wavetank's runtime is not beside this program; linking ROCm's own\n", stderr);
    return;
  }
  // As a linker word it is no input that a language before it could claim.
  command.insert(command.end(), {"-no-hip-rt", "-Xlinker", runtime->string()});
}

Result<Words> build_command(const Options& options) {
  const Paths paths = find_paths();
  Result<std::string> clang = find_clang();
  if (!clang) return tl::unexpected(std::move(clang).error());
  Result<Rocm> rocm = options.rocm_path.empty() ? find_newest_rocm() : rocm_at(options.rocm_path);
  if (!rocm) return tl::unexpected(std::move(rocm).error());
  Result<Words> gfx = architectures(options);
  if (!gfx) return gfx;
  const auto device_libs = device_libs_for(*rocm, paths, *gfx);
  if (!device_libs) return tl::unexpected(device_libs.error());

  Words command = {*clang, "--start-no-unused-arguments"};
  for (const std::string& name : *gfx) command.push_back("--offload-arch=" + name);
  command.push_back("--rocm-path=" + rocm->root.string());
  command.push_back("--rocm-device-lib-path=" + device_libs->string());
  if (needs_repair(*rocm)) {
    const std::filesystem::path include = paths.share_folder / "include";
    command.insert(command.end(), {"-isystem", include.string()});
  }
  // As hipcc: device code without optimisation spills every variable.
  if (!has_prefix(options.rest, "-O")) command.push_back("-O3");
  const bool link = links(options.rest);
  if (link && !has_prefix(options.rest, "-fuse-ld")) command.push_back("-fuse-ld=lld");
  command.push_back("--end-no-unused-arguments");
  append_inputs(options.rest, command);
  if (link) append_runtime(*rocm, paths, command);
  return command;
}

std::string quoted(const Words& words) {
  std::string text;
  for (const std::string& word : words) {
    const bool plain = !word.empty() && word.find_first_of(" '\"$\\*?<>|&;()#") == word.npos;
    std::string cell = word;
    for (std::size_t at = 0; (at = cell.find('\'', at)) != cell.npos; at += 4) {
      cell.replace(at, 1, "'\\''");
    }
    text += (text.empty() ? "" : " ") + (plain ? cell : "'" + cell + "'");
  }
  return text;
}

int compile(const Options& options) {
  if (options.rest.empty()) {
    return report({ErrorCode::kUsage, "no input file", {}, {},
                   "`wavetank cc --help` starts with examples"});
  }
  const Result<Words> command = build_command(options);
  if (!command) return report(command.error());
  if (options.print_command) {
    std::printf("%s\n", quoted(*command).c_str());
    return kOk;
  }
  const Result<Finished> finished = run_process(*command);
  if (!finished) return report(finished.error());
  return finished->exit_status == 0 ? kOk : kProgramFailed;
}

}  // namespace

void add_cc(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(
      app, "cc", "Compile a HIP program",
      "wavetank cc vadd.hip -o vadd\n"
      "wavetank cc --device mi210 --device mi300x vadd.hip -o vadd    # one program for both\n"
      "wavetank cc -S --cuda-device-only vadd.hip -o vadd.s           # the compiler's assembly");
  auto options = std::make_shared<Options>();
  command->allow_extras();
  command->add_option("--device", options->devices,
                      "Compile for this device (mi210, mi250x, mi300x, mi300a); repeatable")
      ->allow_extra_args(false);
  command->add_option("--offload-arch", options->architectures,
                      "Compile for this processor; repeatable. Without either: gfx90a")
      ->allow_extra_args(false)
      ->delimiter(',');
  command->add_option("--rocm-path", options->rocm_path,
                      "ROCm headers to use; otherwise the newest of $ROCM_PATH, /opt/rocm* and /usr");
  command->add_flag("--print-command", options->print_command, "Print the clang command, run nothing");
  command->callback([=, &exit_code] {
    options->rest = command->remaining();
    exit_code = compile(*options);
  });
}

}  // namespace wavetank::cli
