#include "hip/runtime/timed/timed_device.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/source_access.hpp"
#include "code_object/symbol_name.hpp"
#include "dispatch/resources.hpp"
#include "hip/runtime/run_watch.hpp"
#include "hip/runtime/timed/alone_grid.hpp"
#include "hip/runtime/timed/array_names.hpp"
#include "hip/runtime/timed/watched_grid.hpp"
#include "target/clocks.hpp"
#include "timing/evidence.hpp"

namespace wavetank::hip {
namespace {

using code_object::demangled;

/// Two launches with the same key do the same work, at the same cost of launching: kernel, shape
/// and what counts of the arguments. Hidden arguments hold addresses of a launch's own records; the
/// explicit ones say it all.
std::string key_of(const dispatch::Launch& launch, const std::vector<std::byte>& arguments,
                   std::uint64_t overhead_cycles) {
  const auto raw = [](const auto& value) {
    return std::string(reinterpret_cast<const char*>(&value), sizeof value);
  };
  std::string key = raw(overhead_cycles) + raw(launch.kernel) + raw(launch.grid_work_items) +
                    raw(launch.workgroup_work_items) + raw(launch.dynamic_lds_bytes);
  return key.append(reinterpret_cast<const char*>(arguments.data()), arguments.size());
}

/// Bytes from the first of the segment that holds the kernel's code to its first instruction.
std::uint64_t entry_offset_bytes(const dispatch::Launch& launch) {
  const std::uint64_t entry = launch.kernel->entry_address;
  for (const code_object::Segment& segment : launch.code->object.segments) {
    if (entry - segment.address < segment.memory_size_bytes) return entry - segment.address;
  }
  return 0;
}

/// The launch's own facts, as rocprofv3 prints them.
void name_launch(const target::Device& device, const dispatch::Launch& launch,
                 profile::LaunchProfile& profile) {
  const code_object::Kernel& kernel = *launch.kernel;
  profile.mangled_name = kernel.name;
  profile.kernel_name = demangled(kernel.name);
  profile.device = device.name;
  profile.dispatch_id = launch.dispatch_id + 1;
  profile.grid_work_items = launch.grid_work_items;
  profile.workgroup_work_items = launch.workgroup_work_items;
  profile.vgprs = kernel.descriptor.accum_offset;
  profile.agprs = kernel.descriptor.vgpr_count > kernel.descriptor.accum_offset
                      ? kernel.descriptor.vgpr_count - kernel.descriptor.accum_offset
                      : 0;
  const std::uint32_t granule = device.sgpr_granule;
  profile.sgprs = (kernel.sgpr_count + granule - 1) / granule * granule;
  profile.lds_bytes = device.allocated_lds_bytes(launch.lds_bytes());
  profile.scratch_bytes_per_lane = kernel.private_segment_bytes;
}

void name_instructions(const std::vector<dispatch::SteppedInstruction>& texts,
                       profile::LaunchProfile& profile) {
  profile.instructions.resize(texts.size());
  SourceText source;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    profile.instructions[i].offset = texts[i].offset_bytes;
    profile.instructions[i].virtual_address = texts[i].virtual_address;
    profile.instructions[i].text = texts[i].text;
    profile.instructions[i].row = texts[i].row;
    profile.instructions[i].file = texts[i].source.file;
    profile.instructions[i].line = texts[i].source.line;
    const bool accesses =
        texts[i].row != nullptr && texts[i].row->memory.action != isa::MemoryAction::kNone;
    const std::string* const line = accesses ? source.line_of(texts[i].source) : nullptr;
    if (line != nullptr) {
      profile.instructions[i].access = source_access(*line, texts[i].source.column);
    }
  }
}

bool reads_clock(const profile::LaunchProfile& profile) {
  return std::ranges::any_of(profile.instructions, [](const profile::InstructionProfile& one) {
    return one.row != nullptr && isa::reads_clock(one.row->memory.special);
  });
}

/// Puts the instructions into the order of their places, seen from the kernel's entry; the trace
/// refers to them by number.
void sort_instructions(profile::LaunchProfile& profile) {
  std::vector<std::uint32_t> order(profile.instructions.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return static_cast<std::int64_t>(profile.instructions[a].offset) <
           static_cast<std::int64_t>(profile.instructions[b].offset);
  });
  std::vector<profile::InstructionProfile> sorted;
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(profile.instructions[order[i]]));
  }
  profile.instructions = std::move(sorted);
  for (profile::TraceIssue& issue : profile.trace.issues) {
    issue.instruction = place[issue.instruction];
  }
}

}  // namespace

