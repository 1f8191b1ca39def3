#include "timing/device_model.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "timing/describe.hpp"

namespace wavetank::timing {
namespace {

/// CUs run this many cycles before the next one has its turn: what one does to memory is seen by
/// another at most this much too early or too late.
constexpr std::uint64_t kWindowCycles = 128;
constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Two CUs of a shader engine share an SQC; an odd one out has its own.
unsigned shared_caches_of_engine(unsigned units, unsigned per_cache) {
  return (units + per_cache - 1) / per_cache;
}

}  // namespace

Result<std::unique_ptr<DeviceModel>> DeviceModel::make(const target::Device& device) {
  auto spec = TimingSpec::of(device);
  if (!spec) return tl::unexpected(spec.error());
  return std::unique_ptr<DeviceModel>(new DeviceModel(*spec));
}

DeviceModel::DeviceModel(const TimingSpec& spec)
    : spec_(spec), memory_(spec_), dispatcher_(spec_, units_), queue_(spec_.launch) {
  const unsigned engines = spec_.shader_engines;
  std::vector<unsigned> units_of_engine(engines);
  for (std::uint32_t cu = 0; cu < spec_.compute_units; ++cu) {
    ++units_of_engine[dispatcher_.engine_of(cu)];
  }
  std::vector<unsigned> first_cache(engines);
  for (unsigned engine = 0; engine < engines; ++engine) {
    first_cache[engine] = static_cast<unsigned>(caches_.size());
    const unsigned xcd = engine / dispatcher_.engines_per_xcd();
    const unsigned count =
        shared_caches_of_engine(units_of_engine[engine], spec_.smem.units_per_cache);
    for (unsigned i = 0; i < count; ++i) {
      caches_.push_back(std::make_unique<SharedCaches>(spec_, memory_, xcd));
    }
  }
  std::vector<unsigned> seen(engines);
  units_.reserve(spec_.compute_units);
  for (std::uint32_t cu = 0; cu < spec_.compute_units; ++cu) {
    const unsigned engine = dispatcher_.engine_of(cu);
    const unsigned cache = first_cache[engine] + seen[engine]++ / spec_.smem.units_per_cache;
    units_.emplace_back(spec_, memory_, *caches_[cache], dispatcher_.xcd_of(cu), cu);
  }
}

DeviceModel::~DeviceModel() = default;

void DeviceModel::room_at(std::uint32_t cu, std::uint64_t time) {
  // Only this CU has changed: if it still has no room, none has.
  if (!units_[cu].has_room(dispatcher_.waves_per_group())) return;
  const auto again = time + static_cast<std::uint64_t>(spec_.dispatch.release_latency);
  if (error_) return;
  if (auto done = dispatcher_.dispatch(dispatcher_.xcd_of(cu), again); !done) {
    error_ = done.error();
  }
}

void DeviceModel::group_ended(GroupContext& group, std::uint64_t time) {
  dispatcher_.ended(group);
  if (dispatcher_.stopped() || !sampler_.ends_interval()) return;
  std::uint64_t instructions = 0;
  for (const ComputeUnit& unit : units_) {
    instructions += unit.counters()[CuCounter::kSqInsts];
  }
  const auto traffic = memory_.traffic();
  if (sampler_.interval_ended(time, instructions, traffic.l2_written + traffic.fabric_read)) {
    dispatcher_.stop();
  }
}

void DeviceModel::at_global_barrier(std::uint32_t cu, unsigned simd, unsigned slot,
                                    std::uint64_t time) {
  at_global_barrier_.push_back({cu, simd, slot});
  global_barrier_time_ = std::max(global_barrier_time_, time);
}

Result<void> DeviceModel::open_global_barrier() {
  if (at_global_barrier_.empty() || at_global_barrier_.size() < source_->workgroups()) return {};
  const std::vector<Waiting> waiting = std::move(at_global_barrier_);
  at_global_barrier_.clear();
  for (const Waiting& wave : waiting) {
    auto done = units_[wave.cu].pass_global_barrier(wave.simd, wave.slot, global_barrier_time_);
    if (!done) return done;
  }
  return {};
}

Result<void> DeviceModel::run_launch() {
  for (unsigned xcd = 0; xcd < spec_.xcds; ++xcd) {
    if (auto done = dispatcher_.dispatch(xcd, 0); !done) return done;
  }
  while (dispatcher_.active() != 0) {
    std::uint64_t next = kNever;
    for (const ComputeUnit& unit : units_) next = std::min(next, unit.next_event());
    if (next == kNever) {
      return fail(ErrorCode::kDeadlock,
                  fmt::format("{} of {} workgroups wait for each other and none can go on",
                              dispatcher_.active(), source_->workgroups()));
    }
    const std::uint64_t end = (next / kWindowCycles + 1) * kWindowCycles;
    for (ComputeUnit& unit : units_) {
      if (unit.next_event() >= end) continue;
      if (auto done = unit.run(end); !done) return done;
    }
    if (error_) return tl::unexpected(*error_);
    if (auto done = open_global_barrier(); !done) return done;
  }
  end_cycle_ = 0;
  for (const ComputeUnit& unit : units_) end_cycle_ = std::max(end_cycle_, unit.last_end());
  end_cycle_ = memory_.end_of_kernel(end_cycle_);
  return dispatcher_.for_rest([&](std::uint64_t first, std::uint64_t last) {
    return source_->run_functionally(first, last);
  });
}

Result<profile::LaunchProfile> DeviceModel::simulate(machine::GridSource& source,
                                                     const LaunchSetup& setup) {
  source_ = &source;
  error_.reset();
  at_global_barrier_.clear();
  global_barrier_time_ = 0;
  const double begin_cycle = queue_.next_start_ns() * spec_.clock_mhz / 1e3;
  memory_.start_launch();
  for (auto& caches : caches_) {
    caches->scalar.start_launch();
    caches->instruction.continue_launch();
    caches->counters.clear();
  }
  GroupShape shape;
  const target::Occupancy& fits = setup.occupancy;
  shape.waves_per_simd =
      std::min({fits.limit(target::Limiter::kVgpr).waves_per_simd,
                fits.limit(target::Limiter::kSgpr).waves_per_simd, spec_.slots_per_simd});
  shape.groups_by_lds = fits.limit(target::Limiter::kLds).workgroups_per_cu;
  shape.groups_by_barriers = fits.limit(target::Limiter::kBarriers).workgroups_per_cu;
  shape.code_base = setup.code_base;
  for (ComputeUnit& unit : units_) unit.start_launch(shape, *this, begin_cycle);
  dispatcher_.start_launch(source, setup.waves_per_group);
  sampler_.start_launch(source.workgroups(),
                        std::uint64_t{fits.workgroups_per_cu} * spec_.compute_units,
                        std::uint64_t{spec_.l2.bytes} * spec_.xcds,
                        !setup.exact && !setup.cooperative && !setup.trace);
  profile::LaunchProfile result;
  if (setup.trace && setup.trace_cu < units_.size()) {
    units_[setup.trace_cu].trace_into(&result.trace);
  }
  if (auto done = run_launch(); !done) return tl::unexpected(done.error());
  describe(setup, result);
  if (result.sampling.sampled) {
    const auto traffic = memory_.traffic();
    const auto seen = static_cast<double>(result.sampling.simulated_workgroups);
    const double unseen = static_cast<double>(result.sampling.workgroups) / seen - 1;
    memory_.pass_unseen(unseen * (traffic.l2_written + traffic.fabric_read),
                        unseen * (traffic.fabric_read + traffic.fabric_written));
  }
  result.begin_ns = static_cast<std::uint64_t>(queue_.now_ns());
  result.end_ns = repeat(result.cycles);
  return result;
}

std::uint64_t DeviceModel::overhead_cycles() const {
  return static_cast<std::uint64_t>(std::llround(queue_.overhead_ns() * spec_.clock_mhz / 1e3));
}

std::uint64_t DeviceModel::repeat(std::uint64_t cycles) {
  queue_.run(static_cast<double>(cycles - overhead_cycles()) * 1e3 / spec_.clock_mhz);
  return static_cast<std::uint64_t>(queue_.now_ns());
}

void DeviceModel::describe(const LaunchSetup& setup, profile::LaunchProfile& profile) const {
  LaunchFacts facts{spec_, units_, caches_, memory_, dispatcher_, sampler_, end_cycle_};
  facts.overhead_cycles = overhead_cycles();
  facts.workgroups = source_->workgroups();
  describe_launch(facts, profile);
  profile.occupancy.waves_per_simd_limit = setup.occupancy.waves_per_simd;
  profile.occupancy.wave_slots_per_simd = spec_.slots_per_simd;
  profile.occupancy.limited_by = std::string(target::to_text(setup.occupancy.limiter));
}

void DeviceModel::pass_transfer(std::uint64_t bytes, bool over_host_link) {
  // PCIe 4.0 x16 carries about 25 GB/s; inside the device a copy reads and writes memory.
  constexpr double kHostLinkBytesPerNs = 25.0;
  const double inside =
      spec_.hbm.peak_bytes_per_cycle * spec_.hbm.read_efficiency * spec_.clock_mhz / 1e3 / 2;
  queue_.pass(spec_.launch.start_ns +
              static_cast<double>(bytes) / (over_host_link ? kHostLinkBytesPerNs : inside));
}

}  // namespace wavetank::timing
