#include "execute/lane_control.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace wavetank::execute {
namespace {

using machine::kLanes;
using machine::Wave;

/// The scratch register of a result, before that of its second dword.
constexpr unsigned kResultRow = kScratchRows - 2;

/// Offset of scratch register `index`.
std::uint32_t scratch(const Wave& wave, unsigned index) { return 256 * (wave.vgpr_count + index); }

/// The selected bits of each lane. The same shifts for all lanes, so that the host takes many at a
/// time.
void select_lanes(const std::uint32_t* from, std::uint32_t* to, SdwaField field, bool sign_extend) {
  const unsigned up = 32 - field.shift - field.width, down = 32 - field.width;
  if (sign_extend) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      to[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(from[lane] << up) >> down);
    }
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = from[lane] << up >> down;
  }
}

/// Puts the result of each lane in `lanes` into `to`, where DST_SEL says; DST_UNUSED: 0 zeros, 1
/// the sign above it, 2 the old bits.
void merge_lanes(const std::uint32_t* results, std::uint32_t* to, SdwaField field, unsigned unused,
                 std::uint64_t lanes) {
  constexpr unsigned kSignExtend = 1, kPreserve = 2;
  const std::uint32_t mask = field.mask();
  const std::uint32_t kept = unused == kPreserve ? ~mask : 0;
  const std::uint32_t above = unused == kSignExtend ? ~(mask | (mask - 1)) : 0;
  std::uint32_t merged[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const auto sign = static_cast<std::int32_t>(results[lane] << (32 - field.width)) >> 31;
    merged[lane] = (results[lane] << field.shift & mask) | (to[lane] & kept) |
                   (static_cast<std::uint32_t>(sign) & above);
  }
  if (lanes == ~std::uint64_t{0}) {
    std::memcpy(to, merged, sizeof merged);
  } else {
    machine::for_each_lane(lanes, [&](unsigned lane) { to[lane] = merged[lane]; });
  }
}

/// A dword source of an SDWA op, as a register; `room` is for one that is none.
const std::uint32_t* source_lanes(Wave& wave, const Op* op, unsigned index, std::uint32_t* room) {
  if (op->kind[index] == Source::kVector) return vector_at(wave, op->src[index]);
  const std::uint32_t value =
      op->kind[index] == Source::kScalar ? wave.sgpr[op->src[index] / 4] : op->src[index];
  std::fill_n(room, kLanes, value);
  return room;
}

/// The inner op: same operands, no lane control left.
Op inner_of(const Op* op) {
  Op inner = *op;
  inner.run = op->lanes.inner;
  std::memset(inner.constant, 0, sizeof inner.constant);
  return inner;
}

/// dpp_source_lane of all lanes for one control: itself where there is none.
struct DppLanes {
  std::array<std::uint8_t, kLanes> from;
  std::uint64_t exists = 0;
};

/// The lanes of each of the 512 controls, found once: reductions of a wave run little else.
const DppLanes& dpp_lanes(unsigned ctrl) {
  static const std::array<DppLanes, 512> all = [] {
    std::array<DppLanes, 512> controls{};
    for (unsigned control = 0; control < controls.size(); ++control) {
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const int from = dpp_source_lane(control, lane);
        controls[control].from[lane] = static_cast<std::uint8_t>(lane);
        if (from < 0) continue;
        controls[control].from[lane] = static_cast<std::uint8_t>(from);
        controls[control].exists |= std::uint64_t{1} << lane;
      }
    }
    return controls;
  }();
  return all[ctrl & 511];
}

/// Lanes of the rows of 16 in `row_mask` and, in each row, of the banks of 4 in `bank_mask`.
std::uint64_t dpp_selected(unsigned row_mask, unsigned bank_mask) {
  std::uint64_t rows = 0, banks = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((row_mask >> i) & 1) rows |= std::uint64_t{0xffff} << (16 * i);
    if ((bank_mask >> i) & 1) banks |= std::uint64_t{0x000f000f000f000f} << (4 * i);
  }
  return rows & banks;
}

/// Lanes whose source lane exists and is active.
std::uint64_t dpp_valid(const DppLanes& lanes, std::uint64_t exec) {
  if (exec == ~std::uint64_t{0}) return lanes.exists;
  std::uint64_t active = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    active |= ((exec >> lanes.from[lane]) & 1) << lane;
  }
  return active & lanes.exists;
}

}  // namespace

SdwaField::SdwaField(unsigned select) {
  if (select < 4) {
    shift = 8 * select;
    width = 8;
  } else if (select < 6) {
    shift = 16 * (select - 4);
    width = 16;
  }
}

