// How waves and workgroups that wait for each other move: by the letter much of this is a race, but
// a device's waves pass a barrier together and its resident workgroups all advance, and programs
// lean on it. docs/litmus.md has the table.
#include <cmath>
#include <cstdint>

#include "common/check.hpp"
#include "litmus/agent.hpp"

using LdsWord = __attribute__((address_space(3))) int*;
using Quad = std::uint32_t __attribute__((ext_vector_type(4)));

constexpr int kWaves = 16, kGroup = 64 * kWaves;

// ---- waves of a workgroup ----------------------------------------------------------------------

// After a barrier every wave reads a word of LDS; then thread 0 overwrites it with its root, without
// a barrier between.
__global__ void overwrite_after_root(double* seen, double first, int rounds) {
  __shared__ double pivot;
  if (threadIdx.x == 0) pivot = first;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const double value = pivot;
    if (threadIdx.x == 0) pivot = sqrt(value);
    seen[round * kGroup + threadIdx.x] = value;
    __syncthreads();
  }
}

// After a barrier every wave reads the words of all waves, and overwrites its own without waiting
// for what it read.
__global__ void overwrite_without_wait(int* seen, int rounds) {
  __shared__ int words[kWaves];
  const int wave = threadIdx.x / 64;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    if (threadIdx.x < kWaves) words[threadIdx.x] = round;
    __syncthreads();
    int value;
    asm volatile("ds_read_b32 %0, %1\n\tds_write_b32 %2, %3\n\ts_waitcnt lgkmcnt(0)"
                 : "=&v"(value)
                 : "v"((LdsWord)(words + threadIdx.x % kWaves)), "v"((LdsWord)(words + wave)), "v"(-1)
                 : "memory");
    seen[round * kGroup + threadIdx.x] = value;
  }
}

// What overwrites the word comes from memory.
__global__ void overwrite_after_load(int* seen, const int* next, int rounds) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const int value = word;
    if (threadIdx.x == 0) word = *const_cast<const volatile int*>(next + round);
    seen[round * kGroup + threadIdx.x] = value;
    __syncthreads();
  }
}

// The same in memory: every wave reads, the last thread overwrites.
__global__ void overwrite_in_memory(int* word, int* seen, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    const int value = *const_cast<volatile int*>(word);
    if (threadIdx.x == 0) *const_cast<volatile int*>(word) = value + 1;
    seen[round * kGroup + threadIdx.x] = value;
    __syncthreads();
  }
}

// The first wave stores what it loads; the others read it after two loads that depend on each
// other, without a barrier.
__global__ void read_behind_two_loads(int* seen, const int* chain) {
  __shared__ int word;
  if (threadIdx.x == 0) word = 0;
  __syncthreads();
  const volatile int* const links = chain;
  if (threadIdx.x < 64) {
    word = links[0] + 6;
  } else {
    const int second = links[links[threadIdx.x % 2]];
    seen[threadIdx.x] = *const_cast<volatile int*>(&word) + second;
  }
}

// Each wave in turn takes a ticket in LDS and waits until it is served.
__global__ void tickets_of_waves(int* order) {
  __shared__ int next, serving, count;
  if (threadIdx.x == 0) next = serving = count = 0;
  __syncthreads();
  if (threadIdx.x % 64 != 0) return;
  const int ticket = atomicAdd(&next, 1);
  while (atomicAdd(&serving, 0) != ticket) {
  }
  order[ticket] = count;
  count = count + 1;
  __threadfence_block();
  atomicAdd(&serving, 1);
}

// ---- workgroups --------------------------------------------------------------------------------

// A lock that is handed on in the order of arrival, over a counter without atomics.
__global__ void tickets_of_groups(int* next, int* serving, int* counter, int rounds) {
  if (threadIdx.x != 0) return;
  for (int round = 0; round < rounds; ++round) {
    const int ticket = atomicAdd(next, 1);
    while (litmus::load(serving) != ticket) {
    }
    *const_cast<volatile int*>(counter) = *const_cast<volatile int*>(counter) + 1;
    litmus::store(serving, ticket + 1);
  }
}

