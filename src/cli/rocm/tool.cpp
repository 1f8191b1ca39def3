#include "cli/rocm/tool.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/output/exit_code.hpp"
#include "cli/run/runtime_setup.hpp"
#include "target/load_device.hpp"

namespace wavetank::cli {

const std::vector<RocmTool>& rocm_tools() {
  static const std::vector<RocmTool> tools = {
      {"hipcc", ToolPlace::kBin, run_hipcc},
      {"amdclang", ToolPlace::kBin, run_amdclang},
      {"amdclang++", ToolPlace::kBin, run_amdclang_cxx},
      {"clang", ToolPlace::kLlvm, run_amdclang},
      {"clang++", ToolPlace::kLlvm, run_amdclang_cxx},
      {"hipconfig", ToolPlace::kBin, run_hipconfig},
      {"rocm_agent_enumerator", ToolPlace::kBin, run_agent_enumerator},
      {"offload-arch", ToolPlace::kBin, run_offload_arch},
      {"amdgpu-offload-arch", ToolPlace::kBin, run_offload_arch},
      {"amdgpu-arch", ToolPlace::kBin, run_offload_arch},
      {"amdgpu-arch", ToolPlace::kLlvm, run_offload_arch},
      {"rocminfo", ToolPlace::kBin, run_rocminfo},
      {"rocm-smi", ToolPlace::kBin, run_rocm_smi},
      {"rocprofv3", ToolPlace::kBin, run_rocprofv3},
  };
  return tools;
}

std::optional<int> run_rocm_tool(int argc, char** argv) {
  if (argc < 1) return std::nullopt;
  const std::string name = std::filesystem::path(argv[0]).filename().string();
  for (const RocmTool& tool : rocm_tools()) {
    if (tool.name == name) return tool.run(ToolWords(argv + 1, argv + argc));
  }
  return std::nullopt;
}

int become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return report({ErrorCode::kFileUnreadable,
                 fmt::format("cannot run {}: {}", command[0], std::strerror(errno))});
}

std::vector<target::Device> devices_of_shell() {
  std::vector<target::Device> devices = chosen_devices({});
  if (!devices.empty()) return devices;
  if (auto device = target::load_device("mi210")) devices.push_back(std::move(*device));
  return devices;
}

std::vector<const isa::Target*> processors_of_shell() {
  std::vector<const isa::Target*> processors;
  for (const target::Device& device : devices_of_shell()) processors.push_back(device.target);
  return processors;
}

}  // namespace wavetank::cli
