// 1000 complex f32 transforms of 1024 points by rocFFT. The plan is timed too: it compiles.
#include <rocfft/rocfft.h>

#include "measure.hpp"

int main() {
  constexpr std::size_t kPoints = 1024, kBatch = 1000;
  hipStream_t stream = nullptr;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  check(rocfft_setup(), "rocfft_setup");
  void* points = filled<float>(2 * kPoints * kBatch);
  rocfft_plan plan = nullptr;
  const auto make_plan = [&] {
    check(rocfft_plan_create(&plan, rocfft_placement_inplace, rocfft_transform_type_complex_forward,
                             rocfft_precision_single, 1, &kPoints, kBatch, nullptr),
          "rocfft_plan_create");
  };
  const double first = milliseconds(make_plan);
  std::printf("rocFFT plan, 1024 points|%.2f|%.2f|\n", first, milliseconds(make_plan));
  rocfft_execution_info information = nullptr;
  check(rocfft_execution_info_create(&information), "rocfft_execution_info_create");
  check(rocfft_execution_info_set_stream(information, stream), "rocfft_execution_info_set_stream");
  measure("rocFFT 1024 points, 1000 times", stream,
          [&] { check(rocfft_execute(plan, &points, nullptr, information), "rocfft_execute"); });
}
