#include "timing/units/instruction_fetch.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::timing {

void InstructionFetch::start_launch(std::uint64_t code_base) {
  code_base_ = code_base;
  waiting_.clear();
  asked_.clear();
}

Due InstructionFetch::request(std::uint64_t offset, std::uint64_t time, std::uint64_t ahead) {
  if (!spec_.misses) return Due::at(time - ahead);
  const auto answer = cache_.request(code_base_ + offset, time, ahead);
  counting_.instruction_line(answer);
  if (answer.ready.known())
    counting_.line_fetched(answer.ready.cycle() + spec_.hit_latency - (time - ahead));
  else
    asked_.push_back({answer.ready, time - ahead});
  return answer.ready;
}

void InstructionFetch::look_beyond(FetchState& wave, const machine::StepFacts& facts, bool jumped,
                                   std::uint64_t time) {
  const std::uint64_t piece = spec_.bytes_per_fetch;
  const bool empty = jumped || wave.held_end == 0;
  if (empty) {
    wave.held_end = facts.offset_bytes / piece * piece;
    wave.came = wave.came_before = time;
  }
  const std::uint64_t most = std::max<std::uint64_t>(kMostAheadCycles, spec_.hit_latency);
  const std::uint64_t ahead = std::min(time - wave.came_before, most);
  wave.came_before = std::exchange(wave.came, time);
  wave.awaited = {};
  for (Due* due = wave.awaited.data(); wave.held_end < end_of(facts); wave.held_end += piece) {
    counting_.fetched();
    if (spec_.at_once) continue;
    *due = request(wave.held_end, time, ahead);
    due = &wave.awaited.back();
  }
  wave.waits = !spec_.at_once;
  if (!ready(wave)) waiting_.push_back(&wave);
}

void InstructionFetch::settle() {
  for (FetchState* wave : waiting_) {
    for (Due& due : wave->awaited) due = Due::at(cache_.cycle_of(due));
  }
  waiting_.clear();
  for (const Asked& one : asked_) {
    const std::uint64_t there = std::max(cache_.cycle_of(one.ready), one.time);
    counting_.line_fetched(there - one.time + spec_.hit_latency);
  }
  asked_.clear();
}

}  // namespace wavetank::timing
