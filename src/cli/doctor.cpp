// wavetank doctor: is everything there that compiling and running needs, and if not, what to do.
#include <fmt/format.h>

#include <sys/resource.h>
#include <algorithm>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/json_output.hpp"
#include "cli/terminal.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"
#include "toolchain/rocm.hpp"

namespace wavetank::cli {
namespace {

/// One line of the report.
struct Check {
  std::string subject;
  bool ok = false;
  std::string finding;
  std::string fix = {};  ///< what to do when it is not ok
};

Check check_compiler() {
  const Result<std::string> clang = toolchain::find_clang();
  if (!clang) return {"compiler", false, clang.error().message, clang.error().help};
  const Result<toolchain::Finished> version = toolchain::capture_process({*clang, "-dumpversion"});
  const std::string text = version ? version->output.substr(0, version->output.find('\n')) : "?";
  return {"compiler", version.has_value(), fmt::format("{}, {}", *clang, text)};
}

Check check_linker() {
  for (const char* name : {"ld.lld-19", "/usr/lib/llvm-19/bin/ld.lld", "ld.lld"}) {
    if (const auto path = toolchain::find_program(name)) return {"linker", true, *path};
  }
  return {"linker", false, "ld.lld is not installed", "apt-get install lld-19"};
}

/// clang calls it to put the device code into the executable.
Check check_bundler() {
  for (const char* name :
       {"/usr/lib/llvm-19/bin/clang-offload-bundler", "clang-offload-bundler-19"}) {
    if (const auto path = toolchain::find_program(name)) return {"bundler", true, *path};
  }
  return {"bundler", false, "clang-offload-bundler is not installed",
          "apt-get install clang-tools-19"};
}

Check check_headers(const Result<toolchain::Rocm>& rocm) {
  if (!rocm) return {"HIP headers", false, rocm.error().message, rocm.error().help};
  return {"HIP headers", true,
          fmt::format("{}/include, HIP {}.{}{}", rocm->root == "/" ? "" : rocm->root.string(),
                      rocm->version_major, rocm->version_minor,
                      toolchain::needs_repair(*rocm) ? ", repaired by wavetank cc" : "")};
}

Check check_device_libs(const Result<toolchain::Rocm>& rocm, const toolchain::Paths& paths,
                        const std::string& gfx) {
  const std::string subject = gfx + " libraries";
  if (!rocm) return {subject, false, "not looked for without HIP headers", rocm.error().help};
  const auto folder = toolchain::device_libs_for(*rocm, paths, {gfx});
  if (!folder) return {subject, false, folder.error().message, folder.error().help};
  return {subject, true, folder->string()};
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
  const Result<toolchain::Rocm> rocm = toolchain::find_newest_rocm();
  return {check_compiler(),
          check_linker(),
          check_bundler(),
          check_headers(rocm),
          check_device_libs(rocm, paths, "gfx90a"),
          check_device_libs(rocm, paths, "gfx942"),
          check_share(paths),
          check_runtime(paths),
          check_address_space(),
          check_cores()};
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
