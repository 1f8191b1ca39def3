#include "dispatch/wave_start.hpp"

#include <algorithm>
#include <cstring>

#include "execute/memory/address.hpp"

namespace wavetank::dispatch {
namespace {

using code_object::KernelDescriptor;
using machine::Wave;

/// Writes SGPRs one after the other.
class SgprWriter {
 public:
  explicit SgprWriter(std::uint32_t* sgprs) : sgprs_(sgprs) {}
  void put(std::uint32_t value) {
    if (next_ < kSgprs) sgprs_[next_] = value;
    ++next_;
  }
  void put64(std::uint64_t value) {
    put(static_cast<std::uint32_t>(value));
    put(static_cast<std::uint32_t>(value >> 32));
  }
  void put_pointer(const void* pointer) { put64(reinterpret_cast<std::uint64_t>(pointer)); }
  unsigned count() const { return std::min(next_, kSgprs); }

 private:
  static constexpr unsigned kSgprs = isa::operand::kSgprCount;
  std::uint32_t* const sgprs_;
  unsigned next_ = 0;
};

/// The scratch buffer resource of gfx90a: base, swizzled in 64-lane rows of dwords, thread id added
/// (ROCR amd_aql_queue.cpp, FillBufRsrcWord0 to 3).
void put_scratch_resource(SgprWriter& sgprs, const std::byte* base, std::uint32_t bytes) {
  const auto address = reinterpret_cast<std::uint64_t>(base);
  using execute::kAddThreadId, execute::kIndexStride64, execute::kSwizzleEnable;
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
  if (descriptor.enable_private_segment && !state.target->has_architected_scratch) sgprs.put(0);
}

// Copies as wide as the loads that read VGPR 0 soon after, which could not take their data from
// narrower stores.
#if defined(__x86_64__) && defined(__clang__)
#define WAVETANK_WIDE_STORES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define WAVETANK_WIDE_STORES
#endif

constexpr unsigned kCopiedSgprs = 32;

/// VGPR 0 of waves, from the rows of theirs on; and, unless it is nullptr, what the first SGPRs of
/// all are.
WAVETANK_WIDE_STORES void copy_registers(std::span<Wave> waves, const std::uint32_t* rows,
                                         const std::uint32_t* sgprs) {
  for (Wave& wave : waves) {
    if (sgprs != nullptr) std::memcpy(wave.sgpr, sgprs, sizeof *sgprs * kCopiedSgprs);
    std::memcpy(wave.vgpr, rows, machine::kRegisterBytes);
    rows += machine::kLanes;
  }
}

/// The ids of a workgroup's work-items, packed: x in bits 9:0, y in 19:10, z in 29:20. For whole
/// waves.
std::vector<std::uint32_t> packed_ids(const KernelDescriptor& descriptor, const Dim3& size) {
  const std::uint32_t y_mask = descriptor.workitem_id_dimensions >= 2 ? ~0u : 0;
  const std::uint32_t z_mask = descriptor.workitem_id_dimensions >= 3 ? ~0u : 0;
  std::vector<std::uint32_t> ids;
  ids.reserve(size.count() + machine::kLanes);
  for (std::uint32_t z = 0; z < size.z; ++z) {
    for (std::uint32_t y = 0; y < size.y; ++y) {
      for (std::uint32_t x = 0; x < size.x; ++x) {
        ids.push_back(x | ((y & y_mask) << 10) | ((z & z_mask) << 20));
      }
    }
  }
  ids.resize((ids.size() + machine::kLanes - 1) / machine::kLanes * machine::kLanes);
  return ids;
}

bool is_row(const Dim3& size) { return size.y == 1 && size.z == 1; }

}  // namespace

WaveStart::WaveStart(const StartState& state)
    : state_(state),
      mode_(state.descriptor->initial_mode()),
      ids_(packed_ids(*state.descriptor, state.workgroup_size)),
      alike_(state.scratch_bytes_per_lane == 0 && !state.descriptor->enable_workgroup_info) {
  SgprWriter sgprs(common_.data());
  put_user_sgprs(sgprs, state, {});
  id_place_ = sgprs.count();
  put_system_sgprs(sgprs, state, {});
  common_count_ = sgprs.count();
}

void WaveStart::put_sgprs(Wave& wave, const WavePlace& place) const {
  SgprWriter sgprs(wave.sgpr);
  put_user_sgprs(sgprs, state_, place);
  put_system_sgprs(sgprs, state_, place);
}

/// What copy_registers() does not: the ids, and more SGPRs than it copies.
void WaveStart::put_common_sgprs(Wave& wave, const Dim3& workgroup_id) const {
  for (unsigned i = kCopiedSgprs; i < common_count_; ++i) wave.sgpr[i] = common_[i];
  const KernelDescriptor& descriptor = *state_.descriptor;
  unsigned next = id_place_;
  if (descriptor.enable_workgroup_id_x) wave.sgpr[next++] = workgroup_id.x;
  if (descriptor.enable_workgroup_id_y) wave.sgpr[next++] = workgroup_id.y;
  if (descriptor.enable_workgroup_id_z) wave.sgpr[next++] = workgroup_id.z;
}

/// Where the grid's edge clips a workgroup to a row, its ids are the first of a whole one's.
void WaveStart::put_registers(std::span<Wave> waves, const Dim3& workgroup_size) const {
  const std::uint32_t* const sgprs = alike_ ? common_.data() : nullptr;
  const Dim3& whole = state_.workgroup_size;
  if (workgroup_size == whole || (is_row(workgroup_size) && workgroup_size.x <= whole.x)) {
    return copy_registers(waves, ids_.data(), sgprs);
  }
  copy_registers(waves, packed_ids(*state_.descriptor, workgroup_size).data(), sgprs);
}

void WaveStart::start(std::span<Wave> waves, const Dim3& workgroup_id, const Dim3& workgroup_size,
                      std::byte* scratch) const {
  const std::uint32_t scratch_bytes = 64 * state_.scratch_bytes_per_lane;
  const bool architected_scratch = state_.target->has_architected_scratch;
  put_registers(waves, workgroup_size);
  WavePlace place{workgroup_id, workgroup_size, 0, scratch};
  auto left = static_cast<std::uint32_t>(workgroup_size.count());
  for (Wave& wave : waves) {
    if (alike_)
      put_common_sgprs(wave, workgroup_id);
    else
      put_sgprs(wave, place);
    wave.set_exec(left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
    wave.mode.bits = mode_;
    wave.scc = 0;
    wave.indexes_registers = false;
    wave.priority = 0;
    wave.scratch_bytes = scratch_bytes;
    // The hardware sets FLAT_SCRATCH, or the prologue does.
    if (architected_scratch) {
      wave.set_flat_scratch(reinterpret_cast<std::uint64_t>(place.scratch));
    }
    place.first_work_item += machine::kLanes;
    if (scratch != nullptr) place.scratch += scratch_bytes;
    left -= std::min(left, std::uint32_t{machine::kLanes});
  }
}

}  // namespace wavetank::dispatch
