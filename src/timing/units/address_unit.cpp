#include "timing/units/address_unit.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "timing/memory/memory_port.hpp"

namespace wavetank::timing {
namespace {

constexpr std::uint64_t kBlockBytes = 64;  ///< what one cycle can pass
constexpr std::uint64_t kQuadBytes = 16;   ///< of four dwords side by side

/// A few distinct numbers; a quad has at most eight of anything.
class Distinct {
 public:
  bool add(std::uint64_t value) {
    for (unsigned i = 0; i < count_; ++i) {
      if (values_[i] == value) return false;
    }
    if (count_ < values_.size()) values_[count_++] = value;
    return true;
  }
  unsigned count() const { return count_; }
  std::uint64_t operator[](unsigned i) const { return values_[i]; }

 private:
  std::array<std::uint64_t, 8> values_;
  unsigned count_ = 0;
};

/// The active lanes of a quad.
struct Quad {
  std::array<std::uint64_t, 4> address;
  unsigned count = 0;
};

Quad quad_of(const machine::Step& step, unsigned quad, std::uint64_t lanes, std::int64_t offset) {
  Quad result;
  for (unsigned lane = 4 * quad; lane < 4 * quad + 4; ++lane) {
    if (((lanes >> lane) & 1) == 0) continue;
    result.address[result.count++] = step.address[lane] + static_cast<std::uint64_t>(offset);
  }
  return result;
}

/// The largest number of distinct `word`s that share a `bank`, over the lanes of a quad.
template <class Bank, class Word>
unsigned worst_bank(const Quad& quad, Bank bank_of, Word word_of) {
  unsigned worst = 1;
  for (unsigned i = 0; i < quad.count; ++i) {
    Distinct words;
    for (unsigned j = 0; j < quad.count; ++j) {
      if (bank_of(quad.address[j]) == bank_of(quad.address[i])) words.add(word_of(quad.address[j]));
    }
    worst = std::max(worst, words.count());
  }
  return worst;
}

/// Quarters of a cycle that four dwords take which lie apart by a stride, by the stride modulo 16:
/// measured (RRZE-HPC/gpu-benches gpu-strides on MI210: 24.2 cycles for 32 lanes of stride 15 or
/// 17, 16.1 of 2, 8.1 of 3, 32.2 of 4 and 8, 14.1 of 5 and 7; the same for negative ones), not
/// explained.
constexpr std::array<unsigned, 9> kStrideQuarters = {16, 12, 8, 4, 16, 7, 8, 7, 16};

/// The quarters of a cycle if the lanes lie apart by one stride modulo 16 dwords, none of them
/// where another one does; 0 if not.
unsigned strided_quarters(const Quad& quad) {
  constexpr std::uint64_t kPeriod = 16;
  if (quad.count != 4 || quad.address[0] % 4 != 0) return 0;
  const std::uint64_t stride = quad.address[1] - quad.address[0];
  for (unsigned i = 1; i < 4; ++i) {
    const std::uint64_t step = quad.address[i] - quad.address[i - 1];
    if (step % 4 != 0 || (step - stride) % (4 * kPeriod) != 0) return 0;
    for (unsigned j = 0; j < i; ++j) {
      if (quad.address[j] == quad.address[i]) return 0;
    }
  }
  const std::uint64_t dwords = stride / 4 % kPeriod;
  return kStrideQuarters[std::min(dwords, kPeriod - dwords)];
}

unsigned dword_quad_cycles(const Quad& quad) {
  const unsigned lines = worst_bank(
      quad, [](std::uint64_t a) { return (a >> 4) & 3; },
      [](std::uint64_t a) { return a / kBlockBytes; });
  const unsigned dwords = worst_bank(
      quad, [](std::uint64_t a) { return (a >> 2) & 3; }, [](std::uint64_t a) { return a >> 2; });
  return std::max(lines, dwords);
}

/// Lanes of 8 or 16 bytes, 2^`shift`: words of a bank, or lines, that differ wait for each other.
unsigned wide_quad_cycles(const Quad& quad, unsigned shift) {
  const std::uint64_t banks = kBlockBytes >> shift;
  const unsigned words = worst_bank(
      quad, [=](std::uint64_t a) { return (a >> shift) % banks; },
      [=](std::uint64_t a) { return a >> shift; });
  const unsigned lines = worst_bank(
      quad, [](std::uint64_t a) { return (a / kBlockBytes) & 3; },
      [](std::uint64_t a) { return a / kBlockBytes; });
  return std::max(words, lines);
}

bool is_contiguous(const Quad& quad, unsigned bytes) {
  if (quad.count != 4) return false;
  for (unsigned i = 1; i < 4; ++i) {
    if (quad.address[i] != quad.address[0] + std::uint64_t{bytes} * i) return false;
  }
  return true;
}

/// Collects what a wave's access touches, quad by quad.
class Planner {
 public:
  Planner(std::uint32_t line_bytes, unsigned bytes, bool write, AddressPlan& plan)
      : line_bytes_(line_bytes), bytes_(bytes), write_(write), plan_(plan) {}

  void take(const Quad& quad) {
    const unsigned quarters = quarters_of(quad);
    Distinct lines;
    for (unsigned i = 0; i < quad.count; ++i) {
      const std::uint64_t first = quad.address[i], last = first + bytes_ - 1;
      for (std::uint64_t line = first / line_bytes_; line <= last / line_bytes_; ++line) {
        lines.add(line);
      }
      if (write_) note_write(first, last);
    }
    for (unsigned i = 0; i < lines.count(); ++i) note_line(lines[i] * line_bytes_);
    if (quarters != 0) {
      plan_.tag_lookups += std::max(1u, std::min((quarters + 3) / 4, lines.count()));
    }
    quarters_ += quarters;
    plan_.cycles = (quarters_ + 3) / 4;
  }

