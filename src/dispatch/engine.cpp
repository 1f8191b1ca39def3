#include "dispatch/engine.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "dispatch/apertures.hpp"
#include "dispatch/failure.hpp"
#include "dispatch/fault_guard.hpp"
#include "dispatch/grid_run.hpp"
#include "dispatch/launch_memory.hpp"
#include "dispatch/limits.hpp"
#include "dispatch/listened_plan.hpp"
#include "dispatch/program_cache.hpp"
#include "dispatch/stepped_grid.hpp"
#include "dispatch/stepped_text.hpp"
#include "dispatch/worker_pool.hpp"
#include "execute/handlers.hpp"
#include "machine/listener.hpp"
#include "number/host_float.hpp"

namespace wavetank::dispatch {
namespace {

/// Scratch for calls whose depth the compiler cannot know, beyond what the kernel states.
constexpr std::uint32_t kDynamicStackBytesPerLane = 16384;
/// A launch that takes longer on one thread is worth the waking of others.
constexpr std::chrono::microseconds kWorthHelpers{30};
/// With a dword each, such a launch writes 16 MiB: more than a host core's caches keep until it
/// ends.
constexpr std::uint64_t kManyWorkItems = std::uint64_t{1} << 22;

/// Host time scaled to the device's clocks; what s_memtime reads outside of timed runs.
class HostClock final : public machine::Clock {
 public:
  HostClock(double engine_mhz, double reference_hz)
      : cycles_per_ns_(engine_mhz / 1e3), reference_per_ns_(reference_hz / 1e9) {}
  std::uint64_t cycles() override { return scaled(cycles_per_ns_); }
  std::uint64_t reference() override { return scaled(reference_per_ns_); }

 private:
  static std::uint64_t scaled(double per_ns) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const auto ns = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    return static_cast<std::uint64_t>(static_cast<double>(ns) * per_ns);
  }
  double cycles_per_ns_;
  double reference_per_ns_;
};

/// The AQL kernel dispatch packet (HSA, "Kernel Dispatch Packet") that dispatch_ptr points at.
struct DispatchPacket {
  std::uint16_t header, setup, workgroup_size[3], reserved0;
  std::uint32_t grid_size[3], private_segment_bytes, group_segment_bytes;
  std::uint64_t kernel_object, kernarg_address, reserved1, completion_signal;
};
static_assert(sizeof(DispatchPacket) == 64);

DispatchPacket make_packet(const Launch& launch, std::uint32_t scratch_bytes) {
  const Dim3 group = launch.workgroup_work_items, grid = launch.grid_work_items;
  DispatchPacket packet{};
  packet.header = 2;  // kernel dispatch
  packet.setup = 3;   // dimensions
  packet.workgroup_size[0] = static_cast<std::uint16_t>(group.x);
  packet.workgroup_size[1] = static_cast<std::uint16_t>(group.y);
  packet.workgroup_size[2] = static_cast<std::uint16_t>(group.z);
  packet.grid_size[0] = grid.x;
  packet.grid_size[1] = grid.y;
  packet.grid_size[2] = grid.z;
  packet.private_segment_bytes = scratch_bytes;
  packet.group_segment_bytes = launch.lds_bytes();
  packet.kernel_object =
      reinterpret_cast<std::uint64_t>(launch.code->address_of(launch.kernel->descriptor_address));
  packet.kernarg_address = reinterpret_cast<std::uint64_t>(launch.kernarg);
  return packet;
}

}  // namespace

/// Device-visible memory of the engine that launches borrow.
struct Engine::State {
  State(const target::Device& d, machine::DeviceMemory& m, EngineOptions o)
      : device(d),
        memory(m),
        options(std::move(o)),
        pool(options.worker_threads != 0 ? options.worker_threads
                                         : std::max(1u, std::thread::hardware_concurrency())),
        programs(*d.target, loaded_code),
        clock(d.engine_clock_mhz, d.timestamp_hz),
        run_memory(m, machine::MemoryUser::kWorkers, options.device_ordinal),
        stepped_memory(m, machine::MemoryUser::kLaunches, options.device_ordinal) {}

  /// An arena that no other launch uses, which gives it back.
  std::unique_ptr<GroupArena> borrow_arena() {
    const std::lock_guard lock(mutex);
    if (free_arenas.empty()) return std::make_unique<GroupArena>();
    auto arena = std::move(free_arenas.back());
    free_arenas.pop_back();
    return arena;
  }
  void give_back(std::unique_ptr<GroupArena> arena) {
    const std::lock_guard lock(mutex);
    free_arenas.push_back(std::move(arena));
  }

