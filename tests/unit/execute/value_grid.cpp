#include "value_grid.hpp"

namespace wavetank::tests {
namespace {

using isa::Type;

/// Each value and its negative.
std::vector<std::uint64_t> with_signs(std::vector<std::uint64_t> values, std::uint64_t sign) {
  const std::size_t count = values.size();
  for (std::size_t i = 0; i < count; ++i) values.push_back(values[i] | sign);
  return values;
}

const std::vector<std::uint64_t>& f16_grid() {
  static const auto grid = with_signs(
      {0x0000, 0x0001, 0x0002, 0x0200, 0x03ff, 0x0400, 0x0401, 0x0800, 0x1400, 0x2e66,
       0x3555, 0x37ff, 0x3800, 0x3801, 0x3bff, 0x3c00, 0x3c01, 0x3e00, 0x4000, 0x4100,
       0x4248, 0x4400, 0x4900, 0x5bff, 0x63ff, 0x6400, 0x6401, 0x77ff, 0x7800, 0x7bff,
       0x7c00, 0x7c01, 0x7d00, 0x7e00, 0x7e01, 0x7fff},
      0x8000);
  return grid;
}

const std::vector<std::uint64_t>& f32_grid() {
  static const auto grid = with_signs(
      {0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001,
       0x01000000, 0x0b800000, 0x0c800000, 0x0d800000, 0x33000000, 0x33000001, 0x38800000,
       0x387fffff, 0x3dcccccd, 0x3e22f983, 0x3eaaaaab, 0x3effffff, 0x3f000000, 0x3f000001,
       0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40200000, 0x40400000,
       0x40490fdb, 0x40800000, 0x42c80000, 0x437f8000, 0x43800000, 0x477fe000, 0x477fefff,
       0x477ff000, 0x4b000000, 0x4affffff, 0x4b800000, 0x4effffff, 0x4f000000, 0x4f7fffff,
       0x4f800000, 0x5f000000, 0x7149f2ca, 0x7e800000, 0x7f000000, 0x7f7fffff, 0x7f800000,
       0x7f800001, 0x7fa00000, 0x7fc00000, 0x7fc12345, 0x7fffffff},
      0x80000000);
  return grid;
}

const std::vector<std::uint64_t>& f64_grid() {
  static const auto grid = with_signs(
      {0x0000000000000000, 0x0000000000000001, 0x0008000000000000, 0x000fffffffffffff,
       0x0010000000000000, 0x0010000000000001, 0x0020000000000000, 0x0350000000000000,
       0x0360000000000000, 0x36a0000000000000, 0x369fffffffffffff, 0x380fffffffffffff,
       0x3810000000000000, 0x3fb999999999999a, 0x3fd5555555555555, 0x3fdfffffffffffff,
       0x3fe0000000000000, 0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001,
       0x3ff0000010000000, 0x3ff0000030000000, 0x3ff8000000000000, 0x4000000000000000,
       0x4004000000000000, 0x400921fb54442d18, 0x4010000000000000, 0x4059000000000000,
       0x41dfffffff800000, 0x41dfffffffc00000, 0x41e0000000000000, 0x41efffffffe00000,
       0x41effffffff00000, 0x41f0000000000000, 0x4330000000000000, 0x432fffffffffffff,
       0x4340000000000000, 0x43e0000000000000, 0x47efffffe0000000, 0x47efffffefffffff,
       0x47effffff0000000, 0x47f0000000000000, 0x7000000000000000, 0x7fd0000000000000,
       0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001,
       0x7ff4000000000000, 0x7ff8000000000000, 0x7ff8000012345678, 0x7fffffffffffffff},
      0x8000000000000000);
  return grid;
}

const std::vector<std::uint64_t>& integer_16_grid() {
  static const std::vector<std::uint64_t> grid = {
      0,      1,      2,      3,      7,      8,      15,     16,     17,     0x7f,   0x80,
      0xff,   0x100,  0x5555, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xaaaa, 0xff80, 0xfffe, 0xffff};
  return grid;
}

const std::vector<std::uint64_t>& integer_32_grid() {
  static const std::vector<std::uint64_t> grid = {
      0,          1,          2,          3,          4,          5,          7,
      8,          15,         16,         23,         24,         30,         31,
      32,         33,         63,         64,         0x7f,       0x80,       0xff,
      0x100,      0x3ff,      0x7fff,     0x8000,     0xffff,     0x10000,    0x7fffff,
      0x800000,   0xffffff,   0x1000000,  0x01020304, 0x07060504, 0x0c0d0a08, 0x00080b09,
      0x12345678, 0x3f800000, 0x55555555, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001,
      0x80808080, 0x89abcdef, 0xaaaaaaaa, 0xff00ff00, 0xff800000, 0xfffffff0, 0xfffffffe,
      0xffffffff};
  return grid;
}

const std::vector<std::uint64_t>& integer_64_grid() {
  static const std::vector<std::uint64_t> grid = {
      0,
      1,
      2,
      63,
      0x7fffffff,
      0x80000000,
      0xffffffff,
      0x100000000,
      0x0123456789abcdef,
      0x5555555555555555,
      0x7ffffffffffffffe,
      0x7fffffffffffffff,
      0x8000000000000000,
      0x8000000000000001,
      0xffffffff00000000,
      0xffffffff80000000,
      0xfffffffffffffffe,
      0xffffffffffffffff};
  return grid;
}

Type element_of(Type type) {
  switch (type) {
    case Type::kPkF16: return Type::kF16;
    case Type::kPkI16: return Type::kI16;
    case Type::kPkU16: return Type::kU16;
    case Type::kPkF32: return Type::kF32;
    default: return type;
  }
}

std::uint64_t draw(Type type, std::mt19937_64& random) {
  if (random() % 5 == 0) return random();
  const auto grid = value_grid(type);
  return grid[random() % grid.size()];
}

}  // namespace

std::span<const std::uint64_t> value_grid(Type type) {
  switch (element_of(type)) {
    case Type::kF16: return f16_grid();
    case Type::kF32: return f32_grid();
    case Type::kF64: return f64_grid();
    case Type::kU16: case Type::kI16: return integer_16_grid();
    case Type::kU64: case Type::kI64: return integer_64_grid();
    default: return integer_32_grid();
  }
}

std::uint64_t draw_register(Type type, std::mt19937_64& random) {
  const Type element = element_of(type);
  switch (element) {
    case Type::kF16: case Type::kU16: case Type::kI16:
      return (draw(element, random) & 0xffff) | ((draw(element, random) & 0xffff) << 16);
    case Type::kF32:
      return (draw(element, random) & 0xffffffff) | (draw(element, random) << 32);
    default: return draw(element, random);
  }
}

}  // namespace wavetank::tests
