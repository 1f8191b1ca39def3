// Handlers of MIMG: loads, stores, atomics and samples of images, one lane at a time.
#include <bit>
#include <cstring>

#include "execute/memory/address.hpp"
#include "execute/memory/atomics.hpp"
#include "execute/memory/image_lane.hpp"
#include "execute/registry.hpp"
#include "number/convert.hpp"

namespace wavetank::execute {
namespace {

using isa::AtomicOperation;
using isa::ImageAccess;
using machine::for_each_lane;
using machine::Wave;
using Texel = std::array<std::uint32_t, 4>;

const Op* leave_unsupported(Wave& wave, const Op* op) {
  wave.stop = machine::Stop::kUnsupported;
  wave.next = op;
  return nullptr;
}

/// The number 1 as the image's components are in registers.
std::uint32_t one_of(const ImageResource& image) {
  return number::is_integer(image.number) ? 1 : std::bit_cast<std::uint32_t>(1.0f);
}

/// How a component is converted; "pck" rows do not convert.
number::NumberFormat number_format(const ImageOp& op) {
  if (op.shape.access == ImageAccess::kRaw) return number::NumberFormat::kUint;
  if (op.shape.access == ImageAccess::kRawSigned) return number::NumberFormat::kSint;
  return op.image.number;
}

/// A texel's components as registers hold them, in the order that DST_SEL says.
Texel read_texel(const ImageOp& op, std::uint64_t address) {
  const ImageResource& image = op.image;
  std::byte bytes[16];
  std::memcpy(bytes, reinterpret_cast<const std::byte*>(address), image.format.bytes);
  Texel values = number::unpack_texel(bytes, image.format);
  for (unsigned i = 0; i < image.format.components(); ++i) {
    values[i] = number::load_component(values[i], image.format.bits[i], number_format(op), i);
  }
  Texel result = {};
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned select = image.select[i];
    if (select >= 4) result[i] = values[select - 4];
    if (select == 1) result[i] = one_of(image);
  }
  return result;
}

/// The components that DMASK names, one to a register or, with D16, two.
void write_result(const ImageOp& op, unsigned lane, const Texel& texel) {
  const bool floats = !number::is_integer(number_format(op));
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((op.control.dmask >> i & 1) == 0) continue;
    const unsigned at = count++;
    if (!op.control.d16) {
      op.registers(op.memory.result + at)[lane] = texel[i];
      continue;
    }
    const std::uint32_t bits =
        floats ? number::f32_to_f16(number::f32{texel[i]}, {}, {}).bits : texel[i] & 0xffff;
    std::uint32_t& to = op.registers(op.memory.result + at / 2)[lane];
    to = at % 2 == 0 ? bits : to | bits << 16;
  }
}

/// The reverse: components that DMASK leaves out are 0.
Texel read_data(const ImageOp& op, unsigned lane) {
  const bool floats = !number::is_integer(number_format(op));
  Texel texel = {};
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((op.control.dmask >> i & 1) == 0) continue;
    const unsigned at = count++;
    if (!op.control.d16) {
      texel[i] = op.registers(op.memory.data + at)[lane];
      continue;
    }
    const std::uint32_t pair = op.registers(op.memory.data + at / 2)[lane];
    const auto bits = static_cast<std::uint16_t>(pair >> (16 * (at % 2)));
    texel[i] = floats ? number::f16_to_f32(number::f16{bits}).bits : bits;
  }
  return texel;
}

const Op* run_load(Wave& wave, const Op* op) {
  wave.current = op;
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave_unsupported(wave, op);
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const std::uint64_t address = image.texel(lane);
    if (address == 0) return write_result(image, lane, {});
    check_reach(wave, address, image.image.format.bytes, lane, false);
    write_result(image, lane, read_texel(image, address));
  });
  return op + op->dwords;
}

const Op* run_store(Wave& wave, const Op* op) {
  wave.current = op;
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave_unsupported(wave, op);
  const number::DataFormat& format = image.image.format;
  const bool converts = image.shape.access == ImageAccess::kTexel;
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const std::uint64_t address = image.texel(lane);
    if (address == 0) return;
    check_reach(wave, address, format.bytes, lane, true);
    Texel texel = read_data(image, lane);
    for (unsigned i = 0; converts && i < format.components(); ++i) {
      texel[i] = number::store_component(texel[i], format.bits[i], image.image.number, i);
    }
    number::pack_texel(texel, format, reinterpret_cast<std::byte*>(address));
  });
  return op + op->dwords;
}

/// Width, height, depth (of an array its slices), levels; of a level that is not there the last.
const Op* run_info(Wave& wave, const Op* op) {
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave_unsupported(wave, op);
  const ImageResource& r = image.image;
  const bool deep = image.dimensions.spatial == 3 || image.dimensions.slice;
  const Texel info = {r.width, image.dimensions.spatial == 1 ? 1 : r.height,
                      deep ? r.depth - r.first_slice : 1, r.levels};
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const bool exists = image.level(lane) < r.levels;
    write_result(image, lane, exists ? info : Texel{0, 0, 0, r.levels});
  });
  return op + op->dwords;
}

