// What a program is made from.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "isa/target.hpp"
#include "machine/edge.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute {

/// An edge before the instruction at an address.
struct PlacedEdge {
  std::uint64_t address = 0;
  machine::EdgeKind kind = machine::EdgeKind::kBarrier;
};

/// Whether a program's instructions tell the launch's listener.
enum class Listening : std::uint8_t {
  kNone,
  kHeard,    ///< those that is_heard() names; the rest may be compiled
  kWatched,  ///< those, and all are executed one by one, to follow undefined bits
             ///< (watch/trial.hpp)
};

/// What of a program becomes host code (jit/blocks.hpp).
enum class Compiled : std::uint8_t {
  kNothing,
  kChains,     ///< all that can be; a chain goes on with the code of what is behind it
  kStretches,  ///< what is_private(); gives what is behind it, as a handler does
};

/// The MODE of floats that a program is for.
struct FloatModes {
  bool exact = false;  ///< not the default: by the exact handlers, which honour every MODE
  bool drawn = true;   ///< compiled code knows it: what of it is not the default stands below
  bool flushes_f32 = false;
  bool ieee = true, dx10_clamp = true;

  /// Of a wave's MODE; all that compiled code does not know give the same.
  static FloatModes of(machine::Mode mode) {
    if (mode.is_default()) return {};
    const unsigned denormals = mode.f32_denormals();
    if (!mode.rounds_as_default() || (denormals != 0 && denormals != 3)) {
      return {.exact = true, .drawn = false};
    }
    return {.exact = true,
            .flushes_f32 = denormals == 0,
            .ieee = mode.ieee(),
            .dx10_clamp = mode.dx10_clamp()};
  }
  auto operator<=>(const FloatModes&) const = default;
};

/// An executable segment of a code object, in memory.
struct CodeRange {
  const std::byte* code = nullptr;
  std::uint64_t bytes = 0;
};

/// What translation needs to know of a kernel and its code object.
struct ProgramSpec {
  const isa::Target* target = &isa::kGfx90a;
  const std::byte* code = nullptr;  ///< first byte of the executable segment, in memory
  std::uint64_t code_bytes = 0;
  /// Address of the first instruction; 0 for another code object's functions, which are translated
  /// when they are called.
  std::uint64_t entry = 0;
  std::vector<std::uint64_t> functions;  ///< addresses of functions with a dynamic symbol
  std::uint32_t vgpr_count = 0;          ///< allocated registers, both kinds
  std::uint32_t accum_offset = 0;        ///< first AccVGPR
  std::uint64_t shared_aperture = 0, private_aperture = 0;
  FloatModes floats = {};
  bool skips_vectors = false;              ///< MODE.VSKIP: vector instructions do nothing
  Compiled compiled = Compiled::kNothing;  ///< what becomes host code, if it is in such a MODE
  Listening listening = Listening::kNone;  ///< instructions tell the launch's listener first
  bool all_heard = false;                  ///< the listener hears of every instruction
  std::vector<PlacedEdge> edges = {};      ///< what a listened program does beside its code
  bool barrier_elsewhere = false;          ///< functions of a kernel whose own code has barriers
  /// The loaded code that holds an address outside of `code`, no bytes if there is none. Empty: no
  /// other code is loaded.
  std::function<CodeRange(std::uint64_t address)> find_code = {};

  /// True if none of it becomes host code.
  bool is_for_handlers() const { return !floats.drawn || skips_vectors; }
};

}  // namespace wavetank::execute
