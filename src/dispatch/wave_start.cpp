#include "dispatch/wave_start.hpp"

#include <algorithm>
#include <cstring>

namespace wavetank::dispatch {
namespace {

using code_object::KernelDescriptor;
using machine::Wave;

/// Writes SGPRs one after the other.
class SgprWriter {
 public:
  explicit SgprWriter(Wave& wave) : wave_(wave) {}
  void put(std::uint32_t value) {
    if (next_ < 102) wave_.sgpr[next_] = value;
    ++next_;
  }
  void put64(std::uint64_t value) {
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  }
  void put_pointer(const void* pointer) { put64(reinterpret_cast<std::uint64_t>(pointer)); }

 private:
  Wave& wave_;
  unsigned next_ = 0;
};

/// The scratch buffer resource of gfx90a: base, swizzled in 64-lane rows of dwords, thread id added
/// (ROCR amd_aql_queue.cpp, FillBufRsrcWord0 to 3).
void put_scratch_resource(SgprWriter& sgprs, const std::byte* base, std::uint32_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(base);
  constexpr std::uint32_t kSwizzleEnable = 1u << 31;
  constexpr std::uint32_t kIndexStride64 = 3u << 21, kAddThreadId = 1u << 23;
  constexpr std::uint32_t kFormat32Uint = 4u << 15 | 4u << 12, kSelectXyzw = 0xfac;
  sgprs.put(static_cast<std::uint32_t>(address));
  sgprs.put(static_cast<std::uint32_t>(address >> 32) | kSwizzleEnable);
  sgprs.put(bytes);
  sgprs.put(kFormat32Uint | kSelectXyzw | kIndexStride64 | kAddThreadId);
}

void put_user_sgprs(SgprWriter& sgprs, const StartState& state, const WavePlace& place) {
  const KernelDescriptor& descriptor = *state.descriptor;
  if (descriptor.private_segment_buffer) {
    put_scratch_resource(sgprs, place.scratch, 64 * state.scratch_bytes_per_lane);
  }
  if (descriptor.dispatch_ptr) sgprs.put_pointer(state.dispatch_packet);
  if (descriptor.queue_ptr) sgprs.put_pointer(state.queue);
  if (descriptor.kernarg_segment_ptr) sgprs.put_pointer(state.kernarg);
  if (descriptor.dispatch_id) sgprs.put64(state.dispatch_id);
  if (descriptor.flat_scratch_init) sgprs.put_pointer(place.scratch);
  for (std::uint32_t i = 0; i < descriptor.kernarg_preload_dwords; ++i) {
    std::uint32_t value;
    std::memcpy(&value, state.kernarg + 4 * (descriptor.kernarg_preload_offset_dwords + i), 4);
    sgprs.put(value);
  }
  if (descriptor.private_segment_size) sgprs.put(state.scratch_bytes_per_lane);
}

void put_system_sgprs(SgprWriter& sgprs, const StartState& state, const WavePlace& place) {
  const KernelDescriptor& descriptor = *state.descriptor;
  if (descriptor.enable_workgroup_id_x) sgprs.put(place.workgroup_id.x);
  if (descriptor.enable_workgroup_id_y) sgprs.put(place.workgroup_id.y);
  if (descriptor.enable_workgroup_id_z) sgprs.put(place.workgroup_id.z);
  if (descriptor.enable_workgroup_info) {
    const auto waves = static_cast<std::uint32_t>((place.workgroup_size.count() + 63) / 64);
    sgprs.put((place.first_work_item == 0 ? 1u << 31 : 0) | waves);
  }
  // The scratch addresses above are this wave's already, so its offset from them is zero.
  if (descriptor.enable_private_segment && state.target == isa::Targets::kGfx90a) sgprs.put(0);
}

/// Work-item ids, packed in VGPR 0: x in bits 9:0, y in 19:10, z in 29:20.
void put_work_item_ids(Wave& wave, const KernelDescriptor& descriptor, const WavePlace& place) {
  const Dim3 size = place.workgroup_size;
  if (size.y == 1 && size.z == 1) {
    for (unsigned lane = 0; lane < machine::kLanes; ++lane)
      wave.vgpr[lane] = place.first_work_item + lane;
    return;
  }
  std::uint32_t x = place.first_work_item % size.x;
  std::uint32_t y = place.first_work_item / size.x % size.y;
  std::uint32_t z = place.first_work_item / (size.x * size.y);
  const std::uint32_t y_mask = descriptor.workitem_id_dimensions >= 2 ? ~0u : 0;
  const std::uint32_t z_mask = descriptor.workitem_id_dimensions >= 3 ? ~0u : 0;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    wave.vgpr[lane] = x | ((y & y_mask) << 10) | ((z & z_mask) << 20);
    if (++x < size.x) continue;
    x = 0;
    if (++y < size.y) continue;
    y = 0;
    ++z;
  }
}

}  // namespace

void start_wave(Wave& wave, const StartState& state, const WavePlace& place) {
  std::memset(wave.sgpr, 0, sizeof wave.sgpr);
  SgprWriter sgprs(wave);
  put_user_sgprs(sgprs, state, place);
  put_system_sgprs(sgprs, state, place);
  put_work_item_ids(wave, *state.descriptor, place);
  const auto items = static_cast<std::uint32_t>(place.workgroup_size.count());
  const std::uint32_t active =
      std::min(items - place.first_work_item, std::uint32_t{machine::kLanes});
  wave.set_exec(active == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << active) - 1);
  wave.mode.bits = state.descriptor->initial_mode();
  wave.scc = 0;
  wave.gpr_index_mode = 0;
  wave.priority = 0;
  wave.scratch_bytes = 64 * state.scratch_bytes_per_lane;
  // Architected flat scratch (gfx942): the hardware sets FLAT_SCRATCH; gfx90a's prologue does.
  if (state.target == isa::Targets::kGfx942) {
    wave.set_scalar64(102, reinterpret_cast<std::uint64_t>(place.scratch));
  }
}

}  // namespace wavetank::dispatch
