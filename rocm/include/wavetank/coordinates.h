// threadIdx and its kin with members that are plain unsigned integers, as in HIP 6. HIP 5's are
// objects that convert, so printf("%u", threadIdx.x) and templates on their type do not compile.
#pragma once

// No debug information: an instruction that reads an index belongs to the line that asked for it.
#pragma push_macro("INDEX")
#define INDEX __device__ __forceinline__ __attribute__((nodebug))

namespace wavetank_hip {

struct ThreadIdx {
  static INDEX unsigned get(unsigned d) { return __ockl_get_local_id(d); }
};
struct BlockIdx {
  static INDEX unsigned get(unsigned d) { return __ockl_get_group_id(d); }
};
struct BlockDim {
  static INDEX unsigned get(unsigned d) { return __ockl_get_local_size(d); }
};
struct GridDim {
  static INDEX unsigned get(unsigned d) { return __ockl_get_num_groups(d); }
};

template <class Source>
struct Coordinates {
  __declspec(property(get = get_x)) unsigned x;
  __declspec(property(get = get_y)) unsigned y;
  __declspec(property(get = get_z)) unsigned z;
  INDEX unsigned get_x() const { return Source::get(0); }
  INDEX unsigned get_y() const { return Source::get(1); }
  INDEX unsigned get_z() const { return Source::get(2); }
  INDEX operator dim3() const { return dim3(get_x(), get_y(), get_z()); }
};

}  // namespace wavetank_hip

#pragma pop_macro("INDEX")

static constexpr wavetank_hip::Coordinates<wavetank_hip::ThreadIdx> threadIdx{};
static constexpr wavetank_hip::Coordinates<wavetank_hip::BlockIdx> blockIdx{};
static constexpr wavetank_hip::Coordinates<wavetank_hip::BlockDim> blockDim{};
static constexpr wavetank_hip::Coordinates<wavetank_hip::GridDim> gridDim{};

#undef hipThreadIdx_x
#undef hipThreadIdx_y
#undef hipThreadIdx_z
#undef hipBlockIdx_x
#undef hipBlockIdx_y
#undef hipBlockIdx_z
#undef hipBlockDim_x
#undef hipBlockDim_y
#undef hipBlockDim_z
#undef hipGridDim_x
#undef hipGridDim_y
#undef hipGridDim_z
#define hipThreadIdx_x (threadIdx.x)
#define hipThreadIdx_y (threadIdx.y)
#define hipThreadIdx_z (threadIdx.z)
#define hipBlockIdx_x (blockIdx.x)
#define hipBlockIdx_y (blockIdx.y)
#define hipBlockIdx_z (blockIdx.z)
#define hipBlockDim_x (blockDim.x)
#define hipBlockDim_y (blockDim.y)
#define hipBlockDim_z (blockDim.z)
#define hipGridDim_x (gridDim.x)
#define hipGridDim_y (gridDim.y)
#define hipGridDim_z (gridDim.z)