  /// True for the first time that somebody asks for this instruction.
  bool is_first_warning(std::uint64_t address) {
    const std::lock_guard lock(mutex);
    return warned_of.insert(address).second;
  }

  target::Device device;
  machine::DeviceMemory& memory;
  EngineOptions options;
  const std::shared_ptr<KnownLines> source_lines =
      options.source_lines ? std::make_shared<KnownLines>(options.source_lines) : nullptr;
  WorkerPool pool;
  LoadedCode loaded_code;
  ProgramCache programs;
  HostClock clock;
  LaunchMemory run_memory, stepped_memory;
  std::mutex mutex;  ///< guards the arenas and warned_of
  std::vector<std::unique_ptr<GroupArena>> free_arenas;
  std::set<std::uint64_t> warned_of;  ///< addresses of instructions
};

Engine::Engine(const target::Device& device, machine::DeviceMemory& memory, EngineOptions options)
    : state_(std::make_unique<State>(device, memory, std::move(options))) {}
Engine::~Engine() = default;

const target::Device& Engine::device() const { return state_->device; }
LoadedCode& Engine::loaded_code() { return state_->loaded_code; }

Result<void> Engine::check(const Launch& launch) const {
  return check_launch(state_->device, launch);
}

unsigned Engine::workgroups_per_cu(const code_object::Kernel& kernel,
                                   std::uint32_t workgroup_work_items,
                                   std::uint32_t dynamic_lds_bytes) const {
  return dispatch::workgroups_per_cu(state_->device, kernel, workgroup_work_items,
                                     dynamic_lds_bytes);
}

namespace {

GroupShape shape_of(const target::Device& device, const Launch& launch) {
  const code_object::Kernel& kernel = *launch.kernel;
  GroupShape shape;
  shape.waves = static_cast<std::uint32_t>((launch.workgroup_work_items.count() + 63) / 64);
  shape.vgprs = kernel.descriptor.vgpr_count;
  shape.accum_offset = kernel.descriptor.accum_offset;
  shape.lds_bytes = device.allocated_lds_bytes(launch.lds_bytes());
  shape.scratch_bytes_per_lane = kernel.private_segment_bytes;
  if (kernel.uses_dynamic_stack) shape.scratch_bytes_per_lane += kDynamicStackBytesPerLane;
  return shape;
}

Dim3 groups_of(const Launch& launch) {
  const auto groups = [](std::uint32_t total, std::uint32_t one) {
    return (total + one - 1) / one;
  };
  const Dim3 grid = launch.grid_work_items, group = launch.workgroup_work_items;
  return {groups(grid.x, group.x), groups(grid.y, group.y), groups(grid.z, group.z)};
}

/// Sets the memory limits that all waves of a launch see.
void describe_memory(machine::Environment& environment, const machine::DeviceMemory& memory) {
  environment.memory = &memory;
  environment.arena_begin = memory.arena_begin();
  environment.arena_size_bytes = memory.arena_end() - memory.arena_begin();
  environment.shared_aperture = kSharedAperture;
  environment.private_aperture = kPrivateAperture;
}

/// amd_queue_t as far as kernels read it: the apertures' upper halves (hsa/amd_hsa_queue.h).
void fill_queue(std::byte* queue) {
  const auto high = [](std::uint64_t aperture) {
    return static_cast<std::uint32_t>(aperture >> 32);
  };
  const std::uint32_t apertures[2] = {high(kSharedAperture), high(kPrivateAperture)};
  std::memset(queue, 0, 256);
  std::memcpy(queue + 64, apertures, sizeof apertures);
}

}  // namespace

/// A launch with all that its run needs, and the device memory that it borrowed.
class PreparedLaunch {
 public:
  PreparedLaunch(Engine::State& state, const Launch& launch, LaunchMemory& memory)
      : state_(state), launch_(launch), blocks_(memory), worker_blocks_(state.run_memory) {}
  ~PreparedLaunch() { report_warnings(); }
  PreparedLaunch(const PreparedLaunch&) = delete;
  PreparedLaunch& operator=(const PreparedLaunch&) = delete;

  /// Errors: what translation finds, no memory.
  Result<void> prepare(unsigned workgroups_per_cu);
  /// Runs workgroups [first, last) on the worker threads.
  Result<void> run_part(std::uint64_t first, std::uint64_t last);
  void report_standstill(const ResidentGroup& group, const machine::Wave& wave, bool alone) const;

