// A wave, its workgroup and a small device, to run single memory instructions on.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csetjmp>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

#include "execute/handlers.hpp"
#include "isa/catalogue.hpp"
#include "isa/mnemonic.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::testing {

inline constexpr std::uint64_t kSharedAperture = 0x0001'0000'0000'0000;
inline constexpr std::uint64_t kPrivateAperture = 0x0002'0000'0000'0000;
inline constexpr std::uint32_t kRegisters = 64;
inline constexpr std::uint32_t kLdsBytes = 4096;
inline constexpr std::uint32_t kArenaBytes = 32 * 1024;
/// The wave's scratch: 64 bytes for each lane, at this offset in the arena.
inline constexpr std::uint32_t kScratchAt = 16 * 1024;
inline constexpr std::uint32_t kScratchBytes = 64 * 64;

struct FixedClock : machine::Clock {
  std::uint64_t cycles() override { return 0x123456789a; }
  std::uint64_t reference() override { return 0xabcdef0123; }
};

/// One wave on a device whose whole memory is `arena()`.
class Machine {
 public:
  Machine() {
    arena_.resize(kArenaBytes + 128);
    lds_.resize(kLdsBytes + 64 + 1024);
    registers_.resize(kRegisters * 64 + 16);
    environment.arena_begin = reinterpret_cast<std::uint64_t>(align(arena_.data()));
    environment.arena_size_bytes = kArenaBytes;
    environment.clock = &clock_;
    environment.shared_aperture = kSharedAperture;
    environment.private_aperture = kPrivateAperture;
    workgroup.lds = reinterpret_cast<std::byte*>(align(lds_.data()));
    workgroup.lds_bytes = kLdsBytes;
    wave.vgpr = reinterpret_cast<std::uint32_t*>(align(registers_.data()));
    wave.vgpr_count = kRegisters;
    wave.environment = &environment;
    wave.workgroup = &workgroup;
    wave.mode.bits = 0x3f0;
    wave.scratch_bytes = kScratchBytes;
    wave.fault_exit = &fault_exit_;
    wave.set_scalar64(102, address(kScratchAt));
    wave.set_exec(~std::uint64_t{0});
    fill();
  }

  std::byte* arena() { return reinterpret_cast<std::byte*>(environment.arena_begin); }
  std::uint64_t address(std::uint64_t offset) const { return environment.arena_begin + offset; }
  /// Puts a known pattern everywhere.
  void fill() {
    static const std::vector<std::byte> noise = [] {
      std::mt19937 random(1);
      std::vector<std::byte> bytes(kArenaBytes + kLdsBytes + 1024 + kRegisters * 256);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
      return bytes;
    }();
    const std::byte* from = noise.data();
    std::memcpy(arena(), from, kArenaBytes);
    std::memcpy(workgroup.lds, from += kArenaBytes, kLdsBytes + 1024);
    std::memcpy(wave.vgpr, from + kLdsBytes + 1024, kRegisters * 256);
  }
  std::uint32_t& lane(unsigned reg, unsigned l) { return wave.vgpr[64 * reg + l]; }
  void set_address(unsigned reg, unsigned l, std::uint64_t value) {
    lane(reg, l) = static_cast<std::uint32_t>(value);
    lane(reg + 1, l) = static_cast<std::uint32_t>(value >> 32);
  }
  template <class T>
  T at(std::uint64_t offset) {
    T value;
    std::memcpy(&value, arena() + offset, sizeof value);
    return value;
  }
  template <class T>
  void put(std::uint64_t offset, T value) {
    std::memcpy(arena() + offset, &value, sizeof value);
  }

  /// Runs an instruction; false if it left by a memory fault (wave.fault tells).
  bool run(std::string_view name, const MemoryOperands& memory,
           const isa::Target& target = isa::kGfx942, std::uint32_t dst = 0) {
    const isa::Row* row = isa::find_row(name, target);
    if (row == nullptr) throw std::runtime_error("no row " + std::string(name));
    const HandlerSet& set = handlers()[row->id];
    Op code[3];  // the instruction, its second slot, and what follows
    Op& op = code[0];
    op.dwords = 2;
    op.row = row->id;
    op.dst = dst;
    op.memory = memory;
    op.run = row->encoding.format == isa::Format::kFlat
                 ? set.in_segment(isa::segment_of(*row, name))
                 : set.usual;
    if (op.run == nullptr) throw std::runtime_error("no handler " + std::string(name));
    if (setjmp(fault_exit_) != 0) return false;
    next = op.run(wave, &op);
    EXPECT_TRUE(next == &code[2] || next == nullptr);
    return true;
  }

  machine::Wave wave;
  machine::Workgroup workgroup;
  machine::Environment environment;
  const Op* next = nullptr;

 private:
  template <class T>
  static std::uintptr_t align(T* pointer) {
    return (reinterpret_cast<std::uintptr_t>(pointer) + 63) / 64 * 64;
  }
  std::vector<std::byte> arena_, lds_;
  std::vector<std::uint32_t> registers_;
  FixedClock clock_;
  std::jmp_buf fault_exit_;
};

/// Operands with nothing set: no scalar base, no result, SOFFSET 0.
inline MemoryOperands operands() {
  MemoryOperands memory{};
  memory.scalar_base = 0x7f;
  memory.scalar_offset = 0x80;
  memory.address = memory.data = memory.data2 = memory.result = 0xffff;
  return memory;
}

/// EXEC masks: none, all, prefixes, single lanes, holes.
inline std::vector<std::uint64_t> exec_patterns() {
  return {0,
          ~std::uint64_t{0},
          1,
          std::uint64_t{1} << 63,
          std::uint64_t{1} << 17,
          0xff,
          0xffffffff,
          0x7fffffffffffffff,
          0xfffffffffffffffe,
          0x5555555555555555,
          0xf0f0000000000f00,
          0x8000000000000001};
}

/// How lanes' offsets lie; each gives 64 offsets below `limit`.
enum class Pattern { kContiguous, kUniform, kStride, kReversed, kRandom, kMisaligned, kOneOff };
inline constexpr Pattern kPatterns[] = {Pattern::kContiguous, Pattern::kUniform,
                                        Pattern::kStride,     Pattern::kReversed,
                                        Pattern::kRandom,     Pattern::kMisaligned,
                                        Pattern::kOneOff};

inline std::vector<std::uint32_t> offsets(Pattern pattern, std::uint32_t bytes,
                                          std::uint32_t limit) {
  std::vector<std::uint32_t> result(64);
  std::mt19937 random(7);
  for (std::uint32_t l = 0; l < 64; ++l) {
    switch (pattern) {
      case Pattern::kContiguous: result[l] = 64 + l * bytes; break;
      case Pattern::kUniform: result[l] = 48; break;
      case Pattern::kStride: result[l] = 16 + l * (bytes + 4); break;
      case Pattern::kReversed: result[l] = 16 + (63 - l) * bytes; break;
      case Pattern::kRandom:
        result[l] = static_cast<std::uint32_t>(random()) % (limit - bytes);
        break;
      case Pattern::kMisaligned: result[l] = 3 + l * bytes; break;
      case Pattern::kOneOff: result[l] = 64 + l * bytes + (l == 41 ? 8 : 0); break;
    }
  }
  return result;
}

}  // namespace wavetank::execute::testing
