// A forward convolution by MIOpen: 8 images of 64 x 28 x 28, 64 filters of 3 x 3, f32. The search
// for an algorithm compiles kernels and is timed too.
#include <miopen/miopen.h>

#include "measure.hpp"

int main() {
  constexpr int kImages = 8, kChannels = 64, kSide = 28, kFilters = 64, kWindow = 3;
  hipStream_t stream = nullptr;
  miopenHandle_t handle = nullptr;
  check(hipStreamCreate(&stream), "hipStreamCreate");
  check(miopenCreateWithStream(&handle, stream), "miopenCreateWithStream");
  miopenTensorDescriptor_t x, w, y;
  miopenConvolutionDescriptor_t convolution;
  for (auto* tensor : {&x, &w, &y}) check(miopenCreateTensorDescriptor(tensor), "CreateTensor");
  check(miopenSet4dTensorDescriptor(x, miopenFloat, kImages, kChannels, kSide, kSide), "x");
  check(miopenSet4dTensorDescriptor(w, miopenFloat, kFilters, kChannels, kWindow, kWindow), "w");
  check(miopenSet4dTensorDescriptor(y, miopenFloat, kImages, kFilters, kSide, kSide), "y");
  check(miopenCreateConvolutionDescriptor(&convolution), "CreateConvolution");
  check(miopenInitConvolutionDescriptor(convolution, miopenConvolution, 1, 1, 1, 1, 1, 1), "init");
  const float* images = filled<float>(kImages * kChannels * kSide * kSide);
  const float* filters = filled<float>(kFilters * kChannels * kWindow * kWindow);
  float* out = filled<float>(kImages * kFilters * kSide * kSide);
  std::size_t bytes = 0;
  check(miopenConvolutionForwardGetWorkSpaceSize(handle, w, x, convolution, y, &bytes),
        "workspace");
  void* workspace = filled<char>(bytes + 1);
  miopenConvAlgoPerf_t found;
  const auto search = [&] {
    int count = 0;
    check(miopenFindConvolutionForwardAlgorithm(handle, x, images, w, filters, convolution, y, out,
                                                1, &count, &found, workspace, bytes, false),
          "miopenFindConvolutionForwardAlgorithm");
  };
  const double first = milliseconds(search);
  std::printf("MIOpen search, 3 x 3 convolution|%.2f|%.2f|\n", first, milliseconds(search));
  const float one = 1, zero = 0;
  measure("MIOpen 3 x 3 convolution", stream, [&] {
    check(miopenConvolutionForward(handle, &one, x, images, w, filters, convolution, found.fwd_algo,
                                   &zero, y, out, workspace, bytes),
          "miopenConvolutionForward");
  });
}
