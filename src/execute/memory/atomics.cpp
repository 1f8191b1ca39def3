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

/// Calls visit(lane) for the active lanes in ascending order; all 64 without a look at each bit.
template <class Visit>
[[gnu::always_inline]] inline void for_active(std::uint64_t exec, Visit visit) {
  if (exec != ~std::uint64_t{0}) return for_each_lane(exec, visit);
  for (unsigned lane = 0; lane < kLanes; ++lane) visit(lane);
}

/// The elements of all active lanes.
struct Elements {
  std::byte* host[kLanes];
  std::uint64_t shared = 0;  ///< lanes whose memory other host threads see
  std::uint64_t in_lds = 0;
  std::uint64_t split = 0;  ///< lanes whose element is not contiguous
  bool is_one = false;      ///< some lanes, and all of them have the same, which is shared
};

/// Where all lanes lie in the arena, aligned; false if one does not. No aperture lies in it, so
/// FLAT addresses in it are memory, too.
bool locate_in_arena(const Wave& wave, const Op* op, std::uint64_t exec, unsigned bytes,
                     Elements& elements) {
  const machine::Environment& environment = *wave.environment;
  if (environment.arena_size_bytes < bytes) return false;
  const MemoryOperands& memory = op->memory;
  const std::uint32_t* const low = wave.vector(memory.address);
  auto base = static_cast<std::uint64_t>(std::int64_t{memory.offset});
  const std::uint32_t high_mask = memory.has_scalar_base() ? 0 : ~0u;
  if (high_mask == 0) base += wave.scalar64(memory.scalar_base);
  const std::uint32_t* const high = high_mask == 0 ? low : low + kLanes;
  const std::uint64_t last = environment.arena_size_bytes - bytes;
  const auto address_of = [&](unsigned lane) {
    return base + low[lane] + (std::uint64_t{high[lane] & high_mask} << 32);
  };
  const std::uint64_t first = address_of(static_cast<unsigned>(std::countr_zero(exec)));
  bool outside = false;
  std::uint64_t bits = 0, differences = 0;
  for_active(exec, [&](unsigned lane) {
    const std::uint64_t address = address_of(lane);
    outside |= address - environment.arena_begin > last;
    bits |= address;
    differences |= address ^ first;
    elements.host[lane] = reinterpret_cast<std::byte*>(address);
  });
  if (outside || bits % bytes != 0) return false;
  elements.shared = exec;
  elements.is_one = differences == 0 && !std::has_single_bit(exec);
  return true;
}

/// Misaligned atomics are memory violations.
void check_alignment(Wave& wave, const Elements& elements, unsigned bytes) {
  for_each_lane(elements.shared, [&](unsigned lane) {
    const auto address = reinterpret_cast<std::uint64_t>(elements.host[lane]);
    if (address % bytes != 0) memory_fault(wave, address, lane, true);
  });
}

void locate(Wave& wave, const Op* op, Segment segment, std::uint64_t exec, unsigned bytes,
            Elements& elements) {
  if (segment != Segment::kBuffer && locate_in_arena(wave, op, exec, bytes, elements)) return;
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
  check_alignment(wave, elements, bytes);
  const auto is_first = [&](unsigned lane) {
    return elements.host[lane] == elements.host[std::countr_zero(exec)];
  };
  elements.is_one = elements.shared == exec && !std::has_single_bit(exec);
  for_each_lane(exec, [&](unsigned lane) { elements.is_one = elements.is_one && is_first(lane); });
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
  elements.is_one = false;
  environment.dropped_at.store(program_of(wave).address_of(op), std::memory_order_relaxed);
}

/// The operands of an instruction's lanes. A lane's result may land in registers that it had its
/// operands in, so it is written when the lane is done.
template <AtomicOperation kOperation, class T>
struct AtomicLanes {
  const std::uint32_t* data;
  std::uint32_t* result;  ///< null: nothing returns

  AtomicLanes(Wave& wave, const MemoryOperands& memory)
      : data(wave.vector(memory.data)),
        result(memory.returns ? wave.vector(memory.result) : nullptr) {}
  T first(unsigned lane) const { return element<T>(data, lane); }
  T second(unsigned lane) const {
    if constexpr (!compares(kOperation)) return 0;
    return element<T>(data + kLanes * (sizeof(T) / 4), lane);
  }
};

