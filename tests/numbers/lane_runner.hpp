// Runs one per-lane instruction on 64 operand tuples, as a wave of the virtual device does.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "execute/handlers.hpp"
#include "isa/catalogue.hpp"
#include "machine/wave.hpp"

namespace wavetank::numbers {

/// A value for each lane.
using Lanes = std::array<std::uint64_t, 64>;

class LaneRunner {
 public:
  /// The instruction of this name; on gfx942 if it has it, else on gfx90a.
  explicit LaneRunner(std::string_view name) {
    row_ = isa::find_row(name, isa::kGfx942);
    if (row_ == nullptr) row_ = isa::find_row(name, isa::kGfx90a);
    if (row_ == nullptr) throw std::out_of_range("no row " + std::string(name));
    const execute::HandlerSet& set = execute::handlers()[row_->id];
    exact_ = set.exact;
    fast_ = set.usual != nullptr ? set.usual : set.exact;
    wave_.vgpr = vgpr_;
    wave_.vgpr_count = kRegisters;
    set_mode(kDefaultMode);
    wave_.set_exec(~std::uint64_t{0});
    op_.op_sel_hi = 7;
    op_.row = row_->id;
    op_.keeps_high_half = row_->keeps_high_half;
    for (unsigned i = 0, index = 0; i < row_->source_count(); ++i) {
      const bool accumulates = row_->sources[i].role == isa::Role::kAccumulator;
      place_[i] = accumulates ? 0 : 4 + 2 * index;
      if (accumulates) continue;
      op_.kind[index] = execute::Source::kVector;
      op_.src[index++] = 256 * place_[i];
    }
  }
  LaneRunner(const LaneRunner&) = delete;
  LaneRunner& operator=(const LaneRunner&) = delete;

  /// MODE: bits 1:0 the rounding of f32, 3:2 of f64 and f16, 5:4 and 7:6 their denormals.
  void set_mode(std::uint32_t bits) { wave_.mode.bits = bits; }
  static constexpr std::uint32_t kDefaultMode = 0x3f0;  ///< nearest-even, denormals kept, IEEE
  /// Gives operand `index` its values.
  void set(unsigned index, const Lanes& values) { store(place_[index], values); }
  unsigned operand_count() const { return row_->source_count(); }
  /// The result by the handler that launches use, or lane by lane.
  Lanes fast() { return run(fast_); }
  Lanes exact() { return run(exact_); }

 private:
  static constexpr unsigned kRegisters = 16;

  void store(unsigned first, const Lanes& values) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      vgpr_[64 * first + lane] = static_cast<std::uint32_t>(values[lane]);
      vgpr_[64 * (first + 1) + lane] = static_cast<std::uint32_t>(values[lane] >> 32);
    }
  }
  Lanes run(execute::Handler handler) {
    if (place_[0] != 0 && (row_->source_count() < 3 || place_[2] != 0)) store(0, Lanes{});
    handler(wave_, &op_);
    Lanes results;
    const bool wide = isa::dwords_of(row_->result.type) == 2;
    for (unsigned lane = 0; lane < 64; ++lane) {
      results[lane] = vgpr_[lane] | (wide ? std::uint64_t{vgpr_[64 + lane]} << 32 : 0);
    }
    return results;
  }

  const isa::Row* row_;
  execute::Handler fast_, exact_;
  machine::Wave wave_;
  execute::Op op_;
  unsigned place_[4] = {};
  alignas(64) std::uint32_t vgpr_[kRegisters * 64] = {};
};

}  // namespace wavetank::numbers
