// hipconfig, rocm_agent_enumerator, offload-arch and rocminfo: what there is.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "base/text.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/rocm/tool.hpp"
#include "target/board.hpp"
#include "target/load_device.hpp"
#include "toolchain/rocm.hpp"

namespace wavetank::cli {
namespace {

std::string variable_or(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

/// One answer of hipconfig.
struct Answer {
  std::string_view short_option, option, meaning;
  std::string text;
};

std::vector<Answer> answers(const toolchain::Rocm& rocm) {
  const std::string root = variable_or("ROCM_PATH", rocm.root.string());
  return {{"-p", "--path", "HIP's folder", variable_or("HIP_PATH", root)},
          {"-R", "--rocmpath", "ROCm's folder", root},
          {"-C", "--cpp_config", "options for a compiler of C++",
           fmt::format(" -D__HIP_PLATFORM_HCC__= -D__HIP_PLATFORM_AMD__= -I{}/include", root)},
          {"-c", "--compiler", "the compiler's kind", "clang"},
          {"-P", "--platform", "the kind of devices", "amd"},
          {"-r", "--runtime", "the runtime's kind", "rocclr"},
          {"-l", "--hipclangpath", "the folder of clang++", root + "/llvm/bin"},
          {"-v", "--version", "HIP's version", rocm.full_version()}};
}

void print_all(const std::vector<Answer>& all) {
  for (const Answer& answer : all) {
    fmt::print("{:<14}: {}\n", answer.option.substr(2), answer.text);
  }
}

void print_hipconfig_help(const std::vector<Answer>& all) {
  fmt::print("usage: hipconfig [options]\n\n");
  for (const Answer& answer : all) {
    fmt::print("  {}, {:<15}{}\n", answer.short_option, answer.option, answer.meaning);
  }
  fmt::print(
      "  -n, --newline      a newline behind the answers\n"
      "  -f, --full         all of them\n"
      "  -h, --help         this text\n");
}

void print_field(const char* name, const std::string& value) {
  fmt::print("  {:<25}{}\n", std::string(name) + ":", value);
}

void print_host() {
  fmt::print("==========\nHSA Agents\n==========\n*******\nAgent 1\n*******\n");
  print_field("Name", "CPU");
  print_field("Uuid", "CPU-XX");
  print_field("Device Type", "CPU");
}

void print_agent(const target::Device& device, std::uint32_t slot) {
  fmt::print("*******\nAgent {}\n*******\n", slot + 2);
  print_field("Name", device.gfx());
  print_field("Uuid", "GPU-" + target::unique_id_text(slot));
  print_field("Marketing Name", device.marketing_name);
  print_field("Vendor Name", "AMD");
  print_field("Device Type", "GPU");
  print_field("Node", std::to_string(slot + 1));
  const unsigned chip = target::pci_device(device);
  print_field("Chip ID", fmt::format("{}({:#x})", chip, chip));
  print_field("Max Clock Freq. (MHz)", fmt::format("{:.0f}", device.engine_clock_mhz));
  print_field("BDFID", std::to_string(target::pci_address(slot).bus << 8));
  print_field("Compute Unit", std::to_string(device.compute_units));
  print_field("SIMDs per CU", std::to_string(device.simds_per_cu));
  print_field("Shader Engines", std::to_string(device.shader_engines));
  print_field("Wavefront Size", "64(0x40)");
  print_field("Workgroup Max Size", fmt::format("{0}({0:#x})", device.max_workgroup_work_items));
  print_field("Max Waves Per CU",
              fmt::format("{0}({0:#x})", device.simds_per_cu * device.wave_slots_per_simd));
  const std::uint64_t kilobytes = device.memory_bytes / 1024;
  fmt::print(
      "  Pool Info:\n    Pool 1\n      Segment:                 GLOBAL; FLAGS: COARSE GRAINED\n"
      "      Size:                    {0}({0:#x}) KB\n",
      kilobytes);
  fmt::print(
      "  ISA Info:\n    ISA 1\n      Name:                    "
      "amdgcn-amd-amdhsa--{}:sramecc+:xnack-\n",
      device.gfx());
}

}  // namespace

/// As AMD's, prints no newline behind a single answer.
int run_hipconfig(const ToolWords& words) {
  const Result<toolchain::Rocm> rocm = toolchain::find_rocm();
  if (!rocm) return report(rocm.error());
  const std::vector<Answer> all = answers(*rocm);
  if (!words.empty() && (words[0] == "--help" || words[0] == "-h")) {
    print_hipconfig_help(all);
    return kOk;
  }
  if (words.empty() || words[0] == "--full" || words[0] == "-f" || words[0] == "--check" ||
      words[0] == "-k") {
    print_all(all);
    return kOk;
  }
  for (const std::string& word : words) {
    const Answer* found = nullptr;
    for (const Answer& answer : all) {
      if (word == answer.option || word == answer.short_option) found = &answer;
    }
    if (found == nullptr && (word == "--newline" || word == "-n")) {
      fmt::print("\n");
      continue;
    }
    if (found == nullptr) {
      return report({ErrorCode::kUsage,
                     fmt::format("hipconfig does not know {}", word),
                     {},
                     {},
                     "`hipconfig --help` lists its options"});
    }
    fmt::print("{}", found->text);
  }
  return kOk;
}

/// gfx000 is the host, which `-t GPU` leaves out.
int run_agent_enumerator(const ToolWords& words) {
  const bool all = words.empty() || words == ToolWords{"-t", "ALL"} || words == ToolWords{"-name"};
  const bool gpus = words == ToolWords{"-t", "GPU"};
  if (words == ToolWords{"-h"} || words == ToolWords{"--help"}) {
    fmt::print("usage: rocm_agent_enumerator [-name] [-t ALL|GPU]\n");
    return kOk;
  }
  if (!all && !gpus) {
    return report({ErrorCode::kUsage, "rocm_agent_enumerator knows -name, -t ALL and -t GPU"});
  }
  if (all) fmt::print("gfx000\n");
  for (const isa::Target* own : processors_of_shell()) fmt::print("{}\n", own->name);
  return kOk;
}

int run_offload_arch(const ToolWords& words) {
  for (const std::string& word : words) {
    if (word == "--only=amdgpu") continue;
    if (word == "-h" || word == "--help") {
      fmt::print("usage: offload-arch\n\nPrints the processor of each device, a line for each.\n");
      return kOk;
    }
    return report({ErrorCode::kUsage,
                   fmt::format("offload-arch does not know {}", word),
                   {},
                   {},
                   "without options it prints the processor of each device"});
  }
  for (const isa::Target* own : processors_of_shell()) fmt::print("{}\n", own->name);
  return kOk;
}

/// The lines of AMD's rocminfo that scripts look for.
int run_rocminfo(const ToolWords&) {
  print_host();
  std::uint32_t slot = 0;
  for (const std::string& name : split_at_commas(variable_or("WAVETANK_DEVICE", "mi210"))) {
    const Result<target::Device> device = target::load_device(name);
    if (!device) return report(device.error());
    print_agent(*device, slot++);
  }
  fmt::print("*** Done ***\n");
  return kOk;
}

}  // namespace wavetank::cli
