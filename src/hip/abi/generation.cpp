#include "hip/abi/generation.hpp"

#include <array>

namespace wavetank::hip::abi {
namespace {

struct TypeRow {
  MemoryType type;
  std::int32_t rocm5;
  std::int32_t rocm6;
};

// ROCm 5 has no numbers for unregistered and managed memory; it reports both as host memory.
constexpr std::array kTypes = {
    TypeRow{MemoryType::kHost, 0, 1},    TypeRow{MemoryType::kDevice, 1, 2},
    TypeRow{MemoryType::kArray, 2, 10},  TypeRow{MemoryType::kUnified, 3, 11},
    TypeRow{MemoryType::kManaged, 0, 3}, TypeRow{MemoryType::kUnregistered, 0, 0},
};

std::int32_t number_of(const TypeRow& row) {
  return generation.major < 6 ? row.rocm5 : row.rocm6;
}

}  // namespace

std::int32_t memory_type_number(MemoryType type) {
  for (const TypeRow& row : kTypes) {
    if (row.type == type) return number_of(row);
  }
  return 0;
}

MemoryType memory_type_of(std::int32_t number) {
  for (const TypeRow& row : kTypes) {
    if (number_of(row) == number) return row.type;
  }
  return MemoryType::kUnregistered;
}

}  // namespace wavetank::hip::abi