Result<std::unique_ptr<TimedDevice>> TimedDevice::make(const target::Device& device,
                                                       const machine::DeviceMemory& memory,
                                                       const TimingSettings& settings) {
  const Result<target::Device> modelled =
      settings.sustained_clock ? target::at_sustained_clock(device) : device;
  if (!modelled) return tl::unexpected(modelled.error());
  auto model = timing::DeviceModel::make(*modelled);
  if (!model) return tl::unexpected(model.error());
  return std::unique_ptr<TimedDevice>(
      new TimedDevice(device, *modelled, memory, settings, std::move(*model)));
}

std::uint64_t TimedDevice::now_ns() { return now_ns_.load(std::memory_order_acquire); }

Result<void> TimedDevice::pass_transfer(profile::Transfer transfer, bool over_host_link) {
  const std::lock_guard lock(mutex_);
  transfer.begin_ns = static_cast<std::uint64_t>(model_->now_ns());
  model_->pass_transfer(transfer.bytes, over_host_link);
  if (over_host_link) last_ = {};
  now_ns_ = transfer.end_ns = static_cast<std::uint64_t>(model_->now_ns());
  const std::lock_guard log_lock(log_mutex_);
  return log_.add(transfer);
}

bool TimedDevice::is_traced(const dispatch::Launch& launch) const {
  if (settings_.trace_kernel.empty()) return false;
  return demangled(launch.kernel->name).find(settings_.trace_kernel) != std::string::npos;
}

Result<timing::Scenario> TimedDevice::scenario_of(const dispatch::Launch& launch) const {
  const auto work_items = static_cast<std::uint32_t>(launch.workgroup_work_items.count());
  timing::Scenario scenario{
      .device = modelled_,
      .resources = dispatch::resources_of(*launch.kernel, work_items, launch.dynamic_lds_bytes),
      .spec = model_->spec(),
      .setup = {}};
  const auto fits = target::occupancy(device_, scenario.resources);
  if (!fits) return tl::unexpected(fits.error());
  timing::LaunchSetup& setup = scenario.setup;
  setup.waves_per_group = (work_items + target::kWaveSize - 1) / target::kWaveSize;
  setup.grid_in_rows = launch.grid_work_items.y > launch.workgroup_work_items.y ||
                       launch.grid_work_items.z > launch.workgroup_work_items.z;
  setup.occupancy = *fits;
  setup.code_base = reinterpret_cast<std::uint64_t>(launch.code->base);
  setup.entry_offset_bytes = entry_offset_bytes(launch);
  setup.kernarg_begin = reinterpret_cast<std::uint64_t>(launch.kernarg);
  setup.kernarg_bytes = launch.kernel->kernarg_size_bytes;
  setup.exact = settings_.exact;
  setup.cooperative = launch.cooperative;
  setup.trace = is_traced(launch);
  setup.trace_cu = settings_.trace_cu;
  setup.arrays = array_ranges(launch, memory_);
  return scenario;
}

std::string TimedDevice::time_again(machine::GridSource& source, const timing::Scenario& scenario,
                                    std::string_view question) {
  const auto asked = WhatIfQuestion::parse(question);
  timing::Scenario same = scenario;
  same.setup.sampled_workgroups = asked.sampled_workgroups;
  same.setup.rest_ratio = asked.rest_ratio;
  const auto changed = timing::changed(std::move(same), asked.change);
  if (!changed) return changed.error().message;
  AloneGrid alone(source, asked.threads);
  // Never destroyed: the process ends when it has answered, and freeing copies what it frees.
  timing::DeviceModel* const other = std::move(*model_).with(changed->spec).release();
  const auto result = other->simulate(alone, changed->setup);
  return result ? std::to_string(result->cycles) : result.error().message;
}

