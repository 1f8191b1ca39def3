// Atomics of every kind and type on device, pinned, managed and registered memory, at the scope of
// the device and of the system, and from the host and a kernel at the same time.
//
// What one address saw is a chain: each operation takes the value that another left. So the values
// that were left, with the first, are the values that were found, with the last.
#include "common/check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <thread>

constexpr int kBlocks = 6, kThreads = 192, kCount = kBlocks * kThreads;
constexpr int kAddresses = 9;

enum class Operation { kAdd, kSub, kMin, kMax, kExchange, kSwap, kAnd, kOr, kXor, kIncrement,
                       kDecrement };

/// What an operation leaves at an address with the value `old`.
template <Operation operation, typename T>
__host__ __device__ T left_by(T old, T operand) {
  if constexpr (operation == Operation::kAdd) return old + operand;
  if constexpr (operation == Operation::kSub) return old - operand;
  if constexpr (operation == Operation::kMin) return operand < old ? operand : old;
  if constexpr (operation == Operation::kMax) return old < operand ? operand : old;
  if constexpr (operation == Operation::kExchange) return operand;
  if constexpr (operation == Operation::kSwap) return old + operand + operand;
  if constexpr (operation == Operation::kIncrement) return old >= operand ? T(0) : old + T(1);
  if constexpr (operation == Operation::kDecrement) {
    return old == T(0) || old > operand ? operand : old - T(1);
  }
  if constexpr (std::is_integral_v<T>) {
    if constexpr (operation == Operation::kAnd) return old & operand;
    if constexpr (operation == Operation::kOr) return old | operand;
    if constexpr (operation == Operation::kXor) return old ^ operand;
  }
  return old;
}

template <typename T>
__host__ __device__ T operand_of(int i) {
  return static_cast<T>(i * 7 % 61 + 1);
}

/// The operation by HIP's functions: of the whole system or of the device.
template <Operation operation, bool system, typename T>
__device__ T apply(T* p, T v) {
  using enum Operation;
  if constexpr (operation == kAdd) return system ? atomicAdd_system(p, v) : atomicAdd(p, v);
  if constexpr (operation == kSub) return system ? atomicSub_system(p, v) : atomicSub(p, v);
  if constexpr (operation == kMin) return system ? atomicMin_system(p, v) : atomicMin(p, v);
  if constexpr (operation == kMax) return system ? atomicMax_system(p, v) : atomicMax(p, v);
  if constexpr (operation == kExchange) return system ? atomicExch_system(p, v) : atomicExch(p, v);
  if constexpr (operation == kAnd) return system ? atomicAnd_system(p, v) : atomicAnd(p, v);
  if constexpr (operation == kOr) return system ? atomicOr_system(p, v) : atomicOr(p, v);
  if constexpr (operation == kXor) return system ? atomicXor_system(p, v) : atomicXor(p, v);
  if constexpr (operation == Operation::kIncrement) return atomicInc(p, v);
  if constexpr (operation == Operation::kDecrement) return atomicDec(p, v);
  if constexpr (operation == Operation::kSwap) {
    for (T seen = *p;;) {
      const T expected = seen;
      const T wanted = left_by<operation>(expected, v);
      seen = system ? atomicCAS_system(p, expected, wanted) : atomicCAS(p, expected, wanted);
      if (seen == expected) return seen;
    }
  }
}

/// Which of the addresses work-item `i` uses: one for all, one for each lane's neighbours, any.
__host__ __device__ int address_of(int pattern, int i) {
  return pattern == 0 ? 0 : pattern == 1 ? i % kAddresses : (i * 2654435761u >> 9) % kAddresses;
}

template <Operation operation, bool system, typename T>
__global__ void operate(T* target, T* found, int pattern) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (pattern == 2 && i % 5 == 3) return;
  found[i] = apply<operation, system>(&target[address_of(pattern, i)], operand_of<T>(i));
}

enum class Kind { kDevice, kPinned, kManaged, kRegistered };

