#include "timing/units/instruction_fetch.hpp"

#include <algorithm>

namespace wavetank::timing {

void InstructionFetch::start_launch(std::uint64_t code_base) {
  code_base_ = code_base;
  waiting_.clear();
  asked_.clear();
}

Due InstructionFetch::request(std::uint64_t line, std::uint64_t time) {
  if (!spec_.misses) return Due::at(time);
  const auto answer = cache_.request(code_base_ + line * cache_.line_bytes(), time);
  counting_.instruction_line(answer);
  if (answer.ready.known())
    counting_.line_fetched(answer.ready.cycle() - time + spec_.hit_latency);
  else
    asked_.push_back({answer.ready, time});
  return answer.ready;
}

void InstructionFetch::count(FetchState& wave, std::uint64_t first, std::uint64_t end,
                             bool jumped) {
  const std::uint32_t bytes = spec_.bytes_per_fetch;
  if (jumped || wave.counted_end == FetchState::kNone) wave.counted_end = first / bytes * bytes;
  for (; wave.counted_end < end; wave.counted_end += bytes) counting_.fetched();
}

void InstructionFetch::look_beyond(FetchState& wave, const machine::StepFacts& facts, bool jumped,
                                   std::uint64_t time) {
  const std::uint64_t end = facts.offset_bytes + 4u * facts.dwords;
  count(wave, facts.offset_bytes, end, jumped);
  if (spec_.at_once) return;
  wave.waits = true;
  wave.awaited = {};
  wave.extra = wave.not_before = 0;
  if (jumped || wave.line == FetchState::kNone) {
    // The buffer is empty: the line, and the one behind it.
    const std::uint64_t first = facts.offset_bytes / cache_.line_bytes();
    wave.awaited[0] = request(first, time);
    wave.not_before = time + spec_.hit_latency;
    wave.extra = spec_.hit_latency;
    wave.line = first;
    wave.next_line = request(first + 1, time + 1);
  }
  const std::uint64_t last = (end - 1) / cache_.line_bytes();
  if (last > wave.line) {
    wave.awaited[1] = wave.next_line;
    wave.line = last;
    const auto there = ready(wave);
    wave.asks_on = !there;
    if (there) wave.next_line = request(last + 1, std::max(time, *there));
  }
  wave.held_end = (wave.line + 1) * cache_.line_bytes();
  if (!ready(wave) || !wave.next_line.known()) waiting_.push_back(&wave);
}

void InstructionFetch::settle() {
  for (FetchState* wave : waiting_) {
    settle(wave->awaited[0]);
    settle(wave->awaited[1]);
    settle(wave->next_line);
  }
  waiting_.clear();
  for (const Asked& one : asked_) {
    const std::uint64_t there = std::max(cache_.cycle_of(one.ready), one.time);
    counting_.line_fetched(there - one.time + spec_.hit_latency);
  }
  asked_.clear();
}

void InstructionFetch::ask_on(FetchState& wave) {
  if (!wave.asks_on) return;
  wave.asks_on = false;
  wave.next_line = request(wave.line + 1, *ready(wave));
  if (!wave.next_line.known()) waiting_.push_back(&wave);
}

}  // namespace wavetank::timing
