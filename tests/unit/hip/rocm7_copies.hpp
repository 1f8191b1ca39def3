// Copies that the headers of ROCm 5 do not have, as hip/driver_types.h of ROCm 7 declares them.
#pragma once

#include <hip/hip_runtime_api.h>

#include <cstddef>

enum hipMemcpySrcAccessOrder {
  hipMemcpySrcAccessOrderInvalid = 0,
  hipMemcpySrcAccessOrderStream = 1,
  hipMemcpySrcAccessOrderDuringApiCall = 2,
  hipMemcpySrcAccessOrderAny = 3,
  hipMemcpySrcAccessOrderMax = 0x7fffffff,
};
enum hipMemcpy3DOperandType {
  hipMemcpyOperandTypePointer = 1,
  hipMemcpyOperandTypeArray = 2,
  hipMemcpyOperandTypeMax = 0x7fffffff,
};

struct hipMemcpyAttributes {
  hipMemcpySrcAccessOrder srcAccessOrder;
  hipMemLocation srcLocHint;
  hipMemLocation dstLocHint;
  unsigned flags;
};

struct hipOffset3D {
  std::size_t x, y, z;
};
struct hipMemcpy3DOperand {
  hipMemcpy3DOperandType type;
  union {
    struct {
      void* ptr;
      std::size_t rowLength;
      std::size_t layerHeight;
      hipMemLocation locHint;
    } ptr;
    struct {
      hipArray_t array;
      hipOffset3D offset;
    } array;
  } op;
};
struct hipMemcpy3DBatchOp {
  hipMemcpy3DOperand src;
  hipMemcpy3DOperand dst;
  hipExtent extent;
  hipMemcpySrcAccessOrder srcAccessOrder;
  unsigned flags;
};
struct hipMemcpy3DPeerParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  int srcDevice;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  int dstDevice;
  hipExtent extent;
};

extern "C" {
hipError_t hipMemcpy3DPeer(hipMemcpy3DPeerParms* wanted);
hipError_t hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms* wanted, hipStream_t stream);
hipError_t hipMemcpyBatchAsync(void** targets, void** sources, std::size_t* sizes,
                               std::size_t count, hipMemcpyAttributes* attributes,
                               std::size_t* first_copies, std::size_t attribute_count,
                               std::size_t* failed, hipStream_t stream);
hipError_t hipMemcpy3DBatchAsync(std::size_t count, hipMemcpy3DBatchOp* copies,
                                 std::size_t* failed, unsigned long long flags,
                                 hipStream_t stream);
}
