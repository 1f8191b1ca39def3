#include "execute/step_address.hpp"

#include "execute/memory/address.hpp"
#include "execute/memory/buffer_format.hpp"
#include "execute/memory/image_lane.hpp"

namespace wavetank::execute {
namespace {

using isa::MemorySpecial;
using machine::Step;
using machine::Wave;

/// Bytes between two dwords of a lane in swizzled scratch: a dword of every lane.
constexpr std::int64_t kScratchRowBytes = 256;

/// A scratch access goes dword by dword, the lanes side by side.
void split_into_dwords(Step& step) {
  step.access_count = (step.access_bytes + 3) / 4;
  if (step.access_bytes > 4) step.access_bytes = 4;
  step.access_stride = kScratchRowBytes;
  step.scratch = true;
}

void collect_global(const Wave& wave, const MemoryOperands& memory, Step& step) {
  const std::uint32_t* const low = wave.vector(memory.address);
  const auto offset = static_cast<std::uint64_t>(std::int64_t{memory.offset});
  if (memory.has_scalar_base()) {
    return step.address.refer(low, nullptr, wave.scalar64(memory.scalar_base) + offset);
  }
  step.address.refer(low, wave.vector(memory.address + 1u), offset);
}

/// Lanes that address scratch access it as scratch instructions do; if only some do, their dwords
/// are taken for neighbours.
void collect_flat(const Wave& wave, const MemoryOperands& memory, Step& step) {
  collect_global(wave, memory, step);
  step.address.settle_each();
  const machine::Environment& environment = *wave.environment;
  std::uint64_t elsewhere = 0;  // lanes that do not address scratch
  for (unsigned lane = 0; lane < 64; ++lane) {
    std::uint64_t& address = step.address.slot(lane);
    const std::uint64_t window = address >> 32;
    if (window == environment.shared_aperture >> 32) {
      step.lds_lanes |= std::uint64_t{1} << lane;
      address &= 0xffffffffu;
    } else if (window == environment.private_aperture >> 32) {
      address = wave.flat_scratch() + scratch_swizzle(static_cast<std::uint32_t>(address), lane);
      continue;
    }
    elsewhere |= std::uint64_t{1} << lane;
  }
  step.lds_lanes &= step.lanes;
  if ((step.lanes & elsewhere) == 0) split_into_dwords(step);
}

void collect_scratch(const Wave& wave, const MemoryOperands& memory, Step& step) {
  const std::uint64_t base = wave.flat_scratch();
  for (unsigned lane = 0; lane < 64; ++lane) {
    step.address.slot(lane) = base + scratch_swizzle(scratch_offset(wave, memory, lane), lane);
  }
  split_into_dwords(step);
}

void collect_buffer(const Wave& wave, const Op* op, Step& step) {
  const BufferAccess access(wave, op);
  std::uint64_t in_range = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const std::uint64_t offset = access.offset(lane, 0);
    if (access.in_range(lane, offset, 1)) in_range |= std::uint64_t{1} << lane;
    step.address.slot(lane) = access.address(lane, offset);
  }
  step.lanes &= in_range;
  if (access.swizzled()) split_into_dwords(step);
}

/// The texel of each lane; of a filtered sample the first, whose neighbours are near.
void collect_image(const Wave& wave, const Op* op, Step& step) {
  const ImageOp image = ImageOp::of(wave, op);
  step.access_bytes = image.image.format.bytes;
  if (!image.can_run() || image.shape.access == isa::ImageAccess::kInfo) step.access_count = 0;
  if (step.access_count == 0) return;
  std::uint64_t inside = 0;
  for (unsigned lane = 0; lane < 64; ++lane) {
    step.address.slot(lane) = 0;
    if (image.shape.access != isa::ImageAccess::kSample) {
      step.address.slot(lane) = image.texel(lane);
    } else if (const Taps taps = image.taps(lane); taps.count != 0 && !taps.tap[0].border) {
      step.address.slot(lane) = texel_address(image.image, taps.tap[0].place);
    }
    if (step.address[lane] != 0) inside |= std::uint64_t{1} << lane;
  }
  step.lanes &= inside;
}

void collect_lds(const Wave& wave, const MemoryOperands& memory, const isa::MemoryShape& shape,
                 Step& step) {
  std::uint64_t offset = static_cast<std::uint32_t>(memory.offset);
  if (shape.element_count == 2) {
    const std::uint32_t unit = shape.element_bytes * (shape.stride64 ? 64u : 1u);
    const auto first = static_cast<std::uint32_t>(memory.offset) & 255;
    const auto second = (static_cast<std::uint32_t>(memory.offset) >> 8) & 255;
    offset = std::uint64_t{first} * unit;
    step.access_stride = (std::int64_t{second} - std::int64_t{first}) * std::int64_t{unit};
  }
  // 32 bits: a base below zero and an offset give a place in the LDS.
  constexpr std::uint64_t kMask = 0xffff'ffffu;
  if (shape.special != MemorySpecial::kThreadAddress) {
    return step.address.refer(wave.vector(memory.address), nullptr, offset, kMask);
  }
  for (unsigned lane = 0; lane < 64; ++lane) {
    step.address.slot(lane) = (wave.m0() + 4 * lane + offset) & kMask;
  }
}

/// What memory a scalar load reads; the low bits of each part are ignored.
void collect_scalar(const Wave& wave, const MemoryOperands& memory, const isa::MemoryShape& shape,
                    Step& step) {
  const std::uint64_t base = wave.scalar64(memory.scalar_base) & 0xffff'ffff'fffcu;
  const bool scratch = shape.special == MemorySpecial::kScratchOffset;
  step.address.slot(0) = base + scalar_offset_bytes(wave, memory, scratch);
}

}  // namespace

void refer_to_addresses(const Wave& wave, const Op* op, const isa::Row& row, Step& step) {
  const isa::MemoryShape& shape = row.memory;
  const MemoryOperands& memory = op->memory;
  step.lanes = wave.exec();
  step.lds_lanes = 0;
  step.access_bytes = shape.element_bytes;
  step.access_count = shape.element_count;
  step.access_stride = 0;
  step.scratch = false;
  if (shape.action == isa::MemoryAction::kCacheControl || isa::exchanges_registers(shape.special)) {
    step.access_count = 0;
    return;
  }
  switch (row.encoding.format) {
    case isa::Format::kDs: return collect_lds(wave, memory, shape, step);
    case isa::Format::kSmem:
      step.access_bytes = 4u * (shape.result_dwords != 0 ? shape.result_dwords : shape.data_dwords);
      if (!memory.has_scalar_base())
        step.access_count = 0;
      else
        collect_scalar(wave, memory, shape, step);
      return;
    case isa::Format::kMubuf:
    case isa::Format::kMtbuf:
      if (shape.special == MemorySpecial::kFormat) step.access_bytes = texel_bytes(wave, op);
      if (step.access_bytes == 0) step.access_count = 0;
      return collect_buffer(wave, op, step);
    case isa::Format::kMimg: return collect_image(wave, op, step);
    default: break;
  }
  if (memory.segment == isa::Format::kScratch) return collect_scratch(wave, memory, step);
  if (memory.segment == isa::Format::kFlat && row.encoding.format == isa::Format::kFlat) {
    return collect_flat(wave, memory, step);
  }
  collect_global(wave, memory, step);
}

void collect_addresses(const Wave& wave, const Op* op, Step& step) {
  refer_to_addresses(wave, op, row_of(*op), step);
  step.address.settle(step.lanes);
}

}  // namespace wavetank::execute
