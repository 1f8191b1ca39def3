#include <array>
#include <string_view>
#include <utility>

#include "report/rocprof.hpp"

namespace wavetank::report {
namespace {

/// PCI device identifiers (source: pci.ids, vendor 1002).
unsigned pci_device(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, unsigned>, 4> kIds = {
      {{"mi210", 0x740f}, {"mi250x", 0x7408}, {"mi300a", 0x74a0}, {"mi300x", 0x74a1}}};
  for (const auto& [device, id] : kIds) {
    if (device == name) return id;
  }
  return 0;
}

/// "gfx90a" is 90010, "gfx942" is 90402: major x 10000 + minor x 100 + stepping.
unsigned target_version(std::string_view gfx) { return gfx == "gfx90a" ? 90010 : 90402; }

class Properties {
 public:
  void add(const char* name, std::uint64_t number) {
    list_.push_back({name, std::to_string(number), false});
  }
  void add(const char* name, const std::string& text) { list_.push_back({name, text, true}); }
  std::vector<AgentProperty> take() { return std::move(list_); }

 private:
  std::vector<AgentProperty> list_;
};

}  // namespace

std::vector<AgentProperty> agent_properties(const target::Device* d, std::size_t node) {
  const auto of_gpu = [&](std::uint64_t value) { return d != nullptr ? value : 0; };
  const std::uint64_t units = d != nullptr ? d->compute_units : 0;
  const std::uint64_t engines = d != nullptr ? d->shader_engines : 0;
  const std::uint64_t simds = d != nullptr ? d->simds_per_cu : 0;
  Properties p;
  p.add("Node_Id", node);
  p.add("Logical_Node_Id", node);
  p.add("Agent_Type", d != nullptr ? std::string("GPU") : std::string("CPU"));
  p.add("Cpu_Cores_Count", d != nullptr ? 0 : 1);
  p.add("Simd_Count", units * simds);
  p.add("Cpu_Core_Id_Base", 0);
  p.add("Simd_Id_Base", 0);
  p.add("Max_Waves_Per_Simd", d != nullptr ? d->wave_slots_per_simd : 0);
  p.add("Lds_Size_In_Kb", d != nullptr ? d->lds_bytes_per_cu / 1024 : 0);
  p.add("Gds_Size_In_Kb", 0);
  p.add("Num_Gws", 0);
  p.add("Wave_Front_Size", of_gpu(64));
  p.add("Num_Xcc", d != nullptr ? d->xcds : 0);
  p.add("Cu_Count", units);
  p.add("Array_Count", engines);
  p.add("Num_Shader_Banks", engines);
  p.add("Simd_Arrays_Per_Engine", of_gpu(1));
  p.add("Cu_Per_Simd_Array", engines != 0 ? units / engines : 0);
  p.add("Simd_Per_Cu", simds);
  p.add("Max_Slots_Scratch_Cu", of_gpu(32));
  p.add("Gfx_Target_Version", d != nullptr ? target_version(d->gfx) : 0);
  p.add("Vendor_Id", of_gpu(0x1002));
  p.add("Device_Id", d != nullptr ? pci_device(d->name) : 0);
  for (const char* name :
       {"Location_Id", "Domain", "Drm_Render_Minor", "Num_Sdma_Engines", "Num_Sdma_Xgmi_Engines",
        "Num_Sdma_Queues_Per_Engine", "Num_Cp_Queues", "Max_Engine_Clk_Ccompute"}) {
    p.add(name, 0);
  }
  p.add("Max_Engine_Clk_Fcompute",
        d != nullptr ? static_cast<std::uint64_t>(d->engine_clock_mhz) : 0);
  for (const char* name : {"Sdma_Fw_Version", "Fw_Version", "Capability"}) p.add(name, 0);
  p.add("Cu_Per_Engine", engines != 0 ? units / engines : 0);
  p.add("Max_Waves_Per_Cu", d != nullptr ? simds * d->wave_slots_per_simd : 0);
  p.add("Family_Id", 0);
  p.add("Workgroup_Max_Size", d != nullptr ? d->max_workgroup_work_items : 0);
  p.add("Grid_Max_Size", of_gpu(4294967295));
  p.add("Local_Mem_Size", d != nullptr ? d->memory_bytes : 0);
  p.add("Hive_Id", 0);
  p.add("Gpu_Id", of_gpu(node));
  for (const char* axis : {"X", "Y", "Z"}) {
    p.add((std::string("Workgroup_Max_Dim_") + axis).c_str(),
          d != nullptr ? d->max_workgroup_work_items : 0);
  }
  for (const auto& [name, most] : {std::pair{"Grid_Max_Dim_X", 2147483647},
                                   {"Grid_Max_Dim_Y", 65535},
                                   {"Grid_Max_Dim_Z", 65535}}) {
    p.add(name, of_gpu(static_cast<std::uint64_t>(most)));
  }
  p.add("Name", d != nullptr ? d->gfx : std::string("host"));
  p.add("Vendor_Name", d != nullptr ? std::string("AMD") : std::string("CPU"));
  p.add("Product_Name", d != nullptr ? d->marketing_name : std::string("host"));
  p.add("Model_Name", std::string());
  return p.take();
}

}  // namespace wavetank::report
