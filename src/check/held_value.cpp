#include "check/held_value.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::check {

using machine::RegisterRange;
using machine::Step;
using machine::StepFacts;

namespace {

/// Calls visit(lane, dword of the lane, its address) for what lanes touch of private memory.
template <class Visit>
void for_each_dword(const Step& step, Visit visit) {
  for (std::uint64_t left = step.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    for (unsigned i = 0; i < step.access_count; ++i) {
      const std::int64_t offset = step.access_stride * std::int64_t{i};
      visit(lane, i, (step.address[lane] + static_cast<std::uint64_t>(offset)) & ~std::uint64_t{3});
    }
  }
}

}  // namespace

std::uint64_t HeldValue::lanes_of(const RegisterRange& range) const {
  std::uint64_t lanes = 0;
  for (auto at = vector_.lower_bound(range.first);
       at != vector_.end() && at->first < unsigned{range.first} + range.count; ++at) {
    lanes |= at->second;
  }
  return lanes;
}

std::uint64_t HeldValue::lanes_read(const StepFacts& facts) const {
  std::uint64_t lanes = 0;
  for (const RegisterRange& range : facts.vector_reads) lanes |= lanes_of(range);
  return lanes;
}

bool HeldValue::reads_scalar(const StepFacts& facts) const {
  if (scc_ && facts.row->unit == isa::Unit::kSalu) return true;
  return std::any_of(
      facts.scalar_reads.begin(), facts.scalar_reads.end(),
      [&](const RegisterRange& range) { return machine::RegisterSet::any(scalar_, range); });
}

bool HeldValue::decides_branch() const {
  return scc_ || machine::RegisterSet::any(scalar_, {machine::kVccRegister, 2}) ||
         machine::RegisterSet::any(scalar_, {machine::kExecRegister, 2});
}

void HeldValue::put(unsigned vector, std::uint64_t lanes, std::uint64_t written) {
  const auto at = vector_.find(vector);
  const std::uint64_t before = at == vector_.end() ? 0 : at->second;
  const std::uint64_t now = (before & ~written) | (lanes & written);
  if (now != 0) {
    vector_[vector] = now;
  } else if (at != vector_.end()) {
    vector_.erase(at);
  }
}

void HeldValue::put_vectors(const StepFacts& facts, std::uint64_t lanes, std::uint64_t written) {
  for (const RegisterRange& range : facts.vector_writes) {
    for (unsigned i = 0; i < range.count; ++i) put(range.first + i, lanes, written);
  }
}

void HeldValue::put_scalars(const StepFacts& facts, bool holds) {
  for (const RegisterRange& range : facts.scalar_writes) {
    machine::RegisterSet::put(scalar_, range, holds);
  }
}

void HeldValue::forget(std::uint64_t lanes) {
  for (auto& [index, held] : vector_) held &= ~lanes;
  std::erase_if(vector_, [](const auto& one) { return one.second == 0; });
  std::erase_if(memory_, [&](const auto& one) { return (lanes >> one.second & 1) != 0; });
}

void HeldValue::store(const StepFacts& facts, const Step& step) {
  for_each_dword(step, [&](unsigned lane, unsigned dword, std::uint64_t address) {
    const RegisterRange from{static_cast<std::uint16_t>(facts.stored.first + dword), 1};
    if ((lanes_of(from) >> lane & 1) != 0) {
      memory_.emplace(address, lane);
    } else if (!memory_.empty() && step.access_bytes == 4) {
      memory_.erase(address);
    }
  });
}

void HeldValue::load(const StepFacts& facts, const Step& step) {
  put_vectors(facts, 0, step.lanes);
  if (memory_.empty()) return;
  for_each_dword(step, [&](unsigned lane, unsigned dword, std::uint64_t address) {
    const std::uint64_t bit = std::uint64_t{1} << lane;
    const RegisterRange& to = facts.vector_writes.range[0];
    if (dword < to.count && memory_.contains(address)) put(to.first + dword, bit, bit);
  });
}

}  // namespace wavetank::check
