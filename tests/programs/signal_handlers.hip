// Programs install handlers of SIGSEGV at any time: frameworks for tests do so anew for each test.
// A kernel's loads must not end there, and the host's own faults must.
//
// With `fault`, a kernel that touches what nobody has is named as ever, behind such a handler.
#include "common/check.hpp"

#include <csetjmp>
#include <csignal>
#include <string_view>
#include <vector>

namespace {

/// Lanes side by side read words side by side, but for those that wrap around at the end of a page.
__global__ void turned(const int* from, int* to, int size, int turn) {
  const int id = threadIdx.x;
  to[id] = from[(id + turn) % size];
}

__global__ void wild(int* address) { *address = 1; }

sigjmp_buf back;
int faults_of_host = 0, calls_of_hand_on = 0;
struct sigaction earlier;

void leave(int) {
  ++faults_of_host;
  siglongjmp(back, 1);
}

/// Hands the signal on, as crash reporters do, to a handler that is Wavetank's.
void hand_on(int number, siginfo_t* info, void* context) {
  ++calls_of_hand_on;
  if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    earlier.sa_sigaction(number, info, context);
  } else {
    earlier.sa_handler(number);
  }
}

void install_leave() {
  struct sigaction action = {};
  action.sa_handler = leave;
  action.sa_flags = SA_NODEFER;
  HIP_CHECK(sigaction(SIGSEGV, &action, nullptr) == 0 ? hipSuccess : hipErrorUnknown);
}

void install_hand_on() {
  struct sigaction action = {};
  action.sa_sigaction = hand_on;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  HIP_CHECK(sigaction(SIGSEGV, &action, &earlier) == 0 ? hipSuccess : hipErrorUnknown);
}

bool turns_right(int size) {
  example::DeviceArray<int> from(size), to(size);
  std::vector<int> values(size);
  for (int i = 0; i < size; ++i) values[i] = 3 * i;
  from.write(values);
  bool ok = true;
  for (int turn = 0; turn < 64; ++turn) {
    turned<<<1, size>>>(from.data(), to.data(), size, turn);
    example::finish_kernel();
    const auto result = to.read();
    for (int i = 0; i < size; ++i) ok = ok && result[i] == values[(i + turn) % size];
  }
  return ok;
}

/// A write of the host's to a page that nobody has.
bool host_fault_reaches_program() {
  const int before = faults_of_host;
  if (sigsetjmp(back, 1) == 0) *reinterpret_cast<volatile int*>(8) = 1;
  return faults_of_host == before + 1;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kPageOfInts = 1024;
  install_leave();
  bool ok = example::line("kernels after a handler", turns_right(kPageOfInts));
  ok = example::line("the host's fault", host_fault_reaches_program()) && ok;
  install_hand_on();
  if (argc > 1 && std::string_view(argv[1]) == "fault") {
    wild<<<1, 1>>>(reinterpret_cast<int*>(1 << 20));
    example::finish_kernel();
  }
  ok = example::line("kernels after a later handler", turns_right(kPageOfInts)) && ok;
  ok = example::line("which hears of none", calls_of_hand_on == 0) && ok;
  ok = example::line("the host's fault through both", host_fault_reaches_program()) && ok;
  ok = example::line("the host's next fault", host_fault_reaches_program()) && ok;
  ok = example::line("each once", calls_of_hand_on == 2) && ok;
  install_leave();
  ok = example::line("kernels after the first one again", turns_right(kPageOfInts)) && ok;
  ok = example::line("the host's last fault", host_fault_reaches_program()) && ok;
  ok = example::line("past the one that is gone", calls_of_hand_on == 2) && ok;
  return example::verdict(ok);
}
