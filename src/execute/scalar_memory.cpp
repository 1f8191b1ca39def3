// SMEM: one access for the whole wave, and the clocks.
#include <cstring>

#include "encoding/layout.hpp"
#include "execute/memory/address.hpp"
#include "execute/memory/atomics.hpp"
#include "execute/registry.hpp"

namespace wavetank::execute {
namespace {

using isa::MemoryAction;
using isa::MemorySpecial;
using machine::Wave;

enum class Base { kAddress, kBuffer, kScratch };

/// The bytes of an access, of which `usable` lie in the buffer.
struct ScalarAccess {
  std::byte* host;
  unsigned usable_bytes;
};

template <Base kBase>
ScalarAccess locate(Wave& wave, const Op* op, unsigned bytes, bool write) {
  const MemoryOperands& memory = op->memory;
  const std::uint64_t offset = scalar_offset_bytes(wave, memory, kBase == Base::kScratch);
  std::uint64_t base = wave.scalar64(memory.scalar_base);
  unsigned usable = bytes;
  if constexpr (kBase == Base::kBuffer) {
    const BufferResource resource = buffer_resource(&wave.sgpr[memory.scalar_base]);
    base = resource.base;
    const std::uint64_t stride = resource.stride_bytes == 0 ? 1 : resource.stride_bytes;
    const std::uint64_t size = stride * resource.num_records;
    usable = 0;
    while (usable < bytes && offset + usable + 4 <= size) usable += 4;
    if (usable == 0) return {nullptr, 0};
  }
  const std::uint64_t address = (base & ~std::uint64_t{3}) + offset;
  if (!in_arena(*wave.environment, address, usable)) check_reach(wave, address, usable, 0, write);
  return {reinterpret_cast<std::byte*>(address), usable};
}

template <Base kBase, unsigned kDwords>
const Op* run_load(Wave& wave, const Op* op) {
  wave.current = op;
  const ScalarAccess access = locate<kBase>(wave, op, 4 * kDwords, false);
  std::uint32_t* const to = &wave.sgpr[op->dst / 4];
  if (access.usable_bytes == 4 * kDwords) {
    std::memcpy(to, access.host, 4 * kDwords);
  } else {
    std::uint32_t values[kDwords] = {};
    if (access.usable_bytes != 0) std::memcpy(values, access.host, access.usable_bytes);
    std::memcpy(to, values, sizeof values);
  }
  return op + op->dwords;
}

template <Base kBase, unsigned kDwords>
const Op* run_store(Wave& wave, const Op* op) {
  wave.current = op;
  const ScalarAccess access = locate<kBase>(wave, op, 4 * kDwords, true);
  if (access.usable_bytes != 0) {
    std::memcpy(access.host, &wave.sgpr[op->memory.data], access.usable_bytes);
  }
  return op + op->dwords;
}

/// Scalar atomics: an operation on SGPRs, the old value back with GLC.
template <Base kBase, isa::AtomicOperation kOperation, class T>
const Op* run_atomic(Wave& wave, const Op* op) {
  wave.current = op;
  const ScalarAccess access = locate<kBase>(wave, op, sizeof(T), true);
  if (access.usable_bytes < sizeof(T)) return op + op->dwords;
  const auto address = reinterpret_cast<std::uint64_t>(access.host);
  if (address % sizeof(T) != 0) memory_fault(wave, address, 0, true);
  T data, data2 = 0;
  std::memcpy(&data, &wave.sgpr[op->memory.data], sizeof(T));
  if (isa::compares(kOperation)) {
    std::memcpy(&data2, &wave.sgpr[op->memory.data + sizeof(T) / 4], sizeof(T));
  }
  const T old = atomic_update<kOperation, T>(access.host, data, data2, isa::memory_modes(false));
  if (op->memory.returns) std::memcpy(&wave.sgpr[op->dst / 4], &old, sizeof(T));
  return op + op->dwords;
}

const Op* run_cycles(Wave& wave, const Op* op) {
  wave.set_scalar64(op->dst / 4, wave.environment->clock->cycles());
  return op + op->dwords;
}
const Op* run_reference_time(Wave& wave, const Op* op) {
  wave.set_scalar64(op->dst / 4, wave.environment->clock->reference());
  return op + op->dwords;
}
/// Memory is coherent here: caches have nothing to write back or forget.
const Op* run_nothing(Wave&, const Op* op) { return op + op->dwords; }

/// make<dwords>() for a number that loads or stores have.
template <class Make>
Handler handler_of_dwords(unsigned dwords, Make make) {
  switch (dwords) {
    case 1: return make.template operator()<1>();
    case 2: return make.template operator()<2>();
    case 4: return make.template operator()<4>();
    case 8: return make.template operator()<8>();
    case 16: return make.template operator()<16>();
    default: return nullptr;
  }
}

template <Base kBase, class T>
Handler atomic_handler(isa::AtomicOperation operation) {
  return handler_of_atomic<isa::AtomicPlace::kScalar, 4>(
      operation,
      []<isa::AtomicOperation kOperation>() { return &run_atomic<kBase, kOperation, T>; });
}

template <Base kBase>
Handler handler_of(const isa::MemoryShape& shape) {
  switch (shape.action) {
    case MemoryAction::kLoad:
      return handler_of_dwords(shape.result_dwords,
                               []<unsigned kDwords>() { return &run_load<kBase, kDwords>; });
    case MemoryAction::kStore:
      return handler_of_dwords(shape.data_dwords,
                               []<unsigned kDwords>() { return &run_store<kBase, kDwords>; });
    case MemoryAction::kAtomic:
      return shape.element_bytes == 4 ? atomic_handler<kBase, std::uint32_t>(shape.atomic)
                                      : atomic_handler<kBase, std::uint64_t>(shape.atomic);
    case MemoryAction::kCacheControl: return run_nothing;
    default: return nullptr;
  }
}

Handler row_handler(const isa::Row& row) {
  if (row.encoding.format != isa::Format::kSmem) return nullptr;
  switch (row.memory.special) {
    case MemorySpecial::kCycles: return run_cycles;
    case MemorySpecial::kReferenceTime: return run_reference_time;
    case MemorySpecial::kScratchOffset: return handler_of<Base::kScratch>(row.memory);
    default: break;
  }
  return encoding::smem_layout(row).base_dwords == 4 ? handler_of<Base::kBuffer>(row.memory)
                                           : handler_of<Base::kAddress>(row.memory);
}

}  // namespace

void append_scalar_memory(Entries& entries) { append_rows(entries, row_handler); }

}  // namespace wavetank::execute
