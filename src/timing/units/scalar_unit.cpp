#include "timing/units/scalar_unit.hpp"

#include <algorithm>

namespace wavetank::timing {

void ScalarUnit::start_launch() {
  free_ = 0;
  forget_window();
}

Due ScalarUnit::load(const machine::Step& step, std::uint64_t address, std::uint64_t time) {
  Flight flight{step.facts, awaited_.size(), awaited_.size(), time, time + spec_.hit_latency};
  counting_.scalar_load(step.access_bytes);
  if (step.access_count != 0 && step.access_bytes != 0) {
    const std::uint32_t bytes = cache_.line_bytes();
    const std::uint64_t last = (address + step.access_bytes - 1) / bytes;
    for (std::uint64_t line = address / bytes; line <= last; ++line) {
      const auto answer = cache_.request(line * bytes, time);
      counting_.scalar_line(answer);
      if (answer.ready.known())
        flight.done = std::max(flight.done, answer.ready.cycle() + spec_.hit_latency);
      else
        awaited_.push_back(answer.ready);
    }
  }
  flight.end = awaited_.size();
  if (flight.end == flight.first) {
    counting_.scalar_was_under_way(*flight.facts, flight.done - time);
    return Due::at(flight.done);
  }
  flights_.push_back(flight);
  return Due::with(static_cast<std::uint32_t>(flights_.size() - 1));
}

void ScalarUnit::settle() {
  for (Flight& flight : flights_) {
    for (std::size_t i = flight.first; i < flight.end; ++i) {
      flight.done = std::max(flight.done, cache_.cycle_of(awaited_[i]) + spec_.hit_latency);
    }
    counting_.scalar_was_under_way(*flight.facts, flight.done - flight.begin);
  }
}

}  // namespace wavetank::timing