template <class T>
T element(const ImageOp& op, unsigned first, unsigned lane) {
  T value = op.registers(first)[lane];
  if constexpr (sizeof(T) == 8) value |= T{op.registers(first + 1)[lane]} << 32;
  return value;
}

/// An element of another size than the image's texels is left alone, and so is one beyond it.
template <AtomicOperation kOperation, class T>
T update_lane(Wave& wave, const ImageOp& op, unsigned lane) {
  constexpr bool kCompares = isa::compares(kOperation);
  const std::uint64_t address = op.texel(lane);
  if (address == 0 || op.image.format.bytes != sizeof(T)) return 0;
  check_reach(wave, address, sizeof(T), lane, true);
  const T data = element<T>(op, op.memory.data, lane);
  const T data2 = kCompares ? element<T>(op, op.memory.data + sizeof(T) / 4, lane) : T{0};
  return atomic_update<kOperation, T>(reinterpret_cast<std::byte*>(address), data, data2,
                                      isa::memory_modes(false));
}

template <AtomicOperation kOperation, class T>
void update_lanes(Wave& wave, const ImageOp& op) {
  for_each_lane(wave.exec(), [&](unsigned lane) {
    const T old = update_lane<kOperation, T>(wave, op, lane);
    if (!op.memory.returns) return;
    op.registers(op.memory.result)[lane] = static_cast<std::uint32_t>(old);
    if constexpr (sizeof(T) == 8) {
      op.registers(op.memory.result + 1u)[lane] = static_cast<std::uint32_t>(old >> 32);
    }
  });
}

template <AtomicOperation kOperation>
const Op* run_atomic(Wave& wave, const Op* op) {
  constexpr unsigned kWideMask = isa::compares(kOperation) ? 0xf : 0x3;
  wave.current = op;
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave_unsupported(wave, op);
  if (image.control.dmask == kWideMask) {
    update_lanes<kOperation, std::uint64_t>(wave, image);
  } else {
    update_lanes<kOperation, std::uint32_t>(wave, image);
  }
  return op + op->dwords;
}

/// BORDER_COLOR_TYPE. A colour from a table (3) is nothing that a HIP runtime makes: transparent.
Texel border_colour(const ImageOp& op) {
  const std::uint32_t one = one_of(op.image);
  if (op.sampler.border == 1) return {0, 0, 0, one};
  return op.sampler.border == 2 ? Texel{one, one, one, one} : Texel{};
}

Texel tap_value(Wave& wave, const ImageOp& op, const Tap& tap, unsigned lane) {
  const std::uint64_t address = tap.border ? 0 : texel_address(op.image, tap.place);
  if (address == 0) return border_colour(op);
  check_reach(wave, address, op.image.format.bytes, lane, false);
  return read_texel(op, address);
}

Texel filtered(Wave& wave, const ImageOp& op, const Taps& taps, unsigned lane) {
  if (taps.count == 0) return {};
  if (taps.count == 1) return tap_value(wave, op, taps.tap[0], lane);
  float sum[4] = {};
  for (unsigned i = 0; i < taps.count; ++i) {
    const Texel value = tap_value(wave, op, taps.tap[i], lane);
    for (unsigned k = 0; k < 4; ++k) {
      // A texel without weight must not bring in its infinity.
      if (taps.tap[i].weight != 0) sum[k] += taps.tap[i].weight * std::bit_cast<float>(value[k]);
    }
  }
  Texel result;
  for (unsigned k = 0; k < 4; ++k) result[k] = std::bit_cast<std::uint32_t>(sum[k]);
  return result;
}

const Op* run_sample(Wave& wave, const Op* op) {
  wave.current = op;
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave_unsupported(wave, op);
  for_each_lane(wave.exec(), [&](unsigned lane) {
    write_result(image, lane, filtered(wave, image, image.taps(lane), lane));
  });
  return op + op->dwords;
}

Handler atomic_handler(AtomicOperation operation) {
  return handler_of_atomic<isa::AtomicPlace::kImage, 4>(
      operation, []<AtomicOperation kOperation>() { return &run_atomic<kOperation>; });
}

Handler handler_of(const isa::Row& row) {
  if (row.encoding.format != isa::Format::kMimg) return nullptr;
  switch (row.memory.image.access) {
    case ImageAccess::kSample: return run_sample;
    case ImageAccess::kInfo: return run_info;
    case ImageAccess::kAtomic: return atomic_handler(row.memory.atomic);
    default: return row.memory.action == isa::MemoryAction::kStore ? run_store : run_load;
  }
}

}  // namespace

void append_images(Entries& entries) { append_rows(entries, handler_of); }

}  // namespace wavetank::execute
