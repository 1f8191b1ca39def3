// Every conversion of printf, from a kernel. The transcript is compared with what C prints.
#include "common/check.hpp"

#define FORMATS                                                                                  \
  printf("%d %i %u\n", -5, 2147483647, 4294967295u);                                             \
  printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);                                                 \
  printf("%x %X %#x %o\n", 48879u, 48879u, 255u, 8u);                                            \
  printf("%ld %lld %lu %llx\n", -1234567890123l, 9223372036854775807ll, 18446744073709551615ul,  \
         0xdeadbeefcafell);                                                                      \
  printf("%f %e %g %.3f %10.2f|%-10.1f|\n", 3.25, 12345.678, 0.0001, 2.0 / 3, 1e3, -0.5);       \
  printf("%c%c%c %s %10s|%-6s|%.2s\n", 'a', 'b', 'c', "text", "right", "left", "cut");           \
  printf("%hd %hhu %zu %%\n", static_cast<short>(-3), static_cast<unsigned char>(200),          \
         static_cast<size_t>(77));                                                               \
  printf("no arguments\n");                                                                      \
  printf("%d %d %d %d %d %d %d %d %d %d\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);                      \
  printf("%s%s\n", "", "a string that is longer than fifty-six bytes, the payload of a packet "  \
                       "between device and host");

__global__ void print_all() { FORMATS }

__global__ void print_each(int* printed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 50 == 0) {
    printf("work-item %d\n", i);
    atomicAdd(printed, 1);
  }
}

int main() {
  std::printf("host\n");
  FORMATS
  std::printf("device\n");
  std::fflush(stdout);
  print_all<<<1, 1>>>();
  example::finish_kernel();
  std::fflush(stdout);
  example::DeviceArray<int> printed(1);
  printed.clear();
  print_each<<<2, 150>>>(printed.data());
  example::finish_kernel();
  return example::verdict(printed.read()[0] == 6);
}