// Decoupled look-back: each workgroup publishes its own sum, adds up those before it until one has
// its whole prefix, and publishes its own. State and value share 16 bytes.
constexpr std::uint32_t kOwn = 1, kPrefix = 2;

__global__ void look_back(Quad* states, int* groups_started, std::uint32_t* prefixes) {
  __shared__ int index;
  if (threadIdx.x == 0) index = atomicAdd(groups_started, 1);
  __syncthreads();
  if (threadIdx.x != 0) return;
  const int self = index;
  const std::uint32_t own = self + 1;
  volatile Quad* const state = states;
  std::uint32_t before = 0;
  if (self > 0) {
    state[self] = Quad{kOwn, own, ~own, kOwn};
    for (int i = self - 1;; --i) {
      Quad seen;
      do {
        seen = state[i];
      } while (seen.x == 0);
      before += seen.z == ~seen.y && seen.w == seen.x ? seen.y : 0x40000000;  // torn
      if (seen.x == kPrefix) break;
    }
  }
  const std::uint32_t prefix = before + own;
  state[self] = Quad{kPrefix, prefix, ~prefix, kPrefix};
  prefixes[self] = prefix;
}

// The first workgroups wait for the last one, with barriers in the loop.
__global__ void spin_with_barriers(int* flag, int* rounds) {
  __shared__ int seen;
  if (blockIdx.x == gridDim.x - 1) {
    if (threadIdx.x == 0) litmus::store(flag, 1);
    return;
  }
  int round = 0;
  while (true) {
    if (threadIdx.x == 0) seen = litmus::load(flag);
    __syncthreads();
    if (seen != 0) break;
    ++round;
    __syncthreads();
  }
  if (threadIdx.x == 0) rounds[blockIdx.x] = round + 1;
}

// All workgroups meet, again and again.
__global__ void meet(int* arrived, int rounds) {
  for (int round = 1; round <= rounds; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(arrived, 1);
      litmus::wait_for(arrived, round * static_cast<int>(gridDim.x));
    }
    __syncthreads();
  }
}

// Each workgroup waits for a time on the clock of 100 MHz or on the engine's.
__global__ void spin_on_clock(std::uint64_t* times, std::uint64_t ticks, int engine_clock) {
  if (threadIdx.x != 0) return;
  const std::uint64_t start = __builtin_amdgcn_s_memrealtime();
  if (engine_clock != 0) {
    const long long from = clock64();
    while (clock64() - from < static_cast<long long>(ticks)) {
    }
  } else {
    while (__builtin_amdgcn_s_memrealtime() - start < ticks) {
    }
  }
  times[2 * blockIdx.x] = start;
  times[2 * blockIdx.x + 1] = __builtin_amdgcn_s_memrealtime();
}

// ---- host --------------------------------------------------------------------------------------

// In each round all of a workgroup saw the same value, and what the first round saw was `first`.
template <typename T>
bool agree(const std::vector<T>& seen, T first) {
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] != seen[i / kGroup * kGroup]) return false;
  }
  return seen[0] == first;
}

static bool waves(int rounds) {
  bool ok = true;
  example::DeviceArray<double> roots(rounds * kGroup);
  overwrite_after_root<<<1, kGroup>>>(roots.data(), 65536.0, rounds);
  example::finish_kernel();
  ok = example::line("overwritten by its root", agree(roots.read(), 65536.0)) && ok;

  std::vector<int> numbers(rounds);
  for (int i = 0; i < rounds; ++i) numbers[i] = i + 1;
  example::DeviceArray<int> next(numbers), seen(rounds * kGroup), word(1);
  overwrite_without_wait<<<1, kGroup>>>(seen.data(), rounds);
  example::finish_kernel();
  const std::vector<int> words = seen.read();
  bool old = true;
  for (int i = 0; i < rounds * kGroup; ++i) old = old && words[i] == i / kGroup;
  ok = example::line("overwritten without a wait", old) && ok;

  overwrite_after_load<<<1, kGroup>>>(seen.data(), next.data(), rounds);
  example::finish_kernel();
  ok = example::line("overwritten after a load", agree(seen.read(), 0)) && ok;

  word.clear();
  overwrite_in_memory<<<1, kGroup>>>(word.data(), seen.data(), rounds);
  example::finish_kernel();
  ok = example::line("overwritten in memory", agree(seen.read(), 0)) && ok;

  example::DeviceArray<int> chain(std::vector<int>{1, 0}), found(kGroup);
  found.clear();
  read_behind_two_loads<<<1, kGroup>>>(found.data(), chain.data());
  example::finish_kernel();
  bool late = true;
  const std::vector<int> behind = found.read();
  for (int i = 64; i < kGroup; ++i) late = late && behind[i] == 7 + (i % 2 == 0 ? 0 : 1);
  ok = example::line("read behind two loads", late) && ok;

  example::DeviceArray<int> order(kWaves);
  tickets_of_waves<<<1, kGroup>>>(order.data());
  example::finish_kernel();
  bool in_order = true;
  const std::vector<int> served = order.read();
  for (int i = 0; i < kWaves; ++i) in_order = in_order && served[i] == i;
  return example::line("tickets of waves", in_order) && ok;
}