Result<profile::LaunchProfile> TimedDevice::simulate(dispatch::Engine& engine,
                                                     const dispatch::Launch& launch, Saved* saved) {
  const auto scenario = scenario_of(launch);
  if (!scenario) return tl::unexpected(scenario.error());
  profile::LaunchProfile result;
  auto texts = engine.run_stepped(launch, [&](machine::GridSource& source) -> Result<void> {
    if (saved != nullptr && saved->why_not.empty()) {
      saved->launch = SavedLaunch::save(
          [&](std::string_view question) { return time_again(source, *scenario, question); });
      if (saved->launch == nullptr) saved->why_not = "the host had no process left to keep it in";
    }
    RunWatch::Work work(demangled(launch.kernel->name), "workgroups", source.workgroups());
    WatchedGrid watched(source, work);
    auto simulated = model_->simulate(watched, scenario->setup);
    if (!simulated) return tl::unexpected(simulated.error());
    result = std::move(*simulated);
    return {};
  });
  if (!texts) return tl::unexpected(texts.error());
  name_launch(device_, launch, result);
  name_instructions(*texts, result);
  sort_instructions(result);
  name_arrays(launch, memory_, result);
  result.evidence_percent = timing::evidence_of_waiting(result, device_);
  return result;
}

Result<void> TimedDevice::time_launch(Known& known, dispatch::Engine& engine,
                                      const dispatch::Launch& launch, std::uint64_t stream_id) {
  const double begin_ns = model_->now_ns();
  const bool is_wanted = what_ifs_.wants(launch);
  Saved saved;
  if (is_wanted) saved.why_not = what_ifs_.why_not(launch);
  auto profile = simulate(engine, launch, is_wanted ? &saved : nullptr);
  if (!profile) return tl::unexpected(profile.error());
  ++known.times;
  known.reads_clock = reads_clock(*profile);
  LastAccesses accesses(launch, *profile);
  last_.mark(accesses, *profile);
  known.accesses = last_ = std::move(accesses);
  profile->stream_id = stream_id;
  const std::lock_guard lock(log_mutex_);
  const auto result = log_.add(*profile, begin_ns, settings_.every_launch);
  if (!result) return tl::unexpected(result.error());
  known.result = *result;
  if (is_wanted) {
    what_ifs_.timed(launch, *profile, std::move(saved.launch), saved.why_not);
  } else {
    what_ifs_.passed(launch, profile->cycles);
  }
  return {};
}

Result<void> TimedDevice::add_repeat(const Known& known, const dispatch::Launch& launch,
                                     std::uint64_t stream_id) {
  const double begin_ns = model_->now_ns();
  const std::uint64_t end_ns = model_->repeat(known.result.cycles);
  const std::lock_guard lock(log_mutex_);
  what_ifs_.passed(launch, known.result.cycles);
  last_ = known.accesses;
  return log_.add_repeat(known.result, {stream_id, launch.dispatch_id + 1, begin_ns, end_ns});
}

Result<void> TimedDevice::run(dispatch::Engine& engine, const dispatch::Launch& launch,
                              std::uint64_t stream_id) {
  // The model has one clock: launches of several streams follow each other, as under a profiler.
  const std::lock_guard lock(mutex_);
  if (known_.size() >= kMostKnown) known_.clear();
  const auto arguments = engine.arguments_that_count(launch);
  if (!arguments) return tl::unexpected(arguments.error());
  Known& known = known_[key_of(launch, *arguments, model_->overhead_cycles())];
  Result<void> done;
  // The first launch finds cold caches, the second what the first left; from then on it repeats.
  const bool is_new = known.times < 2 || !profile::LaunchLog::holds(known.result);
  if (is_new || known.reads_clock || settings_.every_launch) {
    done = time_launch(known, engine, launch, stream_id);
  } else if (done = engine.run(launch); done) {
    done = add_repeat(known, launch, stream_id);
  }
  now_ns_ = static_cast<std::uint64_t>(model_->now_ns());
  return done;
}

Result<void> TimedDevice::finish() {
  const std::scoped_lock lock(mutex_, log_mutex_);
  if (auto done = log_.finish(); !done) return done;
  return what_ifs_.finish(settings_.profile_path);
}

Result<void> TimedDevice::interrupt() {
  what_ifs_.interrupt();
  const std::lock_guard lock(log_mutex_);
  return log_.finish();
}

}  // namespace wavetank::hip
