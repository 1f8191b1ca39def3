// Every conversion of printf, from a kernel, compared with what C prints. Built twice: with
// hostcalls, and with a buffer that the host prints when the kernel is done (-mprintf-kind=buffered).
#include <unistd.h>

#include <string>

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

// The compiler sees no %s in such a format, so that strings cannot be its arguments.
__global__ void print_with(const char* format) { printf(format, 7, 49u); }

// What `print()` writes to standard output.
template <typename Print>
std::string printed_by(Print print) {
  std::fflush(stdout);
  std::FILE* const file = std::tmpfile();
  const int saved = dup(1);
  dup2(fileno(file), 1);
  print();
  std::fflush(stdout);
  dup2(saved, 1);
  close(saved);
  std::rewind(file);
  std::string text;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

template <typename Launch>
std::string printed_by_kernel(Launch launch) {
  return printed_by([&] {
    launch();
    example::finish_kernel();
  });
}

bool prints_as_the_host() {
  const std::string host = printed_by([] { FORMATS });
  const std::string one = printed_by_kernel([] { print_all<<<1, 1>>>(); });
  bool right = example::line("one work-item", one == host);
  const std::string many = printed_by_kernel([] { print_all<<<2, 1>>>(); });
  right &= example::line("two workgroups", many.size() == 2 * host.size());
  return right;
}

bool prints_a_format_of_its_own() {
  const std::string format = "%d and %u\n";
  example::DeviceArray<char> on_device(std::vector<char>(format.c_str(), format.c_str() + 11));
  const auto text = printed_by_kernel([&] { print_with<<<1, 1>>>(on_device.data()); });
  return example::line("a format in memory", text == "7 and 49\n");
}

bool prints_of_each_work_item() {
  example::DeviceArray<int> printed(1);
  printed.clear();
  const std::string text = printed_by_kernel([&] { print_each<<<2, 150>>>(printed.data()); });
  bool right = printed.read()[0] == 6;
  for (const char* one : {"0", "50", "100", "150", "200", "250"}) {
    right &= text.find("work-item " + std::string(one) + "\n") != std::string::npos;
  }
  return example::line("work-items", right);
}

int main() {
  const bool host = prints_as_the_host(), own = prints_a_format_of_its_own();
  return example::verdict(prints_of_each_work_item() && host && own);
}