  GridPlan plan;
  machine::Environment environment;

 private:
  std::vector<execute::PlacedEdge> placed_edges() const;

  /// True for a launch that is long by the kernel's last one, or the kernel's first.
  bool is_worth_helpers(std::uint64_t groups) const {
    const std::uint64_t group_ns = kernel_->group_ns.load(std::memory_order_relaxed);
    return group_ns == 0 || groups > std::chrono::nanoseconds(kWorthHelpers).count() / group_ns;
  }
  void report_warnings() const;

  Engine::State& state_;
  const Launch& launch_;
  std::shared_ptr<TranslatedKernel> kernel_;
  BorrowedBlocks blocks_, worker_blocks_;
};

Result<void> PreparedLaunch::prepare(unsigned workgroups_per_cu) {
  auto kernel = state_.programs.kernel_of(launch_);
  if (!kernel) return tl::unexpected(kernel.error());
  kernel_ = *kernel;
  take_faults();
  const std::shared_ptr<execute::Program>& program = kernel_->program;
  describe_memory(environment, state_.memory);
  environment.clock = &state_.clock;
  plan.launch = &launch_;
  plan.program = program;
  plan.loaded_code = &state_.loaded_code;
  plan.shape = shape_of(state_.device, launch_);
  plan.groups = groups_of(launch_);
  environment.gws_total = static_cast<std::uint32_t>(plan.groups.count());
  environment.writes_past_cache = launch_.grid_work_items.count() >= kManyWorkItems;
  const machine::Mode mode{launch_.kernel->descriptor.initial_mode()};
  auto entry = program->in_mode(program->entry(), mode, plan.start_program);
  if (!entry) return tl::unexpected(entry.error());
  plan.entry = *entry;
  plan.resident_limit = std::uint64_t{workgroups_per_cu} * state_.device.compute_units;
  plan.host_service = state_.options.host_service;
  plan.source_lines = state_.source_lines;
  plan.allocate_scratch = [this](std::size_t bytes) { return blocks_.borrow(bytes); };
  std::byte* const control = blocks_.borrow(4096);
  if (control == nullptr) {
    return fail(ErrorCode::kOutOfMemory, "no device memory is left for a launch");
  }
  const DispatchPacket packet = make_packet(launch_, plan.shape.scratch_bytes_per_lane);
  std::memcpy(control, &packet, sizeof packet);
  fill_queue(control + 1024);
  plan.start = WaveStart({.descriptor = &launch_.kernel->descriptor,
                          .target = program->spec().target,
                          .kernarg = launch_.kernarg,
                          .dispatch_packet = control,
                          .queue = control + 1024,
                          .dispatch_id = launch_.dispatch_id,
                          .scratch_bytes_per_lane = plan.shape.scratch_bytes_per_lane,
                          .workgroup_size = launch_.workgroup_work_items});
  return {};
}

/// The listener's edges at their addresses.
std::vector<execute::PlacedEdge> PreparedLaunch::placed_edges() const {
  const std::uint64_t entry = launch_.entry_address();
  std::vector<execute::PlacedEdge> placed;
  for (const machine::Edge& edge : environment.listener->edges()) {
    if (edge.kernel == launch_.kernel->name)
      placed.push_back({entry + edge.offset_bytes, edge.kind});
  }
  return placed;
}

Result<void> PreparedLaunch::run_part(std::uint64_t first, std::uint64_t last) {
  // Empty kernels are launched to see what a launch costs, with grids of all sizes.
  if (plan.program->does_nothing()) return {};
  GridPlan part = plan;
  // Of a sampled launch these are the workgroups that the model does not see.
  part.allocate_scratch = [this](std::size_t bytes) { return worker_blocks_.borrow(bytes); };
  if (environment.listener != nullptr) {
    auto entry =
        plan.start_program->listened(plan.entry, environment.listener->wants_every_instruction(),
                                     placed_edges(), part.start_program);
    if (!entry) return tl::unexpected(entry.error());
    part.entry = *entry;
  } else {
    part.entry =
        plan.start_program->with_blocks(plan.entry, execute::Compiled::kChains, part.start_program);
  }
  part.first_group = first;
  part.end_group = last;
  const std::uint64_t groups = last - first;
  const bool alone = environment.listener != nullptr && environment.listener->wants_one_thread();
  const auto workers =
      alone ? 1u : static_cast<unsigned>(std::min<std::uint64_t>(state_.pool.threads(), groups));
  GridRun grid(part, environment, workers,
               [this](const ResidentGroup& group, const machine::Wave& wave) {
                 report_standstill(group, wave, false);
               });
  const std::function<void()> help = [&] { grid.work(); };
  Team team(state_.pool, workers - 1, help);
  const auto begin = std::chrono::steady_clock::now();
  if (is_worth_helpers(groups)) team.call_helpers();
  grid.lead(begin + kWorthHelpers, [&] { team.call_helpers(); });
  const unsigned helpers = team.finish();
  const auto spent = std::chrono::steady_clock::now() - begin;
  kernel_->note_group(static_cast<std::uint64_t>(spent / std::chrono::nanoseconds(1)) *
                      (helpers + 1) / groups);
  if (grid.error()) return tl::unexpected(*grid.error());
  return {};
}