/// All lanes on one element: their operations become one exchange.
template <AtomicOperation kOperation, class T>
void update_together(std::byte* host, const AtomicLanes<kOperation, T>& lanes, std::uint64_t exec,
                     const isa::Modes& modes) {
  T* const memory = reinterpret_cast<T*>(host);
  T before = __atomic_load_n(memory, __ATOMIC_ACQUIRE);
  T value, old[kLanes];
  do {
    value = before;
    for_active(exec, [&](unsigned lane) {
      old[lane] = value;
      value =
          isa::atomic_result<kOperation, T>(value, lanes.first(lane), lanes.second(lane), modes);
    });
  } while (!__atomic_compare_exchange_n(memory, &before, value, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE));
  if (lanes.result == nullptr) return;
  for_active(exec, [&](unsigned lane) { set_element<T>(lanes.result, lane, old[lane]); });
}

/// Each lane by an operation of the host's.
template <AtomicOperation kOperation, class T, bool kReturns>
void update_shared(const Elements& elements, const AtomicLanes<kOperation, T>& lanes,
                   const isa::Modes& modes) {
  for_active(elements.shared, [&](unsigned lane) {
    const T old = atomic_update<kOperation, T>(elements.host[lane], lanes.first(lane),
                                               lanes.second(lane), modes);
    if constexpr (kReturns) set_element<T>(lanes.result, lane, old);
  });
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

/// Lanes of several kinds.
template <AtomicOperation kOperation, class T>
void update_each(Wave& wave, const Op* op, Segment segment, const Elements& elements,
                 std::uint64_t exec, const AtomicLanes<kOperation, T>& lanes,
                 const isa::Modes& modes) {
  for_each_lane(exec, [&](unsigned lane) {
    const T data = lanes.first(lane), data2 = lanes.second(lane);
    std::byte* const host = elements.host[lane];
    const auto is_in = [lane](std::uint64_t mask) { return (mask >> lane & 1) != 0; };
    T old = 0;
    if (is_in(elements.shared)) {
      old = atomic_update<kOperation, T>(host, data, data2, modes);
    } else if (is_in(elements.in_lds)) {
      old = plain_update<kOperation, T>(host, data, data2, modes);
    } else if (is_in(elements.split)) {
      old = update_split<kOperation, T>(wave, op, segment, lane, data, data2, modes);
    }
    if (lanes.result != nullptr) set_element<T>(lanes.result, lane, old);
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
  if (op->memory.coarse_only) drop_fine_grained(wave, op, elements);
  const AtomicLanes<kOperation, T> lanes(wave, op->memory);
  if (elements.is_one) {
    update_together(elements.host[std::countr_zero(exec)], lanes, exec, kModes);
  } else if (elements.shared != exec) {
    update_each(wave, op, kSegment, elements, exec, lanes, kModes);
  } else if (lanes.result != nullptr) {
    update_shared<kOperation, T, true>(elements, lanes, kModes);
  } else {
    update_shared<kOperation, T, false>(elements, lanes, kModes);
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
  const machine::Workgroup group = *wave.workgroup;
  const std::uint32_t* const address = wave.vector(memory.address);
  const auto offset = static_cast<std::uint32_t>(memory.offset);
  const bool has_two = memory.data2 != MemoryOperands::kNoRegister;
  const std::uint32_t* const data0 = wave.vector(memory.data);
  const std::uint32_t* const data1 = has_two ? wave.vector(memory.data2) : data0;
  std::uint32_t* const result = memory.returns ? wave.vector(memory.result) : nullptr;
  for_active(wave.exec(), [&](unsigned lane) {
    T data = element<T>(data0, lane);
    T data2 = has_two ? element<T>(data1, lane) : T{0};
    if constexpr (compares(kOperation)) std::swap(data, data2);
    const T old = update_lds<kOperation, T>(group, address[lane] + offset, data, data2, modes);
    if (result != nullptr) set_element<T>(result, lane, old);
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
      set.usual = memory_handler<Segment::kFlat>(shape);
      set.global = memory_handler<Segment::kGlobal>(shape);
      break;
    case isa::Format::kGlobal: set.usual = memory_handler<Segment::kGlobal>(shape); break;
    case isa::Format::kMubuf: set.usual = memory_handler<Segment::kBuffer>(shape); break;
    case isa::Format::kDs:
      set.usual = shape.element_bytes == 4 ? lds_handler<std::uint32_t>(shape)
                                           : lds_handler<std::uint64_t>(shape);
      break;
    default: break;
  }
  return set;
}

}  // namespace

void append_atomics(Entries& entries) { append_rows(entries, handlers_of); }

}  // namespace wavetank::execute
