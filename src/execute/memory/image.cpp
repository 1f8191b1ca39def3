// Handlers of MIMG: loads, stores, atomics and samples of images, one lane at a time.
#include <bit>
#include <cstring>

#include "execute/memory/address.hpp"
#include "execute/memory/atomics.hpp"
#include "execute/memory/image_lane.hpp"
#include "execute/registry.hpp"
#include "number/data_format.hpp"

namespace wavetank::execute {
namespace {

using isa::AtomicOperation;
using isa::ImageAccess;
using machine::for_each_lane;
using machine::Wave;
using Texel = std::array<std::uint32_t, 4>;

/// Runs what an instruction does to each active lane.
template <void (*kRunLane)(Wave&, const ImageOp&, unsigned lane)>
const Op* run(Wave& wave, const Op* op) {
  wave.current = op;
  const ImageOp image = ImageOp::of(wave, op);
  if (!image.can_run()) return leave(wave, op, machine::Stop::kUnsupported);
  for_each_lane(wave.exec(), [&](unsigned lane) { kRunLane(wave, image, lane); });
  return op + op->dwords;
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
  const Texel values = number::load_texel(bytes, image.format, number_format(op));
  Texel result;
  for (unsigned i = 0; i < 4; ++i) {
    result[i] = number::selected(values, image.select[i], image.number);
  }
  return result;
}

/// The components that DMASK names, one to a register or, with D16, two.
void write_result(const ImageOp& op, unsigned lane, const Texel& texel) {
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((op.control.dmask >> i & 1) == 0) continue;
    const unsigned at = count++;
    if (!op.control.d16) {
      op.wave.vector(op.memory.result + at)[lane] = texel[i];
      continue;
    }
    const std::uint32_t bits = number::half_of(texel[i], number_format(op));
    std::uint32_t& to = op.wave.vector(op.memory.result + at / 2)[lane];
    to = at % 2 == 0 ? bits : to | bits << 16;
  }
}

/// The reverse: components that DMASK leaves out are 0.
Texel read_data(const ImageOp& op, unsigned lane) {
  Texel texel = {};
  unsigned count = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((op.control.dmask >> i & 1) == 0) continue;
    const unsigned at = count++;
    if (!op.control.d16) {
      texel[i] = op.wave.vector(op.memory.data + at)[lane];
      continue;
    }
    const std::uint32_t pair = op.wave.vector(op.memory.data + at / 2)[lane];
    texel[i] = number::from_half(pair >> (16 * (at % 2)), number_format(op));
  }
  return texel;
}

void load(Wave& wave, const ImageOp& op, unsigned lane) {
  const std::uint64_t address = op.texel(lane);
  if (address == 0) return write_result(op, lane, {});
  check_reach(wave, address, op.image.format.bytes, lane, false);
  write_result(op, lane, read_texel(op, address));
}

void store(Wave& wave, const ImageOp& op, unsigned lane) {
  const number::DataFormat& format = op.image.format;
  const bool converts = op.shape.access == ImageAccess::kTexel;
  const std::uint64_t address = op.texel(lane);
  if (address == 0) return;
  check_reach(wave, address, format.bytes, lane, true);
  Texel texel = read_data(op, lane);
  for (unsigned i = 0; converts && i < format.components(); ++i) {
    texel[i] = number::store_component(texel[i], format.bits[i], op.image.number, i);
  }
  number::pack_texel(texel, format, reinterpret_cast<std::byte*>(address));
}

/// Width, height, depth (of an array its slices), levels; of a level that is not there the last.
void tell_size(Wave&, const ImageOp& op, unsigned lane) {
  const ImageResource& image = op.image;
  const bool deep = op.dimensions.spatial == 3 || op.dimensions.slice;
  const Texel info = {image.width, op.dimensions.spatial == 1 ? 1 : image.height,
                      deep ? image.depth - image.first_slice : 1, image.levels};
  const bool exists = op.level(lane) < image.levels;
  write_result(op, lane, exists ? info : Texel{0, 0, 0, image.levels});
}

template <class T>
T element(const ImageOp& op, unsigned first, unsigned lane) {
  T value = op.wave.vector(first)[lane];
  if constexpr (sizeof(T) == 8) value |= T{op.wave.vector(first + 1)[lane]} << 32;
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

template <AtomicOperation kOperation>
void update(Wave& wave, const ImageOp& op, unsigned lane) {
  constexpr unsigned kWideMask = isa::compares(kOperation) ? 0xf : 0x3;
  const bool wide = op.control.dmask == kWideMask;
  const std::uint64_t old = wide ? update_lane<kOperation, std::uint64_t>(wave, op, lane)
                                 : update_lane<kOperation, std::uint32_t>(wave, op, lane);
  if (!op.memory.returns) return;
  op.wave.vector(op.memory.result)[lane] = static_cast<std::uint32_t>(old);
  if (wide) op.wave.vector(op.memory.result + 1u)[lane] = static_cast<std::uint32_t>(old >> 32);
}

/// BORDER_COLOR_TYPE. A colour from a table (3) is nothing that a HIP runtime makes: transparent.
Texel border_colour(const ImageOp& op) {
  const std::uint32_t one = number::one_of(op.image.number);
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

void sample(Wave& wave, const ImageOp& op, unsigned lane) {
  write_result(op, lane, filtered(wave, op, op.taps(lane), lane));
}

Handler atomic_handler(AtomicOperation operation) {
  return handler_of_atomic<isa::AtomicPlace::kImage, 4>(
      operation, []<AtomicOperation kOperation>() { return &run<update<kOperation>>; });
}

Handler handler_of(const isa::Row& row) {
  if (row.encoding.format != isa::Format::kMimg) return nullptr;
  switch (row.memory.image.access) {
    case ImageAccess::kSample: return run<sample>;
    case ImageAccess::kInfo: return run<tell_size>;
    case ImageAccess::kAtomic: return atomic_handler(row.memory.atomic);
    default: return row.memory.action == isa::MemoryAction::kStore ? run<store> : run<load>;
  }
}

}  // namespace

void append_images(Entries& entries) { append_rows(entries, handler_of); }

}  // namespace wavetank::execute
