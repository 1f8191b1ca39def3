// Cooperative groups against a host model: tiles of every size, groups of groups, coalesced groups
// under divergence, shuffles and votes, blocks and grids of three dimensions, several grids.
#include "common/check.hpp"

#include <hip/hip_cooperative_groups.h>  // wants hip_runtime.h before it

#include <cstdint>
#include <functional>
#include <type_traits>

namespace cg = cooperative_groups;

constexpr int kWave = 64;
constexpr int kBlock = 192;
constexpr int kGrid = 3;
constexpr int kThreads = kBlock * kGrid;

/// What each work-item brings into a shuffle: different in every bit position that a type has.
template <typename T>
__host__ __device__ T value_of(int thread) {
  if constexpr (std::is_floating_point_v<T>) return static_cast<T>(thread) * T(0.75) - T(31);
  return static_cast<T>(thread + 1) * static_cast<T>(0x9E3779B97F4A7C15ull);
}

/// Results of one work-item, `kSlots` for each way of shuffling.
constexpr int kSlots = 20;
constexpr int kNothing = -77;

template <typename T, class Group>
__device__ void shuffle(const Group& group, T own, T* out) {
  for (int i = 0; i < kSlots; ++i) {
    const int by = i * i % 67;
    out[i] = group.shfl(own, static_cast<int>(by % group.size()));
    out[kSlots + i] = group.shfl_up(own, by);
    out[2 * kSlots + i] = group.shfl_down(own, by);
  }
}

/// The same on the host: `members` are the work-items of the group by rank.
template <typename T>
bool shuffled_right(const std::vector<int>& members, int rank, const T* out) {
  const int size = static_cast<int>(members.size());
  const auto value = [&](int of) { return value_of<T>(members[of]); };
  bool ok = true;
  for (int i = 0; i < kSlots; ++i) {
    const int by = i * i % 67;
    ok = ok && out[i] == value(by % size);
    ok = ok && out[kSlots + i] == value(rank >= by ? rank - by : rank);
    ok = ok && out[2 * kSlots + i] == value(rank + by < size ? rank + by : rank);
  }
  return ok;
}

struct Place {
  unsigned rank, size;
};

// --- tiles ---

template <typename T, int size>
__global__ void tiles(Place* places, T* out, bool divergent) {
  const auto tile = cg::tiled_partition<size>(cg::this_thread_block());
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (divergent && threadIdx.x / size % 3 == 1) return;
  places[thread] = {tile.thread_rank(), tile.size()};
  shuffle(tile, value_of<T>(thread), out + thread * 4 * kSlots);
  for (int i = 0; i < kSlots; ++i) {
    out[(thread * 4 + 3) * kSlots + i] = tile.shfl_xor(value_of<T>(thread), i % size);
  }
  tile.sync();
}

template <typename T, int size>
bool tiles_right(bool divergent) {
  example::DeviceArray<Place> places(kThreads);
  example::DeviceArray<T> out(kThreads * 4 * kSlots);
  places.clear();
  out.clear();
  tiles<T, size><<<kGrid, kBlock>>>(places.data(), out.data(), divergent);
  example::finish_kernel();
  const std::vector<Place> found = places.read();
  const std::vector<T> values = out.read();
  for (int t = 0; t < kThreads; ++t) {
    const bool left_out = divergent && t % kBlock / size % 3 == 1;
    const unsigned rank = t % size;
    if (left_out) {
      if (found[t].size != 0) return false;
      continue;
    }
    if (found[t].rank != rank || found[t].size != size) return false;
    std::vector<int> members(size);
    for (int i = 0; i < size; ++i) members[i] = t - static_cast<int>(rank) + i;
    const T* mine = &values[t * 4 * kSlots];
    if (!shuffled_right(members, static_cast<int>(rank), mine)) return false;
    for (int i = 0; i < kSlots; ++i) {
      const unsigned other = rank ^ static_cast<unsigned>(i % size);
      if (mine[3 * kSlots + i] != value_of<T>(members[other])) return false;
    }
  }
  return true;
}

