// The programs of a ROCm installation that `wavetank` stands in for when it is called by their
// names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "target/device.hpp"

namespace wavetank::cli {

/// What a tool is called with: the words after its name.
using ToolWords = std::vector<std::string>;

/// Where the links of a ROCm folder lie that lead to `wavetank`.
enum class ToolPlace : unsigned char { kBin, kLlvm };

struct RocmTool {
  std::string_view name;
  ToolPlace place;
  int (*run)(const ToolWords& words);  ///< gives the exit code
};

/// Every tool, for those who make the links.
const std::vector<RocmTool>& rocm_tools();

/// Runs the tool that argv[0] names and gives its exit code; nothing if it names none.
std::optional<int> run_rocm_tool(int argc, char** argv);

// The tools, each in the file that its first word names (compilers.cpp, queries.cpp ...).
int run_hipcc(const ToolWords& words);
int run_amdclang(const ToolWords& words);
int run_amdclang_cxx(const ToolWords& words);
int run_hipconfig(const ToolWords& words);
int run_agent_enumerator(const ToolWords& words);
int run_offload_arch(const ToolWords& words);
int run_rocminfo(const ToolWords& words);
int run_rocm_smi(const ToolWords& words);
int run_rocprofv3(const ToolWords& words);

/// Becomes another program; returns, with the exit code of the error, only when that fails.
int become(const std::vector<std::string>& command);

/// The devices of the shell, WAVETANK_DEVICE, in their order; the MI210 without the variable.
std::vector<target::Device> devices_of_shell();

/// The processors of these devices.
std::vector<const isa::Target*> processors_of_shell();

}  // namespace wavetank::cli
