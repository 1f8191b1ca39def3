// Ops with loads and stores, compiled and by their handlers, on the machine of memory_machine.hpp.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <optional>
#include <vector>

#include "execute/jit/blocks.hpp"
#include "execute/jit/run.hpp"
#include "jit_state.hpp"
#include "memory_machine.hpp"
#include "stop_op.hpp"

namespace wavetank::execute::testing {

using machine::AccessGuard;

inline constexpr unsigned kA = 10, kB = 12, kC = 14;  // register pairs with addresses
inline constexpr std::uint32_t kBase = 4096, kLimit = 2048;

inline const isa::Row& row_named(std::string_view name) {
  return *isa::find_row(name, isa::kGfx942);
}

inline Op move(std::string_view name, unsigned address, unsigned data, std::int32_t offset = 0,
               std::uint8_t scalar_base = 0x7f) {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].global;
  op.memory = operands();
  op.memory.segment = isa::Format::kGlobal;
  op.memory.address = static_cast<std::uint16_t>(address);
  op.memory.offset = offset;
  op.memory.scalar_base = scalar_base;
  (row.memory.result_dwords != 0 ? op.memory.result : op.memory.data) =
      static_cast<std::uint16_t>(data);
  return op;
}
inline Op load(unsigned address, unsigned to, std::int32_t offset = 0) {
  return move("global_load_dword", address, to, offset);
}
inline Op store(unsigned address, unsigned from, std::int32_t offset = 0) {
  return move("global_store_dword", address, from, offset);
}
inline Op add(unsigned dst, unsigned a, unsigned b, const char* name = "v_add_f32") {
  Op op;
  const isa::Row& row = row_named(name);
  op.row = row.id;
  op.run = handlers()[row.id].usual;
  op.op_sel_hi = 7;
  op.dst = 256 * dst;
  op.src[0] = 256 * a;
  op.src[1] = 256 * b;
  return op;
}
inline Op simple(const char* name) {
  Op op;
  op.row = row_named(name).id;
  op.run = handlers()[op.row].usual;
  return op;
}

inline void set_addresses(Machine& machine, unsigned reg, Pattern pattern, std::uint64_t from) {
  const auto lanes = offsets(pattern, 4, kLimit);
  for (unsigned l = 0; l < 64; ++l) machine.set_address(reg, l, machine.address(from + lanes[l]));
}

/// The ops as a program runs them, and what keeps their code.
struct CompiledOps {
  std::vector<Op> ops;
  std::unique_ptr<jit::Blocks> blocks;
};
inline CompiledOps compile(std::vector<Op> ops) {
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  ops = with_stop(std::move(ops));
  auto blocks = jit::Blocks::compile(ops, slots, {}, {}, Compiled::kChains);
  return {std::move(ops), std::move(blocks)};
}

class JitMemory : public Jit {
 protected:
  /// Runs ops by their handlers and as compiled, from what `prepare` sets up. Gives what the code
  /// that loads and stores has noted; nothing if it was not tried.
  static std::optional<AccessGuard> expect_same(const std::vector<Op>& ops,
                                                const std::function<void(Machine&)>& prepare,
                                                bool with_registers = true) {
    const CompiledOps code = compile(ops);
    if (code.blocks != nullptr) code.blocks->set_patience(0);
    Machine machine;
    prepare(machine);
    run_to_stop(machine.wave, with_stop(ops));
    const std::vector<std::byte> memory(machine.arena(), machine.arena() + kArenaBytes);
    const std::byte* const lds = machine.workgroup.lds;
    const std::vector<std::byte> shared(lds, lds + kLdsBytes);
    const std::uint32_t* const file = machine.wave.vgpr;
    const std::vector<std::uint32_t> registers(file, file + std::size_t{64} * kRegisters);
    machine.fill();
    prepare(machine);
    run_to_stop(machine.wave, code.ops);
    const auto expect_equal = [&] {
      EXPECT_TRUE(std::equal(memory.begin(), memory.end(), machine.arena())) << "memory differs";
      EXPECT_TRUE(std::equal(shared.begin(), shared.end(), lds)) << "LDS differs";
      EXPECT_TRUE(!with_registers || std::equal(registers.begin(), registers.end(), file))
          << "registers differ";
    };
    expect_equal();
    if (machine.wave.guard == nullptr) return std::nullopt;
    const AccessGuard guard = *machine.wave.guard;
    // Once more, with careful code for what was left.
    machine.fill();
    prepare(machine);
    run_to_stop(machine.wave, code.ops);
    expect_equal();
    return guard;
  }
};

inline void three_arrays(Machine& machine, Pattern pattern) {
  set_addresses(machine, kA, pattern, kBase);
  set_addresses(machine, kB, pattern, kBase + kLimit);
  set_addresses(machine, kC, pattern, kBase + 2 * kLimit);
  for (std::uint64_t at = kBase; at < kBase + 2 * kLimit; at += 4) {
    machine.put(at, 0.5f * static_cast<float>(at));
  }
}

inline const std::vector<Op>& vector_addition() {
  static const std::vector<Op> ops{load(kA, 2), load(kB, 3, -8), simple("s_waitcnt"), add(4, 2, 3),
                                   store(kC, 4, 16)};
  return ops;
}

/// Runs ops as compiled; false if it left by a memory fault.
inline bool runs(Machine& machine, const CompiledOps& code) {
  std::jmp_buf exit;
  machine.wave.fault_exit = &exit;
  if (setjmp(exit) != 0) return false;
  run_to_stop(machine.wave, code.ops);
  return true;
}

}  // namespace wavetank::execute::testing
