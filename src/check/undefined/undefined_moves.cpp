// What loads, stores and atomics do to undefined bits, in memory and in registers.
#include <array>
#include <cstring>

#include "check/lane_ranges.hpp"
#include "check/scratch_check.hpp"
#include "check/undefined/undefined_check.hpp"
#include "check/undefined/undefined_ranges.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::check {

using isa::AtomicOperation;
using machine::for_each_lane;
using machine::kLanes;
using machine::MemorySpace;
using machine::RegisterRange;
using machine::UndefinedOrigin;
using machine::UndefinedRegisters;

namespace {

using LaneBytes = std::array<std::uint8_t, std::size_t{4} * kMostAccessDwords>;
using LaneDwords = std::array<std::uint32_t, kMostAccessDwords>;

/// Sets the lane's bits of a register, but for those of `kept`.
void write_lane(UndefinedRegisters& registers, unsigned index, unsigned lane, std::uint32_t bits,
                std::uint32_t kept, const UndefinedOrigin& origin) {
  UndefinedRegisters::Lanes lanes = {};
  UndefinedOrigin known = origin;
  if (registers.has_vector(index)) {
    lanes = registers.vector(index);
    if (bits == 0) known = registers.vector_origin(index);
  }
  lanes[lane] = (lanes[lane] & kept) | bits;
  registers.set_vector(index, lanes, known);
}

/// The undefined bits of registers in a lane, behind those that are there.
unsigned read_lane(const UndefinedRegisters& registers, const RegisterRange& range, unsigned lane,
                   LaneDwords& to, unsigned count) {
  for (unsigned i = 0; i < range.count && count < to.size(); ++i, ++count) {
    const unsigned index = range.first + i;
    to[count] = registers.has_vector(index) ? registers.vector(index)[lane] : 0;
  }
  return count;
}

bool all_undefined(std::span<const std::uint8_t> bits) {
  return std::ranges::all_of(bits, [](std::uint8_t byte) { return byte == 0xff; });
}
/// True if each dword, or a shorter store, has undefined bits.
bool each_undefined(std::span<const std::uint8_t> bits) {
  for (std::size_t i = 0; i < bits.size(); i += 4) {
    const auto dword = bits.subspan(i, std::min<std::size_t>(4, bits.size() - i));
    if (std::ranges::all_of(dword, [](std::uint8_t byte) { return byte == 0; })) return false;
  }
  return true;
}
bool any_undefined(std::span<const std::uint8_t> bits) {
  return std::ranges::any_of(bits, [](std::uint8_t byte) { return byte != 0; });
}

}  // namespace

void UndefinedCheck::define_results(const Now& now) {
  UndefinedRegisters& registers = *now.registers;
  const RegisterRange& results = now.results();
  for (unsigned i = 0; i < results.count; ++i) {
    const unsigned index = results.first + i;
    if (now.is_scalar()) {
      registers.define_scalar(index);
    } else if (registers.has_vector(index)) {
      UndefinedRegisters::Lanes lanes = registers.vector(index);
      const std::uint32_t kept = kept_bits(*now.facts.row);
      for_each_lane(now.wave.exec(), [&](unsigned lane) { lanes[lane] &= kept; });
      registers.set_vector(index, lanes, UndefinedOrigin(registers.vector_origin(index)));
    }
  }
}

/// The load is the origin, unless it loads what was stored as undefined in this launch.
UndefinedOrigin UndefinedCheck::origin_of(const Now& now, unsigned lane,
                                          const UndefinedBytes& bytes, bool is_lds) const {
  UndefinedOrigin origin;
  origin.site = now.facts.index;
  origin.group = now.group.index;
  origin.wave = now.wave.id_in_group;
  origin.lane = lane;
  origin.bytes = now.step.access_bytes;
  const std::uint64_t begin = now.address(lane, 0);
  origin.address = bytes.find(begin, begin + now.step.access_bytes);
  const machine::Workgroup& workgroup = *now.wave.workgroup;
  const auto scratch = reinterpret_cast<std::uint64_t>(workgroup.scratch);
  const bool is_scratch = !is_lds && origin.address - scratch < workgroup.scratch_bytes;
  origin.space =
      is_lds ? MemorySpace::kLds : (is_scratch ? MemorySpace::kScratch : MemorySpace::kGlobal);
  if (const auto tag = bytes.tag_at(origin.address)) {
    const UndefinedStore stored = memory_.stores.at(*tag);
    if (stored.launch == launch_) return stored.origin;
  }
  if (is_scratch) origin.address = private_byte(now.wave, origin.address);
  return origin;
}

