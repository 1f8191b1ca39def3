#include "scripted_wave.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace wavetank::timing::testing {

void fill_access(machine::Step& step, const machine::StepFacts& facts, const LaneAddress& address,
                 std::uint64_t lanes) {
  const isa::MemoryShape& shape = facts.row->memory;
  step.facts = &facts;
  step.exec = lanes;
  step.lanes = lanes;
  step.lds_lanes = 0;
  step.access_bytes = shape.element_bytes;
  if (facts.space == machine::MemorySpace::kScalar) step.access_bytes = 4u * shape.result_dwords;
  step.access_count = shape.element_count;
  step.access_stride = shape.element_bytes;
  for (unsigned lane = 0; lane < 64; ++lane) step.address.slot(lane) = address(lane);
}

Script& Script::then(std::string_view text, unsigned times) {
  for (unsigned i = 0; i < times; ++i) {
    Line line;
    line.facts = assembled(text, *spec_);
    line.facts.index = static_cast<std::uint32_t>(lines_.size());
    lines_.push_back(std::move(line));
  }
  return *this;
}

Script& Script::access(std::string_view text, LaneAddress address, std::uint64_t lanes) {
  then(text);
  lines_.back().address = std::move(address);
  lines_.back().lanes = lanes;
  return *this;
}

Script& Script::in_lds() {
  lines_.back().in_lds = true;
  return *this;
}

Script& Script::at(std::uint64_t offset_bytes) {
  lines_.back().facts.offset_bytes = offset_bytes;
  return *this;
}

Script& Script::again(unsigned line) {
  lines_.back().facts.index = lines_[line].facts.index;
  return at(lines_[line].facts.offset_bytes);
}

Script& Script::taken() {
  lines_.back().taken = true;
  return *this;
}

Result<void> ScriptedWave::step(machine::Step& step) {
  const Script::Line& line = script_->lines()[at_++];
  issued_.push_back(step.clock.cycles);
  step.exec = line.lanes;
  step.taken = line.taken;
  step.lanes = step.lds_lanes = 0;
  if (line.address) fill_access(step, line.facts, line.address, line.lanes);
  if (line.in_lds) step.lds_lanes = step.lanes;
  const std::string_view name = line.facts.row->name;
  step.ended = name == "s_endpgm";
  step.slept = name == "s_sleep";
  step.at_global_barrier = false;
  step.at_barrier = name == "s_barrier";
  return {};
}

ScriptedGroup::ScriptedGroup(const std::vector<const Script*>& scripts,
                             std::function<void()> on_begin)
    : on_begin_(std::move(on_begin)) {
  waves_.reserve(scripts.size());
  for (const Script* script : scripts) waves_.emplace_back(*script);
}

namespace {

TimingSpec with_small_caches(TimingSpec spec) {
  spec.l2.bytes /= 16;
  spec.mall.bytes /= 256;
  return spec;
}

}  // namespace

OneUnit::OneUnit(const TimingSpec& spec)
    : spec_(with_small_caches(spec)),
      memory_(spec_),
      caches_(spec_, 0),
      unit_(spec_, caches_, 0, 0) {}

void OneUnit::run(const std::vector<const Script*>& scripts) {
  group_ = std::make_unique<ScriptedGroup>(scripts);
  wave_of_script_.resize(scripts.size());
  for (unsigned i = 0; i < scripts.size(); ++i) wave_of_script_[i] = i;
  GroupContext context;
  context.stepped = group_.get();
  context.waves = context.alive = group_->waves();
  unit_.start_launch(GroupShape{}, 0);
  const std::vector<std::uint64_t> starts(scripts.size(), 0);
  unit_.admit(context, starts);
  const auto begun = unit_.begin_next(worker_);
  ASSERT_TRUE(begun) << begun.error().to_text();
  run_windows(context);
  ASSERT_EQ(context.alive, 0u) << "a wave waits for ever";
}

void OneUnit::run_windows(GroupContext& context) {
  constexpr std::uint64_t kWindow = 128;
  const std::array<MemoryPort*, 2> ports = {&unit_.port(), &caches_.port};
  while (true) {
    const bool asked = !ports[0]->requests().empty() || !ports[1]->requests().empty();
    memory_.serve(ports, crew_);
    unit_.settle();
    caches_.settle();
    const auto gone_on = unit_.go_on(worker_);
    ASSERT_TRUE(gone_on) << gone_on.error().to_text();
    const std::uint64_t next = unit_.next_event();
    if (context.alive == 0 || (next == kNever && !asked)) break;
    if (next == kNever) continue;
    const auto done = unit_.run((next / kWindow + 1) * kWindow, ComputeUnit::Meeting::kGo, worker_);
    ASSERT_TRUE(done) << done.error().to_text();
  }
  unit_.end_launch();
  for (const UnitEvent& event : unit_.events()) {
    if (event.kind == UnitEvent::Kind::kGroupEnded) ended_at_ = event.time;
  }
}

void OneUnit::run_on_one_simd(const std::vector<const Script*>& scripts) {
  static const Script ends = [] {
    Script script(spec_of("mi210"));
    script.then("s_endpgm");
    return script;
  }();
  std::vector<const Script*> waves;
  std::vector<unsigned> places;
  for (const Script* script : scripts) {
    while (waves.size() % 4 != 0) waves.push_back(&ends);
    places.push_back(static_cast<unsigned>(waves.size()));
    waves.push_back(script);
  }
  run(waves);
  wave_of_script_ = places;
}

std::uint64_t OneUnit::issued(unsigned script, unsigned index) const {
  std::uint64_t first = ~std::uint64_t{0};
  for (const unsigned wave : wave_of_script_) {
    first = std::min(first, group_->scripted(wave).issued().front());
  }
  return group_->scripted(wave_of_script_[script]).issued().at(index) - first;
}

}  // namespace wavetank::timing::testing