static bool groups(int rounds) {
  constexpr int kGroups = 48, kTiles = 300;
  bool ok = true;
  example::DeviceArray<int> words(4);
  words.clear();
  tickets_of_groups<<<kGroups, 64>>>(words.data(), words.data() + 1, words.data() + 2, rounds);
  example::finish_kernel();
  ok = example::line("tickets of workgroups", words.read()[2] == kGroups * rounds) && ok;

  example::DeviceArray<Quad> states(kTiles);
  example::DeviceArray<std::uint32_t> prefixes(kTiles);
  states.clear();
  words.clear();
  look_back<<<kTiles, 256>>>(states.data(), words.data(), prefixes.data());
  example::finish_kernel();
  bool scanned = true;
  const std::vector<std::uint32_t> sums = prefixes.read();
  for (std::uint32_t i = 0; i < kTiles; ++i) scanned = scanned && sums[i] == (i + 1) * (i + 2) / 2;
  ok = example::line("look-back", scanned) && ok;

  example::DeviceArray<int> spins(kGroups);
  words.clear();
  spins.clear();
  spin_with_barriers<<<kGroups, 256>>>(words.data(), spins.data());
  example::finish_kernel();
  bool released = true;
  const std::vector<int> waited = spins.read();
  for (int i = 0; i + 1 < kGroups; ++i) released = released && waited[i] > 0;
  ok = example::line("spin with barriers", released) && ok;

  words.clear();
  meet<<<kGroups, 256>>>(words.data(), rounds);
  example::finish_kernel();
  return example::line("workgroups that meet", words.read()[0] == kGroups * rounds) && ok;
}

// All workgroups have started before the first is through.
static bool clocks() {
  constexpr int kGroups = 32;
  bool ok = true;
  example::DeviceArray<std::uint64_t> times(2 * kGroups);
  int engine_khz = 0;
  HIP_CHECK(hipDeviceGetAttribute(&engine_khz, hipDeviceAttributeClockRate, 0));
  for (const int engine : {0, 1}) {
    const std::uint64_t milliseconds = 250;
    const std::uint64_t ticks = milliseconds * (engine ? engine_khz : 100000);
    spin_on_clock<<<kGroups, 64>>>(times.data(), ticks, engine);
    example::finish_kernel();
    std::uint64_t last_start = 0, first_end = ~std::uint64_t{0};
    const std::vector<std::uint64_t> seen = times.read();
    for (int i = 0; i < kGroups; ++i) {
      last_start = seen[2 * i] > last_start ? seen[2 * i] : last_start;
      first_end = seen[2 * i + 1] < first_end ? seen[2 * i + 1] : first_end;
    }
    ok = example::line(engine ? "spins on clock64" : "spins on s_memrealtime",
                       last_start < first_end) && ok;
  }
  return ok;
}

int main(int argc, char** argv) {
  const int rounds = example::size_argument(argc, argv, 50);
  const bool waves_right = waves(rounds);
  const bool groups_right = groups(rounds);
  const bool clocks_right = clocks();
  return example::verdict(waves_right && groups_right && clocks_right);
}
