// Structures of copies between devices and of batches of copies (hip/driver_types.h since ROCm 7).
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip/abi/types.hpp"

namespace wavetank::hip::abi {

/// hipMemcpy3DPeerParms
struct Memcpy3dPeer {
  Array* source_array;
  Position source_position;
  PitchedPointer source;
  std::int32_t source_device;
  Array* target_array;
  Position target_position;
  PitchedPointer target;
  std::int32_t target_device;
  Extent extent;
};
static_assert(sizeof(Memcpy3dPeer) == 168);

/// hipMemcpySrcAccessOrder: when a copy of a batch reads its source.
enum class SourceAccessOrder : std::int32_t {
  kInvalid = 0,
  kStream = 1,         ///< in the stream's order
  kDuringApiCall = 2,  ///< before the call returns
  kAny = 3,            ///< at any time, also after the call
};

/// hipMemcpyFlags
enum MemcpyFlags : std::uint32_t {
  kPreferOverlapWithCompute = 0x1,
  kSwap = 0x200,
  kIndirectSource = 0x400,
  kIndirectTarget = 0x800,
};

/// hipMemcpyAttributes
struct MemcpyAttributes {
  SourceAccessOrder source_access_order;
  MemLocation source_hint;
  MemLocation target_hint;
  std::uint32_t flags;
};
static_assert(sizeof(MemcpyAttributes) == 24);

/// hipMemcpy3DOperandType
enum class CopyOperandType : std::int32_t { kPointer = 1, kArray = 2 };

/// The two kinds of hipMemcpy3DOperand; all lengths are in elements, and 0 means those of the copy.
struct PointerOperand {
  void* address;
  std::size_t row_length;
  std::size_t layer_height;
  MemLocation hint;
};
struct ArrayOperand {
  Array* array;
  Position offset;
};

/// hipMemcpy3DOperand
struct CopyOperand {
  CopyOperandType type;
  union {
    PointerOperand pointer;
    ArrayOperand array;
  };
};
static_assert(sizeof(CopyOperand) == 40);

/// hipMemcpy3DBatchOp
struct BatchCopy3d {
  CopyOperand source;
  CopyOperand target;
  Extent extent;
  SourceAccessOrder source_access_order;
  std::uint32_t flags;
};
static_assert(sizeof(BatchCopy3d) == 112);

}  // namespace wavetank::hip::abi