template <typename T>
bool tiles_of_all_sizes_right() {
  bool ok = true;
  for (const bool divergent : {false, true}) {
    ok = tiles_right<T, 1>(divergent) && tiles_right<T, 2>(divergent) && ok;
    ok = tiles_right<T, 4>(divergent) && tiles_right<T, 8>(divergent) && ok;
    ok = tiles_right<T, 16>(divergent) && tiles_right<T, 32>(divergent) && ok;
    ok = tiles_right<T, 64>(divergent) && ok;
  }
  return ok;
}

// --- tiles of tiles, and groups whose size is known when they are made only ---

__global__ void nested(Place* places, int* sums) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  Place* mine = places + thread * 4;
  mine[0] = {tile.thread_rank(), tile.size()};
  int sum = thread;
  for (unsigned step = tile.size() / 2; step > 0; step /= 2) sum += tile.shfl_xor(sum, step);
  sums[thread] = sum;
  const cg::thread_group any = cg::tiled_partition(cg::this_thread_block(), 16);
  mine[1] = {any.thread_rank(), any.size()};
  const cg::thread_group part = cg::tiled_partition(any, 4);
  mine[2] = {part.thread_rank(), part.size()};
  const cg::thread_group block = cg::this_thread_block();
  mine[3] = {block.thread_rank(), block.size()};
  any.sync();
  part.sync();
  block.sync();
}

bool nested_right() {
  example::DeviceArray<Place> places(kThreads * 4);
  example::DeviceArray<int> sums(kThreads);
  nested<<<kGrid, kBlock>>>(places.data(), sums.data());
  example::finish_kernel();
  const std::vector<Place> found = places.read();
  const std::vector<int> summed = sums.read();
  bool ok = true;
  for (int t = 0; t < kThreads; ++t) {
    const unsigned sizes[] = {8, 16, 4, kBlock};
    for (int i = 0; i < 4; ++i) {
      const Place& place = found[t * 4 + i];
      ok = ok && place.size == sizes[i] && place.rank == t % kBlock % sizes[i];
    }
    ok = ok && summed[t] == t / 8 * 8 * 8 + 28;
  }
  return ok;
}

// --- coalesced groups ---

constexpr int kPatterns = 8;

/// Which lanes of a wave are together, for each pattern.
__host__ __device__ bool is_member(int pattern, int thread) {
  const int lane = thread % kWave;
  switch (pattern) {
    case 0: return true;
    case 1: return lane % 2 == 1;
    case 2: return lane % 3 == 0;
    case 3: return lane < 17;
    case 4: return lane >= 50;
    case 5: return lane == thread / kWave % kWave;
    case 6: return (lane * 2654435761u >> 7) % 5 < 2;
    default: return thread % 7 != 0;
  }
}

template <typename T>
__global__ void coalesced(Place* places, T* out, int pattern) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (!is_member(pattern, thread)) return;
  const cg::coalesced_group group = cg::coalesced_threads();
  places[thread] = {group.thread_rank(), group.size()};
  shuffle(group, value_of<T>(thread), out + thread * 3 * kSlots);
  group.sync();
}

std::vector<int> members_of_wave(int pattern, int thread) {
  std::vector<int> members;
  for (int t = thread / kWave * kWave; t < thread / kWave * kWave + kWave; ++t) {
    if (is_member(pattern, t)) members.push_back(t);
  }
  return members;
}