void PreparedLaunch::report_warnings() const {
  const std::uint64_t address = environment.dropped_at.load();
  if (address == 0 || !state_.options.report_warning || !state_.is_first_warning(address)) return;
  state_.options.report_warning(describe_dropped_atomic(plan, address));
}

void PreparedLaunch::report_standstill(const ResidentGroup& group, const machine::Wave& wave,
                                       bool alone) const {
  if (state_.options.report_warning)
    state_.options.report_warning(describe_standstill(plan, group, wave, alone));
}

Result<std::vector<std::byte>> Engine::arguments_that_count(const Launch& launch) {
  if (launch.kernarg == nullptr) return std::vector<std::byte>();
  const auto kernel = state_->programs.kernel_of(launch);
  if (!kernel) return tl::unexpected(kernel.error());
  const std::vector<std::uint8_t>& used = (*kernel)->used_argument_bits(*launch.kernel);
  std::vector<std::byte> arguments(launch.kernarg, launch.kernarg + used.size());
  for (std::size_t i = 0; i < used.size(); ++i) arguments[i] &= std::byte{used[i]};
  return arguments;
}

Result<void> Engine::run(const Launch& launch) { return run_listened(launch, nullptr); }

Result<void> Engine::run_listened(const Launch& launch, const MakeListener& make) {
  if (auto fine = check(launch); !fine) return fine;
  PreparedLaunch prepared(*state_, launch, state_->run_memory);
  if (auto done = prepared.prepare(groups_that_fit(launch)); !done) return done;
  if (make) prepared.environment.listener = make(listened_launch(prepared.plan));
  return prepared.run_part(0, prepared.plan.groups.count());
}

Result<std::vector<SteppedInstruction>> Engine::run_stepped(const Launch& launch,
                                                            const StepDriver& driver) {
  if (auto fine = check(launch); !fine) return tl::unexpected(fine.error());
  PreparedLaunch prepared(*state_, launch, state_->stepped_memory);
  if (auto done = prepared.prepare(groups_that_fit(launch)); !done) {
    return tl::unexpected(done.error());
  }
  const number::HostFloatDefaults float_defaults;
  GridPlan plan = prepared.plan;
  plan.entry = prepared.plan.start_program->with_blocks(plan.entry, execute::Compiled::kStretches,
                                                        plan.start_program);
  const auto give_back = [this](GroupArena* arena) {
    state_->give_back(std::unique_ptr<GroupArena>(arena));
  };
  const std::unique_ptr<GroupArena, decltype(give_back)> arena(state_->borrow_arena().release(),
                                                               give_back);
  SteppedGrid grid(
      plan, prepared.environment, state_->pool, *arena,
      [&](std::uint64_t first, std::uint64_t last) {
        prepared.environment.clock = &state_->clock;
        auto done = prepared.run_part(first, last);
        return done;
      },
      [&](const ResidentGroup& group, const machine::Wave& wave) {
        prepared.report_standstill(group, wave, true);
      });
  if (auto done = driver(grid); !done) return tl::unexpected(done.error());
  std::vector<std::uint64_t> addresses;
  for (const auto& facts : grid.table().seen()) {
    addresses.push_back(grid.table().address_of(*facts));
  }
  return describe_instructions(prepared.plan, addresses);
}

unsigned Engine::groups_that_fit(const Launch& launch) const {
  return workgroups_per_cu(*launch.kernel,
                           static_cast<std::uint32_t>(launch.workgroup_work_items.count()),
                           launch.dynamic_lds_bytes);
}

}  // namespace wavetank::dispatch
