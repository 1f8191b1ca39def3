// Launches of a real code object's kernels with any grid, block, LDS size and argument buffers:
// each is checked and packed, or refused; none runs. The engine is the real one.
#include <hip/hip_runtime_api.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "api_session.hpp"
#include "hip/runtime/launch.hpp"
#include "hip/runtime/runtime.hpp"

namespace {

using namespace wavetank;

/// The kernels of the code object, on the first device.
std::vector<hip::Function*> load_kernels() {
  hip::VirtualDevice* const device = hip::Runtime::instance().device(0);
  const auto bundles = code_object::read_bundles_of_file(WAVETANK_FUZZ_CODE_OBJECT);
  if (device == nullptr || !bundles) std::abort();
  auto module = hip::Module::load(*device, bundles->front());
  if (!module) std::abort();
  std::vector<hip::Function*> functions;
  for (const auto& kernel : (*module)->code()->object.kernels) {
    functions.push_back((*module)->function(kernel.name));
  }
  (void)module->release();
  return functions;
}

std::uint32_t extent(fuzz::Input& input) {
  constexpr std::uint32_t kExtents[] = {0,    1,    2,    63,          64,      65,          256,
                                        1023, 1024, 1025, 65535,       65536,   0x7fff'ffff, ~0u,
                                        3,    100,  4096, 0x8000'0000, 1 << 20, 1 << 24};
  return input.any(kExtents);
}

Dim3 extents(fuzz::Input& input) {
  const std::uint32_t x = extent(input);
  const std::uint32_t y = input.byte() < 128 ? 1 : extent(input);
  return {x, y, input.byte() < 128 ? 1 : extent(input)};
}

/// What a launch must keep to whatever the kernel: the limits of gfx90a.
bool possible(const hip::LaunchRequest& request) {
  const Dim3& block = request.workgroup_work_items;
  const Dim3& grid = request.grid_work_items;
  const bool some =
      block.x != 0 && block.y != 0 && block.z != 0 && grid.x != 0 && grid.y != 0 && grid.z != 0;
  const bool small = block.x <= 1024 && block.y <= 1024 && block.z <= 1024 &&
                     std::uint64_t{block.x} * block.y * block.z <= 1024;
  return some && small && request.dynamic_lds_bytes <= 65536;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("WAVETANK_DEVICE", "mi210", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<hip::Function*> kFunctions = load_kernels();
  constexpr std::size_t kLdsBytes[] = {
      0, 1, 64, 32768, 65535, 65536, 65537, 1 << 20, std::size_t{1} << 32, ~0ull};
  fuzz::Input input({data, size});
  // HIP reads as many arguments as the kernel has, each as large as its metadata says.
  static std::array<std::byte, 8192> value{};
  static std::array<void*, 256> arguments{};
  arguments.fill(value.data());
  while (!input.empty()) {
    hip::LaunchRequest request;
    request.function = kFunctions[input.byte() % kFunctions.size()];
    request.workgroup_work_items = extents(input);
    const Dim3 blocks = extents(input);
    if (input.byte() < 128) {
      request.grid_work_items = blocks;
    } else if (hip::set_shape(blocks, request.workgroup_work_items, request) !=
               hip::abi::Status::kSuccess) {
      continue;
    }
    request.dynamic_lds_bytes = input.any(kLdsBytes);
    request.cooperative = input.byte() < 32;
    const std::vector<std::byte> packed(input.byte() * std::size_t{3});
    const std::uint8_t form = input.byte() % 4;
    if (form < 2) request.arguments = arguments.data();
    if (form == 2) request.packed = packed;
    hip::KernelOperation operation;
    const auto status = hip::prepare_launch(request, operation);
    if (status == hip::abi::Status::kSuccess && !possible(request)) std::abort();
  }
  return 0;
}