template <typename T>
bool coalesced_right() {
  for (int pattern = 0; pattern < kPatterns; ++pattern) {
    example::DeviceArray<Place> places(kThreads);
    example::DeviceArray<T> out(kThreads * 3 * kSlots);
    places.clear();
    coalesced<T><<<kGrid, kBlock>>>(places.data(), out.data(), pattern);
    example::finish_kernel();
    const std::vector<Place> found = places.read();
    const std::vector<T> values = out.read();
    for (int t = 0; t < kThreads; ++t) {
      if (!is_member(pattern, t)) continue;
      const std::vector<int> members = members_of_wave(pattern, t);
      unsigned rank = 0;
      while (members[rank] != t) ++rank;
      if (found[t].rank != rank || found[t].size != members.size()) return false;
      if (!shuffled_right(members, static_cast<int>(rank), &values[t * 3 * kSlots])) return false;
    }
  }
  return true;
}

// The header of ROCm 5.2 finds the first 31 lanes only when it divides a coalesced group.
__global__ void coalesced_tiles(Place* places) {
  const int thread = threadIdx.x;
  if (thread % 64 >= 30 || thread % 3 == 1) return;
  const cg::coalesced_group tile = cg::tiled_partition(cg::coalesced_threads(), 4);
  places[thread] = {tile.thread_rank(), tile.size()};
}

bool coalesced_tiles_right() {
  example::DeviceArray<Place> places(kWave);
  places.clear();
  coalesced_tiles<<<1, kWave>>>(places.data());
  example::finish_kernel();
  const std::vector<Place> found = places.read();
  bool ok = true;
  unsigned rank = 0;
  for (int t = 0; t < kWave; ++t) {
    if (t >= 30 || t % 3 == 1) continue;
    ok = ok && found[t].rank == rank % 4 && found[t].size == 4;
    ++rank;
  }
  return ok && rank == 20;
}

// --- votes, which ROCm 5's groups do not have themselves ---

__global__ void votes(unsigned long long* out, int pattern) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long* mine = out + thread * 3;
  if (!is_member(pattern, thread)) return;
  mine[0] = __ballot(thread % 5 < 2);
  mine[1] = __any(thread % 64 == 51);
  mine[2] = __all(thread % 64 >= 17);
}

bool votes_right() {
  bool ok = true;
  for (int pattern = 0; pattern < kPatterns; ++pattern) {
    example::DeviceArray<unsigned long long> out(kThreads * 3);
    votes<<<kGrid, kBlock>>>(out.data(), pattern);
    example::finish_kernel();
    const std::vector<unsigned long long> found = out.read();
    for (int t = 0; t < kThreads; ++t) {
      if (!is_member(pattern, t)) continue;
      unsigned long long ballot = 0, any = 0, all = 1;
      for (const int member : members_of_wave(pattern, t)) {
        if (member % 5 < 2) ballot |= 1ull << member % kWave;
        any |= member % 64 == 51;
        all &= member % 64 >= 17;
      }
      ok = ok && found[t * 3] == ballot && (found[t * 3 + 1] != 0) == (any != 0);
      ok = ok && (found[t * 3 + 2] != 0) == (all != 0);
    }
  }
  return ok;
}

#if HIP_VERSION_MAJOR >= 7 || defined(HIP_ENABLE_WARP_SYNC_BUILTINS)
// --- what the groups of ROCm 6 have beside ---

__global__ void newer(unsigned long long* out) {
  const int thread = threadIdx.x;
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  unsigned long long* mine = out + thread * 10;
  mine[0] = tile.meta_group_rank();
  mine[1] = tile.meta_group_size();
  mine[2] = tile.ballot(thread % 3 == 0);
  mine[3] = tile.any(thread == 20);
  mine[4] = tile.all(thread != 20);
  mine[5] = tile.match_any(thread % 4);
  int same = 0;
  mine[6] = tile.match_all(thread / 16 == 2 ? thread : 5, same);
  mine[7] = same;
  const cg::coalesced_group half = cg::binary_partition(tile, thread % 3 == 0);
  mine[8] = half.thread_rank();
  mine[9] = half.size();
}

