// Which member of the model's specifications takes which number of a device description. Units and
// ranges are those of the numbers' rows (target/parameter_table.hpp).
#pragma once

#include <array>

#include "target/parameter_rows.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

inline constexpr auto kDispatchBindings = std::to_array<target::Binding<DispatchSpec>>({
    {"dispatch.wave_interval", &DispatchSpec::wave_interval},
    {"dispatch.workgroup_interval", &DispatchSpec::workgroup_interval},
    {"dispatch.workgroup_interval_in_rows", &DispatchSpec::workgroup_interval_in_rows},
    {"dispatch.first_wave_latency", &DispatchSpec::first_wave_latency},
    {"dispatch.release_latency", &DispatchSpec::release_latency},
});
inline constexpr auto kLaunchBindings = std::to_array<target::Binding<LaunchSpec>>({
    {"launch.start_latency", &LaunchSpec::start_ns},
    {"launch.end_latency", &LaunchSpec::end_ns},
    {"launch.interval", &LaunchSpec::interval_ns},
    {"launch.turnover", &LaunchSpec::turnover_ns},
});
inline constexpr auto kKernargBindings = std::to_array<target::Binding<KernargSpec>>({
    {"kernarg.host_latency", &KernargSpec::host_cycles},
    {"kernarg.l2_keeps", &KernargSpec::l2_keeps},
});
inline constexpr auto kFetchBindings = std::to_array<target::Binding<FetchSpec>>({
    {"fetch.units_per_cache", &FetchSpec::units_per_cache},
    {"cache.l1_instruction", &FetchSpec::cache_bytes},
    {"fetch.line", &FetchSpec::line_bytes},
    {"fetch.ways", &FetchSpec::ways},
    {"fetch.hit_latency", &FetchSpec::hit_latency},
    {"fetch.miss_latency", &FetchSpec::miss_latency},
    {"fetch.bytes_per_fetch", &FetchSpec::bytes_per_fetch},
});
inline constexpr auto kIssueBindings = std::to_array<target::Binding<IssueSpec>>({
    {"issue.slot_period", &IssueSpec::slot_period},
    {"issue.branch_latency", &IssueSpec::branch_latency},
    {"issue.barrier_latency", &IssueSpec::barrier_latency},
    {"issue.sleep_unit", &IssueSpec::sleep_unit},
    {"valu.full", &IssueSpec::valu_full},
    {"valu.double", &IssueSpec::valu_double},
    {"valu.quarter", &IssueSpec::valu_quarter},
    {"valu.transcendental", &IssueSpec::valu_transcendental},
    {"valu.misaligned_extra", &IssueSpec::misaligned_extra},
    {"valu.dual_fma", &IssueSpec::dual_fma},
    {"salu.issue", &IssueSpec::salu},
});
inline constexpr auto kMatrixBindings = std::to_array<target::Binding<MatrixSpec>>({
    {"matrix.issue", &MatrixSpec::issue},
    {"matrix.after_packed", &MatrixSpec::after_packed},
    {"matrix.packed_f32_coexecutes", &MatrixSpec::packed_f32_coexecutes},
});
inline constexpr auto kScalarMemoryBindings = std::to_array<target::Binding<ScalarMemorySpec>>({
    {"smem.units_per_cache", &ScalarMemorySpec::units_per_cache},
    {"cache.l1_scalar", &ScalarMemorySpec::cache_bytes},
    {"smem.line", &ScalarMemorySpec::line_bytes},
    {"smem.ways", &ScalarMemorySpec::ways},
    {"smem.hit_latency", &ScalarMemorySpec::hit_latency},
    {"smem.miss_latency", &ScalarMemorySpec::miss_latency},
    {"smem.bytes_per_cycle", &ScalarMemorySpec::bytes_per_cycle},
});
inline constexpr auto kLdsBindings = std::to_array<target::Binding<LdsSpec>>({
    {"lds.capacity_per_unit", &LdsSpec::bytes},
    {"lds.banks", &LdsSpec::banks},
    {"lds.pairs", &LdsSpec::pairs},
    {"lds.bytes_per_cycle_per_pair", &LdsSpec::bytes_per_cycle_per_pair},
    {"lds.store_address_cycles", &LdsSpec::store_address_cycles},
    {"lds.atomic_cycles", &LdsSpec::atomic_cycles},
    {"lds.permute_cycles", &LdsSpec::permute_cycles},
    {"lds.queue_depth", &LdsSpec::queue_depth},
    {"lds.latency_b32", &LdsSpec::latency_b32},
    {"lds.latency_b64", &LdsSpec::latency_b64},
    {"lds.latency_b128", &LdsSpec::latency_b128},
});
inline constexpr auto kVectorMemoryBindings = std::to_array<target::Binding<VectorMemorySpec>>({
    {"vmem.hit_latency", &VectorMemorySpec::hit_latency},
    {"vmem.bytes_per_cycle", &VectorMemorySpec::bytes_per_cycle},
    {"vmem.store_bytes_per_cycle", &VectorMemorySpec::store_bytes_per_cycle},
    {"vmem.outstanding_per_wave", &VectorMemorySpec::outstanding_per_wave},
    {"vmem.queue_depth", &VectorMemorySpec::queue_depth},
    {"vmem.store_latency", &VectorMemorySpec::store_latency},
    {"vmem.lds_load_cycles", &VectorMemorySpec::lds_load_cycles},
    {"cache.l1_vector", &VectorMemorySpec::l1_bytes},
    {"cache.l1_vector_line", &VectorMemorySpec::l1_line_bytes},
    {"l1_vector.ways", &VectorMemorySpec::l1_ways},
    {"l1_vector.miss_queue_lines", &VectorMemorySpec::miss_queue_lines},
    {"l1_vector.read_efficiency", &VectorMemorySpec::read_efficiency},
    {"l1_vector.fill_cycles", &VectorMemorySpec::fill_cycles},
});
inline constexpr auto kTranslationBindings = std::to_array<target::Binding<TranslationSpec>>({
    {"translation.entries", &TranslationSpec::entries},
    {"translation.page", &TranslationSpec::page_bytes},
    {"translation.miss_latency", &TranslationSpec::miss_latency},
    {"translation.miss_interval", &TranslationSpec::miss_interval},
});
inline constexpr auto kL2Bindings = std::to_array<target::Binding<L2Spec>>({
    {"cache.l2_per_xcd", &L2Spec::bytes},
    {"l2.channels", &L2Spec::channels},
    {"l2.interleave", &L2Spec::interleave_bytes},
    {"l2.ways", &L2Spec::ways},
    {"cache.l2_line", &L2Spec::line_bytes},
    {"l2.read_bytes_per_cycle", &L2Spec::read_bytes_per_cycle},
    {"l2.write_cycles", &L2Spec::write_cycles},
    {"l2.partial_write_cycles", &L2Spec::partial_write_cycles},
    {"l2.fill_cycles", &L2Spec::fill_cycles},
    {"l2.write_queue_cycles", &L2Spec::write_queue_cycles},
    {"l2.read_efficiency", &L2Spec::read_efficiency},
    {"l2.hit_latency", &L2Spec::hit_latency},
    {"l2.device_scope_latency", &L2Spec::device_scope_latency},
    {"l2.write_back_at_end", &L2Spec::write_back_at_end},
    {"l2.request_read_bytes", &L2Spec::request_read_bytes},
    {"l2.scattered_sets", &L2Spec::scattered_sets},
});
inline constexpr auto kMallBindings = std::to_array<target::Binding<MallSpec>>({
    {"cache.infinity_cache", &MallSpec::bytes},
    {"mall.slices", &MallSpec::slices},
    {"mall.line", &MallSpec::line_bytes},
    {"mall.ways", &MallSpec::ways},
    {"mall.bytes_per_cycle", &MallSpec::bytes_per_cycle},
    {"mall.hit_latency", &MallSpec::hit_latency},
});
inline constexpr auto kHbmBindings = std::to_array<target::Binding<HbmSpec>>({
    {"hbm.channels", &HbmSpec::channels},
    {"hbm.latency", &HbmSpec::latency},
    {"hbm.turnaround", &HbmSpec::turnaround},
    {"hbm.banks", &HbmSpec::banks},
    {"hbm.page", &HbmSpec::page_bytes},
    {"hbm.row_cycle", &HbmSpec::row_cycles},
    {"hbm.read_efficiency", &HbmSpec::read_efficiency},
    {"hbm.write_efficiency", &HbmSpec::write_efficiency},
    {"memory.peak_bandwidth", &HbmSpec::peak_bytes_per_cycle},
});
inline constexpr auto kAtomicBindings = std::to_array<target::Binding<AtomicSpec>>({
    {"atomic.at_memory", &AtomicSpec::at_memory},
    {"atomic.l2_cycles_per_operation", &AtomicSpec::l2_cycles_per_operation},
});
inline constexpr auto kMemoryAtomicsBindings = std::to_array<target::Binding<AtomicSpec>>({
    {"atomic.memory_side_latency", &AtomicSpec::memory_side_latency},
    {"atomic.memory_side_request_cycles", &AtomicSpec::memory_side_request_cycles},
    {"atomic.memory_side_cycles_per_operation", &AtomicSpec::memory_side_cycles_per_operation},
});
inline constexpr auto kFenceBindings = std::to_array<target::Binding<FenceSpec>>({
    {"fence.scan", &FenceSpec::scan},
    {"fence.per_dirty_line", &FenceSpec::per_dirty_line},
    {"fence.round_trip", &FenceSpec::round_trip},
});
inline constexpr auto kFabricBindings = std::to_array<target::Binding<TimingSpec>>({
    {"fabric.read_bytes_per_cycle", &TimingSpec::fabric_read_bytes_per_cycle},
    {"fabric.write_bytes_per_cycle", &TimingSpec::fabric_write_bytes_per_cycle},
});

}  // namespace wavetank::timing
