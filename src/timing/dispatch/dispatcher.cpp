#include "timing/dispatch/dispatcher.hpp"

#include <algorithm>

namespace wavetank::timing {

void Dispatcher::start_launch(machine::GridSource& source, std::uint32_t waves_per_group,
                              bool grid_in_rows) {
  source_ = &source;
  waves_per_group_ = waves_per_group;
  engine_cycles_ = spec_.dispatch.engine_cycles(waves_per_group, grid_in_rows);
  started_ = ended_ = exhausted_at_ = 0;
  waited_slot_cycles_ = 0;
  stopped_ = false;
  stays_.start_launch(units_.size());
  xcds_.assign(spec_.xcds, Xcd());
  for (unsigned i = 0; i < spec_.xcds; ++i) {
    xcds_[i].next_group = i;
    xcds_[i].engines.resize(engines_per_xcd());
  }
  for (std::uint32_t cu = 0; cu < units_.size(); ++cu) {
    xcds_[xcd_of(cu)].engines[engine_of(cu) % engines_per_xcd()].units.push_back(cu);
  }
}

Dispatcher::Room Dispatcher::find_room(Xcd& xcd, std::uint64_t since) {
  for (unsigned i = 0; i < xcd.engines.size(); ++i) {
    Engine& engine = xcd.engines[(xcd.next_engine + i) % xcd.engines.size()];
    for (std::size_t j = 0; j < engine.units.size(); ++j) {
      const std::size_t place = (engine.next_unit + j) % engine.units.size();
      const std::uint32_t cu = engine.units[place];
      if (!units_[cu].has_room(waves_per_group_, since)) continue;
      engine.next_unit = (place + 1) % engine.units.size();
      xcd.next_engine = (xcd.next_engine + i + 1) % static_cast<unsigned>(xcd.engines.size());
      return {&engine, cu};
    }
  }
  return {};
}

void Dispatcher::place_waves(const Room& room, std::uint32_t waves, std::uint64_t time) {
  const DispatchSpec& spec = spec_.dispatch;
  const auto now = static_cast<double>(time);
  const double begin = std::max(now, room.engine->wave_free);
  start_times_.clear();
  for (std::uint32_t i = 0; i < waves; ++i) {
    const double launched = begin + i * spec.wave_interval;
    start_times_.push_back(static_cast<std::uint64_t>(launched + spec.first_wave_latency));
    waited_slot_cycles_ += launched - now;
  }
  room.engine->wave_free = begin + engine_cycles_;
}

GroupContext* Dispatcher::context() {
  if (idle_.empty()) {
    contexts_.push_back(std::make_unique<GroupContext>());
    idle_.push_back(contexts_.back().get());
  }
  GroupContext* const context = idle_.back();
  idle_.pop_back();
  return context;
}

Result<void> Dispatcher::dispatch(unsigned xcd_index, std::uint64_t since, std::uint64_t time) {
  Xcd& xcd = xcds_[xcd_index];
  while (!stopped_ && xcd.next_group < source_->workgroups()) {
    const Room room = find_room(xcd, since);
    if (room.engine == nullptr) return {};
    auto stepped = source_->start(xcd.next_group);
    if (!stepped) return tl::unexpected(stepped.error());
    GroupContext& group = *context();
    group = {.stepped = *stepped,
             .workgroup = xcd.next_group,
             .order = started_,
             .waves = (*stepped)->waves(),
             .alive = (*stepped)->waves(),
             .cu = room.cu};
    place_waves(room, group.waves, time);
    group.begin = start_times_.front();
    xcd.next_group += spec_.xcds;
    ++started_;
    if (exhausted()) exhausted_at_ = time;
    units_[room.cu].admit(group, start_times_);
  }
  return {};
}

void Dispatcher::ended(GroupContext& group, std::uint64_t time) {
  stays_.add({group.cu, group.workgroup, group.begin, time});
  source_->finish(group.stepped);
  ++ended_;
  idle_.push_back(&group);
}

bool Dispatcher::exhausted() const { return started_ == source_->workgroups(); }

Result<void> Dispatcher::for_rest(
    const std::function<Result<void>(std::uint64_t, std::uint64_t)>& run) const {
  std::uint64_t all_from = 0;
  for (const Xcd& xcd : xcds_) all_from = std::max(all_from, xcd.next_group);
  all_from = std::min(all_from, source_->workgroups());
  for (const Xcd& xcd : xcds_) {
    for (std::uint64_t id = xcd.next_group; id < all_from; id += spec_.xcds) {
      if (auto done = run(id, id + 1); !done) return done;
    }
  }
  return all_from < source_->workgroups() ? run(all_from, source_->workgroups()) : Result<void>{};
}

}  // namespace wavetank::timing
