// One-dimensional finite difference of radius R along z, 512^3 floats.
#include "finite_difference.hpp"

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is("mi250x (1 GCD)")) return 0;
  accuracy::row("fd-z", "mi250x", "1-D finite difference along z, 512^3 floats, block 256x1", "R=3",
                "effective bandwidth",
                accuracy::effective_bandwidth<3>([](int, int slice) { return slice; }), "GB/s");
}