void UndefinedCheck::load(const Now& now, std::uint64_t lanes, const UndefinedBytes& bytes,
                          bool is_lds) {
  if (!touches_undefined(now.group.ranges, bytes)) return;
  UndefinedRegisters& registers = now.group.waves[now.wave.id_in_group];
  now.wave.undefined = &registers;
  const RegisterRange& results = now.results();
  for_each_lane(lanes, [&](unsigned lane) {
    LaneBytes memory = {};
    const std::span<std::uint8_t> loaded = std::span(memory).first(now.lane_bytes());
    read_memory(now, lane, bytes, loaded);
    if (!any_undefined(loaded)) return;
    LaneDwords dwords = {};
    to_registers(*now.facts.row, loaded,
                 std::span(dwords).first(std::min<std::size_t>(results.count, dwords.size())));
    const UndefinedOrigin origin = origin_of(now, lane, bytes, is_lds);
    for (unsigned i = 0; i < results.count && i < dwords.size(); ++i) {
      if (now.is_scalar())
        registers.set_scalar(results.first + i, dwords[i], origin);
      else if (dwords[i] != 0)
        write_lane(registers, results.first + i, lane, dwords[i], kept_bits(*now.facts.row),
                   origin);
    }
  });
}

/// A load from memory to LDS, which gets a dword for each lane.
void UndefinedCheck::load_to_lds(const Now& now, std::uint64_t lanes, const UndefinedBytes& bytes) {
  constexpr unsigned kBytes = 4;
  UndefinedBytes& lds = *now.group.lds;
  for_each_lane(lanes, [&](unsigned lane) {
    LaneBytes memory = {};
    const std::span<std::uint8_t> loaded = std::span(memory).first(now.lane_bytes());
    read_memory(now, lane, bytes, loaded);
    std::uint32_t dword = 0;
    to_registers(*now.facts.row, loaded, {&dword, 1});
    const std::uint64_t target = now.step.lds_target + std::uint64_t{kBytes} * lane;
    if (dword == 0) return lds.define(target, target + kBytes);
    UndefinedStore record;
    record.origin = origin_of(now, lane, bytes, false);
    record.store = {now.facts.index, AccessKind::kWrite, now.group.index, now.wave.id_in_group,
                    lane};
    record.launch = launch_;
    record.is_whole = dword == ~0u;
    std::array<std::uint8_t, kBytes> bits;
    std::memcpy(bits.data(), &dword, kBytes);
    lds.write(target, bits, memory_.stores.number_of(record));
  });
}

void UndefinedCheck::read_memory(const Now& now, unsigned lane, const UndefinedBytes& bytes,
                                 std::span<std::uint8_t> to) {
  const unsigned piece = now.step.access_bytes;
  for (unsigned i = 0; (i + 1) * piece <= to.size(); ++i) {
    bytes.read(now.address(lane, i), to.subspan(std::size_t{i} * piece, piece));
  }
}

/// The undefined bits of what a lane stores, or gives to an atomic.
void UndefinedCheck::read_data(const Now& now, unsigned lane, std::span<std::uint8_t> to) {
  LaneDwords dwords = {};
  unsigned count = read_lane(*now.registers, now.facts.stored, lane, dwords, 0);
  count = read_lane(*now.registers, now.facts.stored2, lane, dwords, count);
  to_bytes(*now.facts.row, std::span(dwords).first(count), to);
}

void UndefinedCheck::store(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes,
                           bool is_lds) {
  define(now.group.ranges, bytes);
  if (now.registers == nullptr) return;
  for_each_lane(lanes, [&](unsigned lane) {
    LaneBytes memory = {};
    const std::span<std::uint8_t> stored = std::span(memory).first(now.lane_bytes());
    read_data(now, lane, stored);
    if (any_undefined(stored)) store_lane(now, lane, bytes, is_lds, stored);
  });
}

