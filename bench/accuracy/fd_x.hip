// One-dimensional finite difference of radius R along x, 512^3 floats.
#include "finite_difference.hpp"

template <int kRadius>
void measure(const char* parameters) {
  constexpr const char* kKernel = "1-D finite difference along x, 512^3 floats, block 256x1";
  if (!accuracy::wanted(kKernel, parameters)) return;
  accuracy::row("fd-x", accuracy::this_device().name, kKernel, parameters, "effective bandwidth",
                accuracy::effective_bandwidth<kRadius>([](int, int) { return 1; }), "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is("mi250x (1 GCD)")) return 0;
  measure<1>("R=1");
  measure<4>("R=4");
}
