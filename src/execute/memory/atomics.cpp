// Handlers of atomics: LDS, FLAT, GLOBAL and MUBUF. Lanes go in ascending order.
#include "execute/memory/atomics.hpp"

#include <bit>
#include <cstring>

#include "execute/memory/address.hpp"
#include "execute/program.hpp"
#include "execute/registry.hpp"

namespace wavetank::execute {
namespace {

using isa::AtomicOperation;
using isa::compares;
using machine::for_each_lane;
using machine::kLanes;
using machine::Wave;

/// One lane's element of a register tuple.
template <class T>
T element(const std::uint32_t* rows, unsigned lane) {
  T value = rows[lane];
  if constexpr (sizeof(T) == 8) value |= std::uint64_t{rows[kLanes + lane]} << 32;
  return value;
}
template <class T>
void set_element(std::uint32_t* rows, unsigned lane, T value) {
  rows[lane] = static_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) rows[kLanes + lane] = static_cast<std::uint32_t>(value >> 32);
}

/// Operation without other host threads: LDS, and private memory.
template <AtomicOperation kOperation, class T>
T plain_update(std::byte* host, T data, T data2, const isa::Modes& modes) {
  T old;
  std::memcpy(&old, host, sizeof(T));
  const T updated = isa::atomic_result<kOperation, T>(old, data, data2, modes);
  std::memcpy(host, &updated, sizeof(T));
  return old;
}

/// The elements of all active lanes.
struct Elements {
  std::byte* host[kLanes];
  std::uint64_t shared = 0;  ///< lanes whose memory other host threads see
  std::uint64_t in_lds = 0;
  std::uint64_t split = 0;  ///< lanes whose element is not contiguous
};

/// GLOBAL, where all lanes lie in the arena; false if one does not.
bool locate_global(const Wave& wave, const Op* op, std::uint64_t exec, unsigned bytes,
                   Elements& elements) {
  const MemoryOperands& memory = op->memory;
  const std::uint32_t* const low = wave.vgpr + std::size_t{kLanes} * memory.address;
  const bool has_scalar_base = memory.has_scalar_base();
  auto base = static_cast<std::uint64_t>(std::int64_t{memory.offset});
  if (has_scalar_base) base += wave.scalar64(memory.scalar_base);
  bool inside = true;
  for_each_lane(exec, [&](unsigned lane) {
    std::uint64_t address = base + low[lane];
    if (!has_scalar_base) address += std::uint64_t{low[kLanes + lane]} << 32;
    inside = inside && in_arena(*wave.environment, address, bytes);
    elements.host[lane] = reinterpret_cast<std::byte*>(address);
  });
  elements.shared = exec;
  return inside;
}

void locate(Wave& wave, const Op* op, Segment segment, std::uint64_t exec, unsigned bytes,
            Elements& elements) {
  if (segment == Segment::kGlobal && locate_global(wave, op, exec, bytes, elements)) return;
  elements.shared = 0;
  for_each_lane(exec, [&](unsigned lane) {
    const Element found = element_of(wave, op, segment, lane, bytes);
    const std::uint64_t bit = std::uint64_t{1} << lane;
    elements.host[lane] = found.host;
    if (found.split)
      elements.split |= bit;
    else if (found.in_lds)
      elements.in_lds |= bit;
    else if (found.host != nullptr)
      elements.shared |= bit;
  });
}

/// Takes out the lanes whose memory is fine-grained: what they do has no effect and returns 0.
void drop_fine_grained(Wave& wave, const Op* op, Elements& elements) {
  machine::Environment& environment = *wave.environment;
  if (environment.memory == nullptr) return;
  machine::GrainRange range;
  std::uint64_t dropped = 0;
  for_each_lane(elements.shared, [&](unsigned lane) {
    const auto address = reinterpret_cast<std::uint64_t>(elements.host[lane]);
    if (!range.contains(address)) range = environment.memory->grain_at(address);
    if (range.fine_grained) dropped |= std::uint64_t{1} << lane;
  });
  if (dropped == 0) return;
  elements.shared &= ~dropped;
  environment.dropped_at.store(program_of(wave).address_of(op), std::memory_order_relaxed);
}

/// Misaligned atomics are memory violations.
void check_alignment(Wave& wave, const Elements& elements, unsigned bytes) {
  for_each_lane(elements.shared, [&](unsigned lane) {
    const auto address = reinterpret_cast<std::uint64_t>(elements.host[lane]);
    if (address % bytes != 0) memory_fault(wave, address, lane, true);
  });
}

bool same_address(const Elements& elements, std::uint64_t exec) {
  const std::byte* const first = elements.host[std::countr_zero(exec)];
  bool same = true;
  for_each_lane(exec, [&](unsigned lane) { same = same && elements.host[lane] == first; });
  return same;
}

/// The data of an instruction, copied: results may land in the same registers.
template <class T>
struct Data {
  T data[kLanes], data2[kLanes], old[kLanes] = {};
};

/// All lanes on one element: their operations become one exchange.
template <AtomicOperation kOperation, class T>
void update_together(std::byte* host, Data<T>& lanes, std::uint64_t exec, const isa::Modes& modes) {
  T* const memory = reinterpret_cast<T*>(host);
  T before = __atomic_load_n(memory, __ATOMIC_ACQUIRE);
  T value;
  do {
    value = before;
    for_each_lane(exec, [&](unsigned lane) {
      lanes.old[lane] = value;
      value = isa::atomic_result<kOperation, T>(value, lanes.data[lane], lanes.data2[lane], modes);
    });
  } while (!__atomic_compare_exchange_n(memory, &before, value, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
}

/// An element in swizzled private memory.
template <AtomicOperation kOperation, class T>
T update_split(Wave& wave, const Op* op, Segment segment, unsigned lane, T data, T data2,
               const isa::Modes& modes) {
  T old;
  read_lane(wave, op, segment, lane, &old, sizeof(T));
  const T updated = isa::atomic_result<kOperation, T>(old, data, data2, modes);
  write_lane(wave, op, segment, lane, &updated, sizeof(T));
  return old;
}

template <AtomicOperation kOperation, class T>
void update_lanes(Wave& wave, const Op* op, Segment segment, const Elements& elements,
                  Data<T>& lanes, const isa::Modes& modes) {
  if (elements.shared != 0 && (elements.shared & (elements.shared - 1)) != 0 &&
      same_address(elements, elements.shared)) {
    update_together<kOperation, T>(elements.host[std::countr_zero(elements.shared)], lanes,
                                   elements.shared, modes);
  } else {
    for_each_lane(elements.shared, [&](unsigned lane) {
      lanes.old[lane] = atomic_update<kOperation, T>(elements.host[lane], lanes.data[lane],
                                                     lanes.data2[lane], modes);
    });
  }
  for_each_lane(elements.in_lds, [&](unsigned lane) {
    lanes.old[lane] = plain_update<kOperation, T>(elements.host[lane], lanes.data[lane],
                                                  lanes.data2[lane], modes);
  });
  for_each_lane(elements.split, [&](unsigned lane) {
    lanes.old[lane] = update_split<kOperation, T>(wave, op, segment, lane, lanes.data[lane],
                                                  lanes.data2[lane], modes);
  });
}

template <Segment kSegment, AtomicOperation kOperation, class T>
const Op* run(Wave& wave, const Op* op) {
  constexpr bool kFlush = kOperation == AtomicOperation::kFloatAddFlush;
  constexpr isa::Modes kModes = isa::memory_modes(kFlush);
  wave.current = op;
  const std::uint64_t exec = wave.exec();
  if (exec == 0) return op + op->dwords;
  Elements elements;
  locate(wave, op, kSegment, exec, sizeof(T), elements);
  check_alignment(wave, elements, sizeof(T));
  if (op->memory.coarse_only) drop_fine_grained(wave, op, elements);
  Data<T> lanes;
  const std::uint32_t* const data = wave.vector(op->memory.data);
  for_each_lane(exec, [&](unsigned lane) {
    lanes.data[lane] = element<T>(data, lane);
    lanes.data2[lane] =
        compares(kOperation) ? element<T>(data + kLanes * (sizeof(T) / 4), lane) : T{0};
  });
  update_lanes<kOperation, T>(wave, op, kSegment, elements, lanes, kModes);
  if (op->memory.returns) {
    std::uint32_t* const result = wave.vector(op->memory.result);
    for_each_lane(exec, [&](unsigned lane) { set_element<T>(result, lane, lanes.old[lane]); });
  }
  return op + op->dwords;
}

/// One LDS element; what lies beyond the allocation stays untouched and returns 0.
template <AtomicOperation kOperation, class T>
T update_lds(const machine::Workgroup& group, std::uint32_t at, T data, T data2,
             const isa::Modes& modes) {
  if (std::uint64_t{at} + sizeof(T) > group.lds_bytes) return 0;
  return plain_update<kOperation, T>(group.lds + at, data, data2, modes);
}

template <AtomicOperation kOperation, class T>
const Op* run_lds(Wave& wave, const Op* op) {
  const MemoryOperands& memory = op->memory;
  const isa::Modes modes = isa::lds_modes(wave.mode.bits);
  const std::uint32_t* const address = wave.vector(memory.address);
  const std::uint32_t* const data0 = wave.vector(memory.data);
  const std::uint32_t* const data1 =
      memory.data2 != MemoryOperands::kNoRegister ? wave.vector(memory.data2) : nullptr;
  for_each_lane(wave.exec(), [&](unsigned lane) {
    T data = element<T>(data0, lane);
    T data2 = data1 != nullptr ? element<T>(data1, lane) : T{0};
    if (compares(kOperation)) std::swap(data, data2);
    const T old = update_lds<kOperation, T>(
        *wave.workgroup, address[lane] + static_cast<std::uint32_t>(memory.offset), data, data2,
        modes);
    if (memory.returns) set_element<T>(wave.vector(memory.result), lane, old);
  });
  return op + op->dwords;
}

/// ds_wrxchg2: DATA0 at OFFSET0, DATA1 at OFFSET1, in units of kUnit elements.
template <class T, unsigned kUnit>
const Op* run_lds_exchange_pair(Wave& wave, const Op* op) {
  constexpr AtomicOperation kSwap = AtomicOperation::kSwap;
  const MemoryOperands& memory = op->memory;
  const isa::Modes modes = isa::lds_modes(wave.mode.bits);
  const std::uint32_t unit = kUnit * sizeof(T);
  const std::uint32_t first = static_cast<std::uint32_t>(memory.offset & 0xff) * unit;
  const std::uint32_t second = static_cast<std::uint32_t>((memory.offset >> 8) & 0xff) * unit;
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const std::uint32_t address = wave.vector(memory.address)[lane];
    const T data = element<T>(wave.vector(memory.data), lane);
    const T data2 = element<T>(wave.vector(memory.data2), lane);
    const T old = update_lds<kSwap, T>(*wave.workgroup, address + first, data, T{0}, modes);
    const T old2 = update_lds<kSwap, T>(*wave.workgroup, address + second, data2, T{0}, modes);
    set_element<T>(wave.vector(memory.result), lane, old);
    set_element<T>(wave.vector(memory.result + sizeof(T) / 4), lane, old2);
  });
  return op + op->dwords;
}

/// The rows that a segment's handlers run.
constexpr isa::AtomicPlace place_of(Segment segment) {
  return segment == Segment::kBuffer ? isa::AtomicPlace::kBuffer : isa::AtomicPlace::kFlat;
}

template <Segment kSegment, class T>
Handler memory_handler(AtomicOperation operation) {
  return handler_of_atomic<place_of(kSegment), sizeof(T)>(
      operation, []<AtomicOperation kOperation>() { return &run<kSegment, kOperation, T>; });
}

template <class T>
Handler lds_handler(const isa::MemoryShape& shape) {
  if (shape.element_count == 2) {
    return shape.stride64 ? run_lds_exchange_pair<T, 64> : run_lds_exchange_pair<T, 1>;
  }
  return handler_of_atomic<isa::AtomicPlace::kLds, sizeof(T)>(
      shape.atomic, []<AtomicOperation kOperation>() { return &run_lds<kOperation, T>; });
}

template <Segment kSegment>
Handler memory_handler(const isa::MemoryShape& shape) {
  return shape.element_bytes == 4 ? memory_handler<kSegment, std::uint32_t>(shape.atomic)
                                  : memory_handler<kSegment, std::uint64_t>(shape.atomic);
}

HandlerSet handlers_of(const isa::Row& row) {
  const isa::MemoryShape& shape = row.memory;
  HandlerSet set;
  if (shape.action != isa::MemoryAction::kAtomic) return set;
  switch (row.encoding.format) {
    case isa::Format::kFlat:
      set.in_segment(isa::Format::kFlat) = memory_handler<Segment::kFlat>(shape);
      set.in_segment(isa::Format::kGlobal) = memory_handler<Segment::kGlobal>(shape);
      break;
    case isa::Format::kGlobal: set.plain = memory_handler<Segment::kGlobal>(shape); break;
    case isa::Format::kMubuf: set.plain = memory_handler<Segment::kBuffer>(shape); break;
    case isa::Format::kDs:
      set.plain = shape.element_bytes == 4 ? lds_handler<std::uint32_t>(shape)
                                           : lds_handler<std::uint64_t>(shape);
      break;
    default: break;
  }
  return set;
}

}  // namespace

void append_atomics(Entries& entries) { append_rows(entries, handlers_of); }

}  // namespace wavetank::execute