/// Memory that host and device can use (the host through copies where it is the device's).
template <typename T>
class Memory {
 public:
  Memory(Kind kind, const std::vector<T>& values) : kind_(kind), count_(values.size()) {
    const size_t bytes = count_ * sizeof(T);
    void* made = nullptr;
    switch (kind) {
      case Kind::kDevice: HIP_CHECK(hipMalloc(&made, bytes)); break;
      case Kind::kPinned: HIP_CHECK(hipHostMalloc(&made, bytes, 0)); break;
      case Kind::kManaged: HIP_CHECK(hipMallocManaged(&made, bytes)); break;
      case Kind::kRegistered:
        made = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
        HIP_CHECK(hipHostRegister(made, bytes, 0));
        break;
    }
    data_ = static_cast<T*>(made);
    HIP_CHECK(hipMemcpy(data_, values.data(), bytes, hipMemcpyDefault));
  }
  ~Memory() {
    switch (kind_) {
      case Kind::kPinned: (void)hipHostFree(data_); break;
      case Kind::kRegistered:
        (void)hipHostUnregister(data_);
        std::free(data_);
        break;
      default: (void)hipFree(data_);
    }
  }
  Memory(const Memory&) = delete;

  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    HIP_CHECK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDefault));
    return values;
  }

 private:
  Kind kind_;
  size_t count_;
  T* data_ = nullptr;
};

/// Whether what was found is a chain from `first` to `last`.
template <typename T>
bool is_chain(T first, std::vector<T> found, std::vector<T> left, T last) {
  found.push_back(last);
  left.push_back(first);
  std::sort(found.begin(), found.end());
  std::sort(left.begin(), left.end());
  return found == left;
}

template <Operation operation, bool system, typename T>
bool chain_right(Kind kind, int pattern) {
  std::vector<T> first(kAddresses);
  for (int a = 0; a < kAddresses; ++a) first[a] = static_cast<T>(17 + 3 * a);
  const Memory<T> target(kind, first);
  example::DeviceArray<T> found(kCount);
  operate<operation, system><<<kBlocks, kThreads>>>(target.data(), found.data(), pattern);
  example::finish_kernel();
  const std::vector<T> last = target.read(), values = found.read();
  bool ok = true;
  for (int a = 0; a < kAddresses; ++a) {
    std::vector<T> seen, left;
    for (int i = 0; i < kCount; ++i) {
      if (address_of(pattern, i) != a || (pattern == 2 && i % 5 == 3)) continue;
      seen.push_back(values[i]);
      left.push_back(left_by<operation>(values[i], operand_of<T>(i)));
    }
    ok = ok && is_chain(first[a], seen, left, last[a]);
  }
  return ok;
}

template <Operation operation, typename T, bool has_system = true>
bool right() {
  bool ok = true;
  for (const Kind kind : {Kind::kDevice, Kind::kPinned, Kind::kManaged, Kind::kRegistered}) {
    for (int pattern = 0; pattern < 3; ++pattern) {
      ok = chain_right<operation, false, T>(kind, pattern) && ok;
      if constexpr (has_system) ok = chain_right<operation, true, T>(kind, pattern) && ok;
    }
  }
  return ok;
}

template <typename T>
bool arithmetic_right() {
  bool ok = right<Operation::kAdd, T>() && right<Operation::kExchange, T>();
  if constexpr (std::is_integral_v<T>) {
    ok = right<Operation::kMin, T>() && right<Operation::kMax, T>() && ok;
    ok = right<Operation::kAnd, T>() && right<Operation::kOr, T>() && ok;
    ok = right<Operation::kXor, T>() && right<Operation::kSwap, T>() && ok;
    if constexpr (sizeof(T) == 4) ok = right<Operation::kSub, T>() && ok;
  }
  return ok;
}

// --- the compiler's own atomics, of every size, order and scope ---

template <typename T, int order, int scope>
__global__ void with_order(T* target, T* found) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  T expected = 0;
  switch (i % 3) {
    case 0:
      found[i] = __hip_atomic_fetch_add(target, operand_of<T>(i), order, scope);
      break;
    case 1:
      found[i] = __hip_atomic_exchange(target, operand_of<T>(i), order, scope);
      break;
    default:
      expected = __hip_atomic_load(target, __ATOMIC_RELAXED, scope);
      while (!__hip_atomic_compare_exchange_strong(target, &expected,
                                                   T(expected ^ operand_of<T>(i)), order,
                                                   __ATOMIC_RELAXED, scope)) {
      }
      found[i] = expected;
  }
}

template <typename T, int order, int scope>
bool order_right() {
  const T first = 5;
  const Memory<T> target(Kind::kPinned, {first});
  example::DeviceArray<T> found(kCount);
  const int blocks = scope == __HIP_MEMORY_SCOPE_WORKGROUP ? 1 : kBlocks;
  with_order<T, order, scope><<<blocks, kThreads>>>(target.data(), found.data());
  example::finish_kernel();
  std::vector<T> seen = found.read(), left;
  seen.resize(blocks * kThreads);
  for (int i = 0; i < blocks * kThreads; ++i) {
    const T operand = operand_of<T>(i);
    const T results[] = {T(seen[i] + operand), operand, T(seen[i] ^ operand)};
    left.push_back(results[i % 3]);
  }
  return is_chain(first, seen, left, target.read()[0]);
}

