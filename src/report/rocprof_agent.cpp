#include <initializer_list>
#include <string_view>
#include <utility>

#include "report/rocprof.hpp"
#include "target/board.hpp"

namespace wavetank::report {
namespace {

class Properties {
 public:
  void add(std::string name, std::uint64_t number) {
    list_.push_back({std::move(name), std::to_string(number), false});
  }
  void add(std::string name, const std::string& text) {
    list_.push_back({std::move(name), text, true});
  }
  void add_zeros(std::initializer_list<const char*> names) {
    for (const char* name : names) add(name, 0);
  }
  std::vector<AgentProperty> take() { return std::move(list_); }

 private:
  std::vector<AgentProperty> list_;
};

/// The host has no compute units: its numbers are 0.
target::Device host() {
  target::Device none;
  none.simds_per_cu = none.wave_slots_per_simd = none.lds_bytes_per_cu = none.xcds = 0;
  none.max_workgroup_work_items = 0;
  return none;
}

void add_compute_units(Properties& p, const target::Device& d, bool is_gpu) {
  const std::uint64_t engines = d.shader_engines;
  p.add("Simd_Count", std::uint64_t{d.compute_units} * d.simds_per_cu);
  p.add_zeros({"Cpu_Core_Id_Base", "Simd_Id_Base"});
  p.add("Max_Waves_Per_Simd", d.wave_slots_per_simd);
  p.add("Lds_Size_In_Kb", d.lds_bytes_per_cu / 1024);
  p.add_zeros({"Gds_Size_In_Kb", "Num_Gws"});
  p.add("Wave_Front_Size", is_gpu ? 64 : 0);
  p.add("Num_Xcc", d.xcds);
  p.add("Cu_Count", d.compute_units);
  p.add("Array_Count", engines);
  p.add("Num_Shader_Banks", engines);
  p.add("Simd_Arrays_Per_Engine", is_gpu ? 1 : 0);
  p.add("Cu_Per_Simd_Array", engines != 0 ? d.compute_units / engines : 0);
  p.add("Simd_Per_Cu", d.simds_per_cu);
  p.add("Max_Slots_Scratch_Cu", is_gpu ? 32 : 0);
}

void add_limits(Properties& p, const target::Device& d, bool is_gpu, std::size_t node) {
  p.add("Cu_Per_Engine", d.shader_engines != 0 ? d.compute_units / d.shader_engines : 0);
  p.add("Max_Waves_Per_Cu", std::uint64_t{d.simds_per_cu} * d.wave_slots_per_simd);
  p.add("Family_Id", 0);
  p.add("Workgroup_Max_Size", d.max_workgroup_work_items);
  p.add("Grid_Max_Size", is_gpu ? 4294967295 : 0);
  p.add("Local_Mem_Size", d.memory_bytes);
  p.add("Hive_Id", 0);
  p.add("Gpu_Id", is_gpu ? node : 0);
  for (const char* axis : {"X", "Y", "Z"}) {
    p.add(std::string("Workgroup_Max_Dim_") + axis, d.max_workgroup_work_items);
  }
  p.add("Grid_Max_Dim_X", is_gpu ? 2147483647 : 0);
  p.add("Grid_Max_Dim_Y", is_gpu ? 65535 : 0);
  p.add("Grid_Max_Dim_Z", is_gpu ? 65535 : 0);
}

}  // namespace

std::vector<AgentProperty> agent_properties(const target::Device* device, std::size_t node) {
  const bool is_gpu = device != nullptr;
  const target::Device d = is_gpu ? *device : host();
  Properties p;
  p.add("Node_Id", node);
  p.add("Logical_Node_Id", node);
  p.add("Agent_Type", std::string(is_gpu ? "GPU" : "CPU"));
  p.add("Cpu_Cores_Count", is_gpu ? 0 : 1);
  add_compute_units(p, d, is_gpu);
  p.add("Gfx_Target_Version", is_gpu ? target::graphics_version(d) : 0);
  p.add("Vendor_Id", is_gpu ? target::kPciVendor : 0);
  p.add("Device_Id", target::pci_device(d));
  p.add_zeros({"Location_Id", "Domain", "Drm_Render_Minor", "Num_Sdma_Engines",
               "Num_Sdma_Xgmi_Engines", "Num_Sdma_Queues_Per_Engine", "Num_Cp_Queues",
               "Max_Engine_Clk_Ccompute"});
  p.add("Max_Engine_Clk_Fcompute", static_cast<std::uint64_t>(d.engine_clock_mhz));
  p.add_zeros({"Sdma_Fw_Version", "Fw_Version", "Capability"});
  add_limits(p, d, is_gpu, node);
  p.add("Name", is_gpu ? d.gfx() : std::string("host"));
  p.add("Vendor_Name", std::string(is_gpu ? "AMD" : "CPU"));
  p.add("Product_Name", is_gpu ? d.marketing_name : std::string("host"));
  p.add("Model_Name", std::string());
  return p.take();
}

}  // namespace wavetank::report
