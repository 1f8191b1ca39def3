#include "timing/device_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "timing/describe.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::timing {
namespace {

/// Two CUs of a shader engine share an SQC; an odd one out has its own.
unsigned shared_caches_of_engine(unsigned units, unsigned per_cache) {
  return (units + per_cache - 1) / per_cache;
}

}  // namespace

Result<std::unique_ptr<DeviceModel>> DeviceModel::make(const target::Device& device) {
  auto spec = read_spec(device);
  if (!spec) return tl::unexpected(spec.error());
  return std::unique_ptr<DeviceModel>(new DeviceModel(*spec));
}

DeviceModel::DeviceModel(const TimingSpec& spec)
    : spec_(spec), memory_(spec_), dispatcher_(spec_, units_), queue_(spec_.launch) {
  make_units();
}

std::unique_ptr<DeviceModel> DeviceModel::with(const TimingSpec& spec) && {
  std::unique_ptr<DeviceModel> other(new DeviceModel(spec));
  other->memory_.take_contents(std::move(memory_));
  for (std::size_t i = 0; i < std::min(clusters_.size(), other->clusters_.size()); ++i) {
    other->clusters_[i].caches->instruction.take_lines(std::move(clusters_[i].caches->instruction));
  }
  other->queue_ = LaunchQueue(spec.launch, queue_);
  return other;
}

void DeviceModel::make_units() {
  const unsigned per_cache = spec_.smem.units_per_cache;
  std::vector<unsigned> units_of_engine(spec_.shader_engines);
  for (std::uint32_t cu = 0; cu < spec_.compute_units; ++cu) {
    ++units_of_engine[dispatcher_.engine_of(cu)];
  }
  std::vector<unsigned> first_cluster;
  for (unsigned engine = 0; engine < spec_.shader_engines; ++engine) {
    first_cluster.push_back(static_cast<unsigned>(clusters_.size()));
    const unsigned xcd = engine / dispatcher_.engines_per_xcd();
    for (unsigned i = 0; i < shared_caches_of_engine(units_of_engine[engine], per_cache); ++i) {
      const auto index = static_cast<std::uint32_t>(clusters_.size());
      clusters_.push_back({index, std::make_unique<SharedCaches>(spec_, xcd), {}});
    }
  }
  std::vector<unsigned> seen(spec_.shader_engines);
  for (std::uint32_t cu = 0; cu < spec_.compute_units; ++cu) {
    const unsigned engine = dispatcher_.engine_of(cu);
    UnitCluster& cluster = clusters_[first_cluster[engine] + seen[engine]++ / per_cache];
    units_.emplace_back(spec_, *cluster.caches, dispatcher_.xcd_of(cu), cu);
    cluster.units.push_back(&units_.back());
  }
}

void DeviceModel::start_launch(machine::GridSource& source, const LaunchSetup& setup) {
  memory_.start_launch({setup.kernarg_begin, setup.kernarg_bytes}, setup.arrays);
  for (UnitCluster& cluster : clusters_) cluster.caches->start_launch();
  const target::Occupancy& fits = setup.occupancy;
  GroupShape shape;
  shape.waves_per_simd =
      std::min({fits.limit(target::Limiter::kVgpr).waves_per_simd,
                fits.limit(target::Limiter::kSgpr).waves_per_simd, spec_.slots_per_simd});
  shape.groups_by_lds = fits.limit(target::Limiter::kLds).workgroups_per_cu;
  shape.groups_by_barriers = fits.limit(target::Limiter::kBarriers).workgroups_per_cu;
  shape.code_base = setup.code_base;
  const double begin_cycle = queue_.next_start_ns() * spec_.clock_mhz / 1e3;
  for (ComputeUnit& unit : units_) unit.start_launch(shape, begin_cycle);
  dispatcher_.start_launch(source, setup.waves_per_group, setup.grid_in_rows);
  sampler_.start_launch(
      source.workgroups(), std::uint64_t{fits.workgroups_per_cu} * spec_.compute_units,
      std::uint64_t{spec_.l2.bytes} * spec_.xcds,
      !setup.exact && !setup.cooperative && !setup.trace, setup.sampled_workgroups);
}

Result<profile::LaunchProfile> DeviceModel::simulate(machine::GridSource& source,
                                                     const LaunchSetup& setup) {
  start_launch(source, setup);
  profile::LaunchProfile result;
  if (setup.trace && setup.trace_cu < units_.size()) {
    units_[setup.trace_cu].trace_into(&result.trace);
  }
  LaunchRun run({spec_, units_, clusters_, memory_, dispatcher_, sampler_}, source,
                setup.rest_ratio);
  if (auto done = run.run(); !done) return tl::unexpected(done.error());
  describe(setup, run, source.workgroups(), result);
  result.sampling.rest_ratio = run.rest_ratio();
  if (result.sampling.sampled) memory_.pass_unseen(run.memory_counts().traffic);
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

void DeviceModel::describe(const LaunchSetup& setup, const LaunchRun& run, std::uint64_t workgroups,
                           profile::LaunchProfile& profile) const {
  const CycleLedger ledger = run.ledger();
  const MemoryCounts memory = run.memory_counts();
  LaunchFacts facts{spec_,       units_,   clusters_, memory,
                    dispatcher_, sampler_, ledger,    run.end_cycle()};
  facts.scale = run.scale();
  facts.overhead_cycles = overhead_cycles();
  facts.workgroups = workgroups;
  describe_launch(facts, profile);
  profile.stays = dispatcher_.stays().take();
  profile.occupancy.waves_per_simd_limit = setup.occupancy.waves_per_simd;
  profile.occupancy.wave_slots_per_simd = spec_.slots_per_simd;
  profile.occupancy.limited_by = std::string(target::to_text(setup.occupancy.limiter));
}

void DeviceModel::pass_transfer(std::uint64_t bytes, bool over_host_link) {
  // Inside the device a copy reads and writes memory.
  const double inside =
      spec_.hbm.peak_bytes_per_cycle * spec_.hbm.read_efficiency * spec_.clock_mhz / 1e3 / 2;
  queue_.pass(spec_.launch.start_ns +
              static_cast<double>(bytes) / (over_host_link ? HostLink::kBytesPerNs : inside));
}

}  // namespace wavetank::timing
