// DS rows that are not reads or writes of memory by address: ds_permute_b32, wave counters, global
// wave sync. Cache control of MUBUF.
#include <atomic>
#include <bit>
#include <cstring>

#include "execute/registry.hpp"

namespace wavetank::execute {
namespace {

using isa::MemorySpecial;
using machine::kLanes;
using machine::Wave;

constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};

/// Writes active lanes of the result register.
void put_active(Wave& wave, const Op* op, const std::uint32_t* values) {
  std::uint32_t* const to = wave.vector(op->memory.result);
  const std::uint64_t exec = wave.exec();
  if (exec == kAllLanes) {
    std::memcpy(to, values, 4 * kLanes);
    return;
  }
  machine::for_each_lane(exec, [&](unsigned lane) { to[lane] = values[lane]; });
}

/// Lane of a byte address.
unsigned lane_of(std::uint32_t address, std::int32_t offset) {
  return (address + static_cast<std::uint32_t>(offset)) / 4 % kLanes;
}

/// Of several senders the highest lane wins; who gets nothing reads 0.
const Op* run_permute(Wave& wave, const Op* op) {
  const std::uint32_t* const address = wave.vector(op->memory.address);
  const std::uint32_t* const data = wave.vector(op->memory.data);
  std::uint32_t values[kLanes] = {};
  machine::for_each_lane(wave.exec(), [&](unsigned lane) {
    values[lane_of(address[lane], op->memory.offset)] = data[lane];
  });
  put_active(wave, op, values);
  return op + op->dwords;
}

/// ds_append and ds_consume: the number of active lanes is added to or taken from the dword at
/// M0 + OFFSET.
template <bool kAppend>
const Op* run_counter(Wave& wave, const Op* op) {
  const machine::Workgroup& group = *wave.workgroup;
  const auto count = static_cast<std::uint32_t>(std::popcount(wave.exec()));
  const std::uint64_t at = (wave.m0() & 0xffffu) + static_cast<std::uint32_t>(op->memory.offset);
  std::uint32_t old = 0;
  if (at + 4 <= group.lds_bytes) {
    std::memcpy(&old, group.lds + at, 4);
    const std::uint32_t updated = kAppend ? old + count : old - count;
    std::memcpy(group.lds + at, &updated, 4);
  }
  std::uint32_t values[kLanes];
  for (std::uint32_t& value : values) value = old;
  put_active(wave, op, values);
  return op + op->dwords;
}

/// Memory is coherent here, so caches have nothing to write back; and the count of a global barrier
/// is that of the launch, which the dispatcher knows.
const Op* run_nothing(Wave&, const Op* op) { return op + op->dwords; }

/// What is loaded from now on is at least as new as the wave's stores before: the host may still
/// hold those back.
const Op* run_forget(Wave&, const Op* op) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return op + op->dwords;
}

const Op* run_global_barrier(Wave& wave, const Op* op) {
  return leave(wave, op + op->dwords, machine::Stop::kGwsBarrier);
}

Handler handler_of(const isa::Row& row) {
  const isa::Format format = row.encoding.format;
  if (format != isa::Format::kDs && format != isa::Format::kMubuf) return nullptr;
  const isa::MemoryShape& shape = row.memory;
  if (shape.atomic == isa::AtomicOperation::kAppend) return run_counter<true>;
  if (shape.atomic == isa::AtomicOperation::kConsume) return run_counter<false>;
  switch (shape.special) {
    case MemorySpecial::kPermute: return run_permute;
    case MemorySpecial::kGwsInit: return run_nothing;
    case MemorySpecial::kGwsBarrier: return run_global_barrier;
    case MemorySpecial::kNone:
      if (shape.action != isa::MemoryAction::kCacheControl) return nullptr;
      return shape.invalidates_l1 ? run_forget : run_nothing;
    default: return nullptr;
  }
}

}  // namespace

void append_exchange(Entries& entries) { append_rows(entries, handler_of); }

}  // namespace wavetank::execute
