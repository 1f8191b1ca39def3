// VGPR 0 where waves start: the ids of their work-items, packed.
#include "dispatch/wave_start.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wavetank::dispatch {
namespace {

/// What the work-items of a workgroup of `size` find in VGPR 0, in launches of workgroups of
/// `whole`.
std::vector<std::uint32_t> ids_of(const Dim3& size, const Dim3& whole, std::uint32_t dimensions) {
  code_object::KernelDescriptor descriptor;
  descriptor.workitem_id_dimensions = dimensions;
  const WaveStart start({.descriptor = &descriptor, .workgroup_size = whole});
  const std::size_t count = (size.count() + 63) / 64;
  std::vector<machine::Wave> waves(count);
  std::vector<std::uint32_t> registers(64 * count + 16);
  auto* const aligned = reinterpret_cast<std::uint32_t*>(
      (reinterpret_cast<std::uintptr_t>(registers.data()) + 63) / 64 * 64);
  for (std::size_t i = 0; i < count; ++i) waves[i].vgpr = aligned + 64 * i;
  start.start(waves, {0, 0, 0}, size, nullptr);
  return {aligned, aligned + size.count()};
}

TEST(WaveStart, WorkItemsFindTheirIdsInWholeAndInClippedWorkgroups) {
  for (const Dim3& whole : {Dim3{64, 1, 1}, Dim3{16, 16, 1}, Dim3{5, 7, 3}, Dim3{1, 1, 130},
                            Dim3{32, 2, 1}, Dim3{1024, 1, 1}}) {
    for (const Dim3& size : {whole, Dim3{whole.x, whole.y, 1}, Dim3{(whole.x + 1) / 2, 1, 1},
                             Dim3{(whole.x + 1) / 2, whole.y, whole.z}}) {
      for (const std::uint32_t dimensions : {1u, 2u, 3u}) {
        const std::vector<std::uint32_t> ids = ids_of(size, whole, dimensions);
        for (std::uint32_t i = 0; i < ids.size(); ++i) {
          const std::uint32_t x = i % size.x, y = i / size.x % size.y, z = i / size.x / size.y;
          const bool is_row = size.y == 1 && size.z == 1;
          const std::uint32_t packed =
              x | (dimensions > 1 ? y << 10 : 0) | (dimensions > 2 ? z << 20 : 0);
          ASSERT_EQ(ids[i], is_row ? i : packed) << size.x << " " << size.y << " " << size.z;
        }
      }
    }
  }
}

}  // namespace
}  // namespace wavetank::dispatch