 private:
  /// Quads of dwords side by side join the run of the quads before, up to a cycle's 64 bytes.
  unsigned quarters_of(const Quad& quad) {
    if (bytes_ > 8) return 4 * wide_quad_cycles(quad, 4);
    if (bytes_ == 8) return 4 * wide_quad_cycles(quad, 3);
    if (bytes_ != 4 || !is_contiguous(quad, 4)) {
      run_bytes_ = 0;
      const unsigned strided = bytes_ == 4 ? strided_quarters(quad) : 0;
      return strided != 0 ? strided : 4 * dword_quad_cycles(quad);
    }
    const bool joins = run_bytes_ != 0 && quad.address[0] == run_end_;
    run_bytes_ = joins ? (run_bytes_ + kQuadBytes) % kBlockBytes : kQuadBytes;
    run_end_ = quad.address[0] + kQuadBytes;
    return joins ? 0 : 4;
  }

  void note_line(std::uint64_t address) {
    // A line that the quad before asked for is still at hand.
    for (std::size_t i = plan_.lines.size(); i > 0 && i + 4 > plan_.lines.size(); --i) {
      if (plan_.lines[i - 1].address == address) return;
    }
    plan_.lines.push_back({address, plan_.cycles});
  }

  void note_write(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t sector = first / kSectorBytes; sector <= last / kSectorBytes; ++sector) {
      const std::uint64_t block = sector / 2 * kBlockBytes;
      const auto bit = static_cast<std::uint8_t>(1u << (sector % 2));
      WriteRequest* found = nullptr;
      for (std::size_t i = plan_.writes.size(); i > 0 && i + 8 > plan_.writes.size(); --i) {
        if (plan_.writes[i - 1].address == block) found = &plan_.writes[i - 1];
      }
      if (found == nullptr) {
        plan_.writes.push_back({block, 0, 0, plan_.cycles});
        found = &plan_.writes.back();
      }
      found->sectors |= bit;
      const std::uint64_t begin = std::max(first, sector * kSectorBytes);
      const std::uint64_t end = std::min(last + 1, (sector + 1) * kSectorBytes);
      found->bytes = static_cast<std::uint8_t>(found->bytes + (end - begin));
    }
  }

  std::uint32_t line_bytes_;
  unsigned bytes_;
  bool write_;
  AddressPlan& plan_;
  /// Of quads of dwords side by side: bytes of the cycle under way (0: the next one begins a
  /// cycle), and where they end.
  std::uint64_t run_bytes_ = 0, run_end_ = 0;
  std::uint32_t quarters_ = 0;  ///< of cycles, up to now
};

/// A whole wave side by side from an aligned block on: by far the most frequent shape.
bool plan_contiguous(const machine::Step& step, std::uint32_t line_bytes, bool write,
                     AddressPlan& plan) {
  const unsigned bytes = step.access_bytes;
  if (step.lanes != ~std::uint64_t{0} || step.access_count != 1 || bytes < 4 || bytes == 12) {
    return false;
  }
  const std::uint64_t base = step.address[0];
  if (base % kBlockBytes != 0) return false;
  bool contiguous = true;
  for (unsigned lane = 0; lane < 64; ++lane) {
    contiguous &= step.address[lane] == base + std::uint64_t{bytes} * lane;
  }
  if (!contiguous) return false;
  const std::uint32_t total = 64 * bytes;
  plan.cycles = bytes == 4 ? total / 64 : 16;
  plan.tag_lookups = plan.cycles;
  plan.accesses = bytes == 4 ? 16 : 64;
  plan.coalesced = bytes == 4 ? 1 : 0;
  const double bytes_per_cycle = static_cast<double>(total) / plan.cycles;
  for (std::uint64_t line = base / line_bytes * line_bytes; line < base + total;
       line += line_bytes) {
    const double offset = line > base ? static_cast<double>(line - base) : 0.0;
    plan.lines.push_back({line, static_cast<std::uint32_t>(offset / bytes_per_cycle)});
  }
  for (std::uint64_t block = base; write && block < base + total; block += kBlockBytes) {
    const auto cycle = static_cast<double>(block - base) / bytes_per_cycle;
    plan.writes.push_back({block, 3, 64, static_cast<std::uint32_t>(cycle)});
  }
  return true;
}

}  // namespace

void plan_accesses(const machine::Step& step, std::uint32_t line_bytes, bool write,
                   AddressPlan& plan) {
  plan.clear();
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  const auto count = static_cast<std::uint32_t>(std::popcount(lanes));
  plan.bytes = count * step.access_bytes * step.access_count;
  if (count == 0) return;
  if (plan_contiguous(step, line_bytes, write, plan)) return;
  Planner planner(line_bytes, std::max(1u, step.access_bytes), write, plan);
  for (unsigned access = 0; access < step.access_count; ++access) {
    const std::int64_t offset = access * step.access_stride;
    for (unsigned quad = 0; quad < 16; ++quad) {
      const Quad lanes_of_quad = quad_of(step, quad, lanes, offset);
      if (lanes_of_quad.count != 0) planner.take(lanes_of_quad);
    }
  }
  plan.accesses = plan.cycles == 4 * step.access_count && step.access_bytes == 4
                      ? 16 * step.access_count
                      : 64 * step.access_count;
}

}  // namespace wavetank::timing