template <typename T>
bool orders_right() {
  return order_right<T, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM>() &&
         order_right<T, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM>() &&
         order_right<T, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_SYSTEM>() &&
         order_right<T, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT>() &&
         order_right<T, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT>() &&
         order_right<T, __ATOMIC_SEQ_CST, __HIP_MEMORY_SCOPE_WORKGROUP>();
}

// --- the host beside the kernel ---

template <typename T>
__global__ void add_and_wait(T* counter, int* host_is_there, T* found, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (__hip_atomic_load(host_is_there, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) {
  }
  for (int round = 0; round < rounds; ++round) {
    found[i * rounds + round] = atomicAdd_system(counter, operand_of<T>(i));
  }
}

/// Host and device add to one counter until both have done their share.
template <typename T>
bool together_right(Kind kind) {
  constexpr int kRounds = 20, kHostRounds = 2000;
  const Memory<T> counter(kind, {T(0)});
  const Memory<int> there(kind, {0});
  example::DeviceArray<T> found(kCount * kRounds);
  add_and_wait<<<kBlocks, kThreads>>>(counter.data(), there.data(), found.data(), kRounds);
  __atomic_store_n(there.data(), 1, __ATOMIC_RELEASE);
  std::vector<T> left, host;
  for (int i = 0; i < kHostRounds; ++i) {
    host.push_back(__atomic_fetch_add(counter.data(), T(3), __ATOMIC_SEQ_CST));
    left.push_back(host.back() + T(3));
  }
  example::finish_kernel();
  std::vector<T> seen = found.read();
  for (int i = 0; i < kCount * kRounds; ++i) {
    left.push_back(seen[i] + operand_of<T>(i / kRounds));
  }
  seen.insert(seen.end(), host.begin(), host.end());
  return is_chain(T(0), seen, left, counter.read()[0]);
}

// The kernel answers each message of the host: plain data, ordered by one flag.
__global__ void answer(int* flag, int* data, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) != 2 * round + 1) {
    }
    for (int i = threadIdx.x; i < 100; i += blockDim.x) data[i] = data[i] * 2 + round;
    __syncthreads();
    if (threadIdx.x == 0) {
      __hip_atomic_store(flag, 2 * round + 2, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
    }
    __syncthreads();
  }
}

bool messages_right(Kind kind) {
  constexpr int kRounds = 12;
  const Memory<int> flag(kind, {0});
  const Memory<int> data(kind, std::vector<int>(100));
  std::vector<int> expected(100);
  answer<<<1, 64>>>(flag.data(), data.data(), kRounds);
  bool ok = true;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < 100; ++i) {
      data.data()[i] += i;
      expected[i] = (expected[i] + i) * 2 + round;
    }
    __atomic_store_n(flag.data(), 2 * round + 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(flag.data(), __ATOMIC_ACQUIRE) != 2 * round + 2) {
      std::this_thread::yield();
    }
    for (int i = 0; i < 100; ++i) ok = ok && data.data()[i] == expected[i];
  }
  example::finish_kernel();
  return ok;
}

int main() {
  bool ok = example::line("int", arithmetic_right<int>());
  ok = example::line("unsigned", right<Operation::kMin, unsigned>() &&
                                     right<Operation::kMax, unsigned>()) && ok;
  ok = example::line("unsigned long long", arithmetic_right<unsigned long long>()) && ok;
  ok = example::line("float", arithmetic_right<float>()) && ok;
  ok = example::line("double", right<Operation::kAdd, double>()) && ok;
  ok = example::line("increments", right<Operation::kIncrement, unsigned, false>()) && ok;
  ok = example::line("decrements", right<Operation::kDecrement, unsigned, false>()) && ok;
  ok = example::line("orders, 8 bits", orders_right<std::uint8_t>()) && ok;
  ok = example::line("orders, 16 bits", orders_right<std::uint16_t>()) && ok;
  ok = example::line("orders, 32 bits", orders_right<std::uint32_t>()) && ok;
  ok = example::line("orders, 64 bits", orders_right<std::uint64_t>()) && ok;
  for (const Kind kind : {Kind::kPinned, Kind::kManaged, Kind::kRegistered}) {
    ok = example::line("host and kernel, 32 bits", together_right<unsigned>(kind)) && ok;
    ok = example::line("host and kernel, 64 bits", together_right<unsigned long long>(kind)) && ok;
    ok = example::line("messages", messages_right(kind)) && ok;
  }
  return example::verdict(ok);
}