void UndefinedCheck::store_lane(const Now& now, unsigned lane, UndefinedBytes& bytes, bool is_lds,
                                std::span<const std::uint8_t> bits) {
  const UndefinedOrigin* const known = data_origin(now, lane);
  if (known == nullptr) return;
  UndefinedStore record;
  record.origin = *known;
  record.store = {now.facts.index, AccessKind::kWrite, now.group.index, now.wave.id_in_group, lane};
  record.launch = launch_;
  // What was worked out may have bits that are the same whatever it was worked out from.
  record.is_whole = record.origin.computed ? each_undefined(bits) : all_undefined(bits);
  const auto first = reinterpret_cast<const void*>(now.address(lane, 0));
  if (!is_lds && is_host_memory(now, first)) {
    if (record.is_whole && record.origin.computed) {
      report(now, UndefinedUse::kHost, record.origin, lane);
    }
    return;
  }
  const std::uint32_t number = memory_.stores.number_of(record);
  const unsigned piece = now.step.access_bytes;
  for (unsigned i = 0; (i + 1) * piece <= bits.size(); ++i) {
    bytes.write(now.address(lane, i), bits.subspan(std::size_t{i} * piece, piece), number);
  }
}

/// The host may write such memory at any time, unseen.
bool UndefinedCheck::is_host_memory(const Now& now, const void* address) {
  const auto allocation = now.wave.environment->memory->find(address);
  return allocation && allocation->kind != machine::MemoryKind::kDevice;
}

const UndefinedOrigin* UndefinedCheck::data_origin(const Now& now, unsigned lane) {
  for (const RegisterRange& range : {now.facts.stored, now.facts.stored2}) {
    for (unsigned i = range.first; i < unsigned{range.first} + range.count; ++i) {
      if (now.registers->has_vector(i) && now.registers->vector(i)[lane] != 0)
        return &now.registers->vector_origin(i);
    }
  }
  return nullptr;
}

/// An atomic computes with what is there and what it is given, but for a swap, which only moves
/// both.
void UndefinedCheck::change(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes,
                            bool is_lds) {
  if (now.facts.row->memory.atomic == AtomicOperation::kSwap) {
    return swap(now, lanes, bytes, is_lds);
  }
  if (touches_undefined(now.group.ranges, bytes)) {
    for_each_lane(lanes, [&](unsigned lane) {
      const std::uint64_t begin = now.address(lane, 0);
      if (!bytes.any(begin, begin + now.step.access_bytes)) return;
      report(now, UndefinedUse::kAtomic, origin_of(now, lane, bytes, is_lds), lane);
      if (is_lds) return bytes.define(begin, begin + now.step.access_bytes);
      const std::lock_guard lock(mutex_);
      told_.emplace(begin, begin + now.step.access_bytes);
    });
  }
  if (now.registers != nullptr) {
    for_each_lane(lanes, [&](unsigned lane) {
      if (const UndefinedOrigin* const origin = data_origin(now, lane))
        report(now, UndefinedUse::kAtomic, *origin, lane);
    });
  }
  if (now.registers != nullptr) define_results(now);
}

/// Hands undefined bits out and takes them in.
void UndefinedCheck::swap(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes, bool is_lds) {
  if (now.registers == nullptr && !touches_undefined(now.group.ranges, bytes)) return;
  UndefinedRegisters& registers = now.group.waves[now.wave.id_in_group];
  const unsigned results = now.facts.returns ? now.results().count : 0;
  for_each_lane(lanes, [&](unsigned lane) {
    LaneBytes given = {}, found = {};
    const std::span<std::uint8_t> data = std::span(given).first(now.lane_bytes());
    const std::span<std::uint8_t> old = std::span(found).first(now.lane_bytes());
    if (now.registers != nullptr) read_data(now, lane, data);
    read_memory(now, lane, bytes, old);
    const UndefinedOrigin origin = origin_of(now, lane, bytes, is_lds);
    bytes.define(now.address(lane, 0), now.address(lane, 0) + now.step.access_bytes);
    if (any_undefined(data)) store_lane(now, lane, bytes, is_lds, data);
    LaneDwords dwords = {};
    to_registers(*now.facts.row, old, std::span(dwords).first(results));
    for (unsigned i = 0; i < results; ++i) {
      write_lane(registers, now.results().first + i, lane, dwords[i], 0, origin);
    }
  });
  if (registers.any()) now.wave.undefined = &registers;
}

}  // namespace wavetank::check