int dpp_source_lane(unsigned ctrl, unsigned lane) {
  const unsigned row = lane & ~15u, in_row = lane & 15u, n = ctrl & 15;
  if (ctrl <= 0xff) return static_cast<int>((lane & ~3u) | ((ctrl >> (2 * (lane & 3))) & 3));
  switch (ctrl & ~15u) {
    case 0x100: return in_row + n <= 15 ? static_cast<int>(lane + n) : -1;
    case 0x110: return in_row >= n ? static_cast<int>(lane - n) : -1;
    case 0x120: return static_cast<int>(row | ((in_row - n) & 15));
    case 0x150: return static_cast<int>(row | n);
    default: break;
  }
  switch (ctrl) {
    case 0x130: return lane < kLanes - 1 ? static_cast<int>(lane + 1) : -1;
    case 0x134: return static_cast<int>((lane + 1) % kLanes);
    case 0x138: return lane > 0 ? static_cast<int>(lane - 1) : -1;
    case 0x13c: return static_cast<int>((lane + kLanes - 1) % kLanes);
    case 0x140: return static_cast<int>(row | (15 - in_row));
    case 0x141: return static_cast<int>((lane & ~7u) | (7 - (lane & 7)));
    // Rows that nothing is broadcast to read themselves, whatever BOUND_CTRL says: the ISA guides
    // are silent, AMD's tests of rocWMMA's cross-lane operations on gfx9 ask for it.
    case 0x142: return static_cast<int>(row > 0 ? row - 1 : lane);
    case 0x143: return static_cast<int>(lane >= 32 ? 31 : lane);
    default: return -1;
  }
}

const Op* run_sdwa(Wave& wave, const Op* op) {
  const isa::Row& row = row_of(*op);
  Op inner = inner_of(op);
  const std::uint8_t select[2] = {op->lanes.src0_sel, op->lanes.src1_sel};
  const unsigned encoded_sources = row.encoding.format == isa::Format::kVop1 ? 1 : 2;
  for (unsigned i = 0; i < encoded_sources; ++i) {
    std::uint32_t* const to = vector_at(wave, scratch(wave, i));
    select_lanes(source_lanes(wave, op, i, to), to, SdwaField(select[i]),
                 ((op->lanes.sext >> i) & 1) != 0);
    inner.kind[i] = Source::kVector;
    inner.src[i] = scratch(wave, i);
  }
  const std::uint64_t exec = wave.exec();
  const unsigned results = isa::dwords_of(row.result.type);
  std::uint32_t* const old = vector_at(wave, op->dst);
  std::uint32_t* const fresh = vector_at(wave, scratch(wave, kResultRow));
  std::memcpy(fresh, old, std::size_t{4} * kLanes * results);
  if (results != 0) inner.dst = scratch(wave, kResultRow);
  inner.run(wave, &inner);
  for (unsigned i = 0; i < results; ++i) {
    merge_lanes(fresh + i * kLanes, old + i * kLanes, SdwaField(op->lanes.dst_sel),
                op->lanes.dst_unused, exec);
  }
  return op + op->dwords;
}

const Op* run_dpp(Wave& wave, const Op* op) {
  const isa::Row& row = row_of(*op);
  Op inner = inner_of(op);
  const std::uint64_t exec = wave.exec();
  const DppLanes& lanes = dpp_lanes(op->lanes.dpp_ctrl);
  const std::uint64_t valid = dpp_valid(lanes, exec);
  const std::uint64_t selected = dpp_selected(op->lanes.row_mask, op->lanes.bank_mask);
  const std::uint64_t enabled = op->lanes.bound_ctrl ? selected : selected & valid;
  const unsigned dwords = isa::dwords_of(row.sources[0].type);
  for (unsigned dword = 0; dword < dwords; ++dword) {
    const std::uint32_t* from = vector_at(wave, op->src[0] + 256 * dword);
    std::uint32_t* to = vector_at(wave, scratch(wave, dword));
    for (unsigned lane = 0; lane < kLanes; ++lane) to[lane] = from[lanes.from[lane]];
    machine::for_each_lane(~valid, [&](unsigned lane) { to[lane] = 0; });
  }
  inner.src[0] = scratch(wave, 0);
  inner.kind[0] = Source::kVector;
  wave.set_exec(exec & enabled);
  inner.run(wave, &inner);
  wave.set_exec(exec);
  return op + op->dwords;
}

}  // namespace wavetank::execute