bool newer_right() {
  constexpr int kCount = 128;
  example::DeviceArray<unsigned long long> out(kCount * 10);
  newer<<<1, kCount>>>(out.data());
  example::finish_kernel();
  const std::vector<unsigned long long> found = out.read();
  bool ok = true;
  for (int t = 0; t < kCount; ++t) {
    const int first = t / 16 * 16;
    unsigned long long ballot = 0, match = 0, rank = 0, size = 0;
    for (int i = 0; i < 16; ++i) {
      const int other = first + i;
      if (other % 3 == 0) ballot |= 1ull << i;
      if (other % 4 == t % 4) match |= 1ull << i;
      if ((other % 3 == 0) != (t % 3 == 0)) continue;
      ++size;
      rank += other < t;
    }
    const bool differ = t / 16 == 2;
    const unsigned long long wanted[] = {
        static_cast<unsigned long long>(t / 16), kCount / 16, ballot, t / 16 == 1, t / 16 != 1,
        match, differ ? 0ull : 0xffffull, !differ, rank, size};
    for (int i = 0; i < 10; ++i) ok = ok && found[t * 10 + i] == wanted[i];
  }
  return ok;
}
#endif

// --- blocks and grids of three dimensions ---

struct Ranks {
  unsigned block_rank, block_size, grid_rank, grid_size;
  unsigned thread[3], group[3];
};

__global__ void shapes(Ranks* out, int* before, int* after, int* valid) {
  __shared__ int exchange[24];
  cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const dim3 thread = block.thread_index(), group = block.group_index();
  const unsigned rank = grid.thread_rank();
  out[rank] = {block.thread_rank(), static_cast<unsigned>(block.size()), rank,
               static_cast<unsigned>(grid.size()),
               {thread.x, thread.y, thread.z}, {group.x, group.y, group.z}};
  exchange[block.thread_rank()] = static_cast<int>(rank);
  block.sync();
  before[rank] = exchange[block.size() - 1 - block.thread_rank()];
  grid.sync();
  after[rank] = before[(rank + 24) % grid.size()];
  if (!block.is_valid() || !grid.is_valid()) *valid = 0;
}

bool shapes_right() {
  const dim3 grid(3, 2, 4), block(4, 3, 2);
  const unsigned block_size = 24, count = 24 * 24;
  example::DeviceArray<Ranks> out(count);
  example::DeviceArray<int> before(count), after(count), valid(std::vector<int>{1});
  Ranks* ranks = out.data();
  int *a = before.data(), *b = after.data(), *c = valid.data();
  void* arguments[] = {&ranks, &a, &b, &c};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void*>(shapes), grid, block,
                                       arguments, 0, nullptr));
  example::finish_kernel();
  const std::vector<Ranks> found = out.read();
  const std::vector<int> exchanged = before.read(), passed = after.read();
  bool ok = valid.read()[0] == 1;
  for (unsigned t = 0; t < count; ++t) {
    const unsigned group = t / block_size, rank = t % block_size;
    const Ranks& r = found[t];
    ok = ok && r.block_rank == rank && r.block_size == block_size;
    ok = ok && r.grid_rank == t && r.grid_size == count;
    ok = ok && r.thread[0] == rank % 4 && r.thread[1] == rank / 4 % 3 && r.thread[2] == rank / 12;
    ok = ok && r.group[0] == group % 3 && r.group[1] == group / 3 % 2 && r.group[2] == group / 6;
    const unsigned next = (t + 24) % count;
    ok = ok && exchanged[t] == static_cast<int>(group * block_size + block_size - 1 - rank);
    ok = ok && passed[t] == exchanged[next];
  }
  return ok;
}

// --- one grid on each device ---

__global__ void grids(unsigned* ranks, int** boards, int rounds) {
  cg::multi_grid_group all = cg::this_multi_grid();
  const unsigned grids = all.num_grids(), grid = all.grid_rank();
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned count = gridDim.x * blockDim.x;
  ranks[thread] = all.thread_rank();
  for (int round = 0; round < rounds; ++round) {
    const int* from = boards[(grid + 1) % grids] + (round % 2) * count;
    boards[grid][((round + 1) % 2) * count + thread] = from[count - 1 - thread] + 1;
    __threadfence_system();
    all.sync();
  }
  if (!all.is_valid() || all.size() != grids * count) ranks[thread] = ~0u;
}

