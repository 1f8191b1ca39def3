// wavetank doctor: is everything there that compiling and running needs, and if not, what to do.
#include <fmt/format.h>

#include <sys/resource.h>
#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "isa/target.hpp"
#include "toolchain/cache.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

/// One line of the report.
struct Check {
  std::string subject;
  bool ok = false;
  std::string finding;
  std::string fix = {};  ///< what to do when it is not ok
};

using Toolchain = Result<toolchain::HipToolchain>;

/// The compilers that were passed over, each with the reason: the first complete one is taken.
std::string others_text(const toolchain::Compiler& chosen) {
  std::string text;
  for (const toolchain::Compiler& other : toolchain::installed_compilers()) {
    if (other.folder == chosen.folder) continue;
    const auto missing = other.missing_tools();
    text += fmt::format("; {}: {}", other.clang.string(),
                        missing.empty() ? "older" : "without " + missing.front().program);
  }
  return text;
}

Check check_compiler(const Result<toolchain::Compiler>& compiler) {
  if (!compiler) return {"compiler", false, compiler.error().message, compiler.error().help};
  const Result<toolchain::Finished> version =
      toolchain::capture_process({compiler->clang.string(), "-dumpversion"});
  const std::string text = version ? version->output.substr(0, version->output.find('\n')) : "?";
  return {"compiler", version.has_value(),
          fmt::format("{}, {}, in {}{}", compiler->clang.string(), text, compiler->found_in,
                      others_text(*compiler))};
}

/// clang calls the linker for device code, and the bundler to put it into the executable.
Check check_tool(const Result<toolchain::Compiler>& compiler, const std::string& subject,
                 const std::string& program) {
  if (!compiler)
    return {subject, false, "not looked for without a compiler", compiler.error().help};
  if (const auto path = compiler->tool(program)) return {subject, true, *path};
  for (const auto& missing : compiler->missing_tools()) {
    if (missing.program != program) continue;
    return {subject, false, program + " is not installed", "apt-get install " + missing.package};
  }
  return {subject, false, program + " is not installed",
          fmt::format("apt-get install llvm-{}", compiler->version_major)};
}

Check check_headers(const Result<toolchain::Rocm>& rocm) {
  if (!rocm) return {"HIP headers", false, rocm.error().message, rocm.error().help};
  return {"HIP headers", true,
          fmt::format("{}, HIP {}.{}, {}{}", (rocm->root / "include").string(), rocm->version_major,
                      rocm->version_minor, rocm->chosen_by,
                      toolchain::needs_repair(*rocm) ? ", repaired by wavetank cc" : "")};
}

Check check_device_libs(const Toolchain& tools, const isa::Target& target) {
  const std::string gfx(target.name), subject = gfx + " libraries";
  if (!tools) {
    return {subject, false, "not looked for without compiler and headers", tools.error().help};
  }
  const auto libs = tools->device_libs({gfx});
  if (!libs) return {subject, false, libs.error().message, libs.error().help};
  return {subject, true, fmt::format("{}, by LLVM {}", libs->folder.string(), libs->written_by)};
}

Check check_share(const toolchain::Paths& paths) {
  const auto header = paths.share_folder / "include" / "wavetank" / "coordinates.h";
  std::error_code error;
  if (std::filesystem::exists(header, error)) {
    return {"own headers", true, (paths.share_folder / "include").string()};
  }
  return {"own headers", false, fmt::format("{} is missing", header.string()),
          "install Wavetank again: the program must keep its share/ folder"};
}

Check check_runtime(const toolchain::Paths& paths) {
  std::string versions;
  for (const int version : {5, 6, 7}) {
    if (toolchain::find_runtime(paths, version)) versions += fmt::format(" .so.{}", version);
  }
  if (versions.empty()) {
    return {"HIP runtime", false, "Wavetank's libamdhip64.so is not beside this program",
            "build or install the whole project: the program must keep its lib/ folder"};
  }
  return {"HIP runtime", true,
          fmt::format("{}/libamdhip64{}", paths.runtime_folder->string(), versions)};
}

/// Where hipRTC keeps precompiled headers and code. Nothing depends on it but time.
Check check_cache() {
  const auto place = toolchain::Cache::place();
  if (!place) return {"hipRTC's cache", true, "none, $WAVETANK_CACHE is off or $HOME not set"};
  const auto cache = toolchain::Cache::open();
  if (!cache) return {"hipRTC's cache", true, "none, cannot write " + place->string()};
  return {"hipRTC's cache", true,
          fmt::format("{}, {} of {}", place->string(), bytes_text(cache->size_bytes()),
                      bytes_text(toolchain::kCacheLimitBytes))};
}

/// Device memory is reserved, not used; a limit on address space makes that impossible.
Check check_address_space() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  if (limit.rlim_cur == RLIM_INFINITY) return {"address space", true, "unlimited"};
  return {"address space", false,
          fmt::format("limited to {}", bytes_text(static_cast<std::uint64_t>(limit.rlim_cur))),
          "ulimit -v unlimited"};
}

Check check_cores() {
  return {"cores", true, count_text(std::thread::hardware_concurrency(), "worker thread")};
}

std::vector<Check> all_checks() {
  const toolchain::Paths paths = toolchain::find_paths();
  const Result<toolchain::Compiler> compiler = toolchain::find_compiler();
  const Toolchain tools = toolchain::find_hip_toolchain(paths.share_folder);
  std::vector<Check> checks = {check_compiler(compiler), check_tool(compiler, "linker", "ld.lld"),
                               check_tool(compiler, "bundler", "clang-offload-bundler"),
                               check_tool(compiler, "hipRTC's linker", "llvm-link"),
                               check_headers(toolchain::find_rocm())};
  for (const isa::Target& target : isa::targets()) {
    checks.push_back(check_device_libs(tools, target));
  }
  checks.insert(checks.end(), {check_share(paths), check_runtime(paths), check_cache(),
                               check_address_space(), check_cores()});
  return checks;
}

int doctor(bool as_json) {
  const std::vector<Check> checks = all_checks();
  const auto failed =
      std::count_if(checks.begin(), checks.end(), [](const Check& check) { return !check.ok; });
  if (as_json) {
    Json json = Json::array();
    for (const Check& c : checks) {
      json.push_back(
          {{"subject", c.subject}, {"ok", c.ok}, {"finding", c.finding}, {"fix", c.fix}});
    }
    print_json(json);
    return failed == 0 ? kOk : kProgramFailed;
  }
  const Style style(Stream::kStdout);
  std::printf("%s\n\n",
              style
                  .bold(failed == 0 ? "Ready to compile and run."
                                    : count_text(static_cast<std::uint64_t>(failed), "thing") +
                                          " to repair.")
                  .c_str());
  Table table;
  for (int column = 0; column < 3; ++column) table.column("", Table::Align::kLeft);
  for (const Check& c : checks) {
    table.row({c.ok ? "ok" : "missing", c.subject, c.finding});
    if (!c.ok) table.row({"", "", "-> " + c.fix});
  }
  std::printf("%s", table.to_text(style).c_str());
  return failed == 0 ? kOk : kProgramFailed;
}

}  // namespace

void add_doctor(CommandLine& line) {
  Command command = line.add("doctor", "Check the compiler, headers and libraries",
                             "wavetank doctor\n"
                             "wavetank doctor --json\n"
                             "ROCM_PATH=/opt/rocm-6.4.0 wavetank doctor");
  auto as_json = std::make_shared<bool>(false);
  command.flag("--json", *as_json, "Print JSON");
  command.does([=] { return doctor(*as_json); });
}

}  // namespace wavetank::cli
