// What a profile's structures consist of: one list of fields for each serves whoever writes, reads
// or compares them. visit_fields(visit, value, value) calls `visit(key, field)` for each field; the
// first value says of what type it is, whether the second one is const or not.
#pragma once

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

template <class Visit, class T>
void visit_fields(Visit&& visit, const CounterValue&, T& c) {
  visit("sum", c.sum);
  visit("max", c.max);
  visit("instances", c.instances);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const ChannelLoad&, T& load) {
  visit("channels", load.channels);
  visit("busiest_percent", load.busiest_percent);
  visit("moment_percent", load.moment_percent);
  visit("crowded", load.crowded);
  visit("crowded_percent", load.crowded_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const RowUse&, T& rows) {
  visit("opened", rows.opened);
  visit("row_bytes", rows.row_bytes);
  visit("busy_percent", rows.busy_percent);
  visit("bus_percent", rows.bus_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const LevelTraffic&, T& level) {
  visit("name", level.name);
  visit("bytes_read", level.bytes_read);
  visit("bytes_written", level.bytes_written);
  visit("peak_bytes_per_cycle", level.peak_bytes_per_cycle);
  visit("requests", level.requests);
  visit("hits", level.hits);
  visit("busy_percent", level.busy_percent);
  visit("peak_source", level.peak_source);
  visit("channels", level.channels);
  visit("rows", level.rows);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const UnitUse&, T& unit) {
  visit("name", unit.name);
  visit("busy_percent", unit.busy_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const Operations&, T& o) {
  visit("f16", o.f16);
  visit("f32", o.f32);
  visit("f64", o.f64);
  visit("integer", o.integer);
  visit("matrix_f16", o.matrix_f16);
  visit("matrix_bf16", o.matrix_bf16);
  visit("matrix_f32", o.matrix_f32);
  visit("matrix_f64", o.matrix_f64);
  visit("matrix_f8", o.matrix_f8);
  visit("matrix_xf32", o.matrix_xf32);
  visit("matrix_i8", o.matrix_i8);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const LaneStride&, T& stride) {
  visit("least", stride.least);
  visit("greatest", stride.greatest);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const InstructionProfile&, T& i) {
  visit("offset", i.offset);
  visit("virtual_address", i.virtual_address);
  visit("text", i.text);
  visit("row", i.row);
  visit("file", i.file);
  visit("line", i.line);
  visit("hits", i.hits);
  visit("active_lanes", i.active_lanes);
  visit("lines_touched", i.lines_touched);
  visit("lines_needed", i.lines_needed);
  visit("strided_accesses", i.strided_accesses);
  visit("stride", i.stride);
  visit("array", i.array);
  visit("array_bytes", i.array_bytes);
  visit("access", i.access);
  visit("known_before", i.known_before);
  visit("private_accesses", i.private_accesses);
  visit("translation_misses", i.translation_misses);
  visit("lds_conflict_cycles", i.lds_conflict_cycles);
  visit("awaited_cycles", i.awaited_cycles);
  visit("cycles", i.cycles);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const OccupancyProfile&, T& o) {
  visit("waves_per_simd_limit", o.waves_per_simd_limit);
  visit("wave_slots_per_simd", o.wave_slots_per_simd);
  visit("limited_by", o.limited_by);
  visit("achieved_waves_per_cu", o.achieved_waves_per_cu);
  visit("cu_percent", o.cu_percent);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const Sampling&, T& s) {
  visit("sampled", s.sampled);
  visit("workgroups", s.workgroups);
  visit("simulated_workgroups", s.simulated_workgroups);
  visit("uncertainty_percent", s.uncertainty_percent);
  visit("rest_ratio", s.rest_ratio);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const TraceWave&, T& w) {
  visit("xcd", w.xcd);
  visit("se", w.se);
  visit("cu", w.cu);
  visit("simd", w.simd);
  visit("slot", w.slot);
  visit("workgroup", w.workgroup);
  visit("wave_in_group", w.wave_in_group);
  visit("begin_cycle", w.begin_cycle);
  visit("end_cycle", w.end_cycle);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const TraceIssue&, T& i) {
  visit("wave", i.wave);
  visit("instruction", i.instruction);
  visit("issue_cycle", i.issue_cycle);
  visit("issue_cycles", i.issue_cycles);
  visit("stall_cycles", i.stall_cycles);
  visit("stall_reason", i.stall_reason);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const ThreadTrace&, T& trace) {
  visit("waves", trace.waves);
  visit("issues", trace.issues);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const ArrayTraffic&, T& array) {
  visit("name", array.name);
  visit("bytes", array.bytes);
  visit("l2_read", array.l2_read);
  visit("l2_written", array.l2_written);
  visit("hbm_read", array.hbm_read);
  visit("hbm_written", array.hbm_written);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const WorkgroupStay&, T& stay) {
  visit("cu", stay.cu);
  visit("workgroup", stay.workgroup);
  visit("begin_cycle", stay.begin_cycle);
  visit("end_cycle", stay.end_cycle);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const WorkgroupStays&, T& stays) {
  visit("kept", stays.kept);
  visit("left_out", stays.left_out);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const Transfer&, T& transfer) {
  visit("kind", transfer.kind);
  visit("stream_id", transfer.stream_id);
  visit("bytes", transfer.bytes);
  visit("begin_ns", transfer.begin_ns);
  visit("end_ns", transfer.end_ns);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const Repeats&, T& r) {
  visit("count", r.count);
  visit("dispatch_step", r.dispatch_step);
  visit("first_ns", r.first_ns);
  visit("step_ns", r.step_ns);
  visit("process_id", r.process_id);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const Merged&, T& m) {
  visit("id", m.id);
  visit("timed", m.timed);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const MergedLaunch&, T& l) {
  visit("dispatch_id", l.dispatch_id);
  visit("stream_id", l.stream_id);
  visit("begin_ns", l.begin_ns);
  visit("end_ns", l.end_ns);
  visit("cycles", l.cycles);
  visit("counters", l.counters);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const WhatIf&, T& w) {
  visit("change", w.change);
  visit("cycles", w.cycles);
  visit("problem", w.problem);
}

template <class Visit, class T>
void visit_fields(Visit&& visit, const LaunchProfile&, T& l) {
  visit("kernel_name", l.kernel_name);
  visit("mangled_name", l.mangled_name);
  visit("device", l.device);
  visit("dispatch_id", l.dispatch_id);
  visit("stream_id", l.stream_id);
  visit("grid_work_items", l.grid_work_items);
  visit("workgroup_work_items", l.workgroup_work_items);
  visit("vgprs", l.vgprs);
  visit("agprs", l.agprs);
  visit("sgprs", l.sgprs);
  visit("lds_bytes", l.lds_bytes);
  visit("scratch_bytes_per_lane", l.scratch_bytes_per_lane);
  visit("timed_before", l.timed_before);
  if (l.timed_before) visit("repeats", l.repeats);
  visit("merged", l.merged);
  visit("begin_ns", l.begin_ns);
  visit("end_ns", l.end_ns);
  visit("engine_clock_mhz", l.engine_clock_mhz);
  visit("cycles", l.cycles);
  visit("launch_cycles", l.launch_cycles);
  visit("write_back_cycles", l.write_back_cycles);
  visit("tail_cycles", l.tail_cycles);
  visit("wave_slots", l.wave_slots);
  visit("cycles_by_reason", l.cycles_by_reason);
  visit("dispatch_slot_cycles", l.dispatch_slot_cycles);
  visit("waves", l.waves);
  visit("occupancy", l.occupancy);
  visit("units", l.units);
  visit("levels", l.levels);
  visit("arrays", l.arrays);
  visit("operations", l.operations);
  visit("counters", l.counters);
  visit("instructions", l.instructions);
  visit("sampling", l.sampling);
  visit("evidence_percent", l.evidence_percent);
  visit("what_if", l.what_if);
  visit("not_repeatable", l.not_repeatable);
  visit("trace", l.trace);
  visit("stays", l.stays);
}

}  // namespace wavetank::profile