bool grids_right() {
  constexpr int kCount = 4 * 128, kRounds = 5;
  int devices = 0;
  HIP_CHECK(hipGetDeviceCount(&devices));
  std::vector<hipStream_t> streams(devices);
  std::vector<int*> boards(devices);
  std::vector<unsigned*> ranks(devices);
  int** shared_boards = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&shared_boards), devices * sizeof(int*), 0));
  int rounds = kRounds;
  std::vector<std::vector<void*>> arguments(devices);
  std::vector<hipLaunchParams> launches(devices);
  for (int d = 0; d < devices; ++d) {
    HIP_CHECK(hipSetDevice(d));
    HIP_CHECK(hipStreamCreate(&streams[d]));
    HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&boards[d]), 2 * kCount * sizeof(int), 0));
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&ranks[d]), kCount * sizeof(unsigned)));
    for (int i = 0; i < kCount; ++i) boards[d][i] = 1000 * d + i;
    shared_boards[d] = boards[d];
    arguments[d] = {&ranks[d], &shared_boards, &rounds};
    launches[d] = {reinterpret_cast<void*>(grids), dim3(4), dim3(128), arguments[d].data(), 0,
                   streams[d]};
  }
  HIP_CHECK(hipLaunchCooperativeKernelMultiDevice(launches.data(), devices, 0));
  bool ok = true;
  for (int d = 0; d < devices; ++d) HIP_CHECK(hipStreamSynchronize(streams[d]));
  for (int d = 0; d < devices; ++d) {
    std::vector<unsigned> found(kCount);
    HIP_CHECK(hipMemcpy(found.data(), ranks[d], kCount * sizeof(unsigned), hipMemcpyDeviceToHost));
    for (int i = 0; i < kCount; ++i) {
      const int first = kRounds % 2 == 0 ? i : kCount - 1 - i;
      const int wanted = 1000 * ((d + kRounds) % devices) + first + kRounds;
      ok = ok && boards[d][kRounds % 2 * kCount + i] == wanted;
      ok = ok && found[i] == static_cast<unsigned>(d * kCount + i);
    }
    HIP_CHECK(hipHostFree(boards[d]));
    HIP_CHECK(hipFree(ranks[d]));
    HIP_CHECK(hipStreamDestroy(streams[d]));
  }
  HIP_CHECK(hipHostFree(shared_boards));
  HIP_CHECK(hipSetDevice(0));
  return ok;
}

int main() {
  bool ok = example::line("tiles, int", tiles_of_all_sizes_right<int>());
  ok = example::line("tiles, float", tiles_of_all_sizes_right<float>()) && ok;
  ok = example::line("tiles, double", tiles_of_all_sizes_right<double>()) && ok;
  ok = example::line("tiles, unsigned long long",
                     tiles_of_all_sizes_right<unsigned long long>()) && ok;
  ok = example::line("tiles of tiles", nested_right()) && ok;
  ok = example::line("coalesced, int", coalesced_right<int>()) && ok;
  ok = example::line("coalesced, double", coalesced_right<double>()) && ok;
  ok = example::line("tiles of coalesced groups", coalesced_tiles_right()) && ok;
  ok = example::line("votes", votes_right()) && ok;
#if HIP_VERSION_MAJOR >= 7 || defined(HIP_ENABLE_WARP_SYNC_BUILTINS)
  ok = example::line("votes and partitions of tiles", newer_right()) && ok;
#endif
  ok = example::line("blocks and grids", shapes_right()) && ok;
  ok = example::line("several grids", grids_right()) && ok;
  return example::verdict(ok);
}
