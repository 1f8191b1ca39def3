// rocPRIM's primitives inside a kernel: of a workgroup (reduce, scan, sort, exchange, histogram,
// flags, loads and stores) and of a wave or a part of one (reduce, scan, sort).
#include <numeric>
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;

constexpr unsigned kGroups = 5;

// Each operation: what work-item `lane` of a group makes of its kItems values, `blocked`.
template <typename T, unsigned Size, unsigned Items>
struct Types {
  using Value = T;
  static constexpr unsigned kSize = Size;
  static constexpr unsigned kItems = Items;
};

template <typename T, unsigned Size, unsigned Items, rocprim::block_reduce_algorithm Algorithm>
struct Reduce : Types<T, Size, Items> {
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_reduce<T, Size, Algorithm>;
    __shared__ typename Primitive::storage_type storage;
    T sum;
    Primitive().reduce(values, sum, storage, rocprim::plus<T>());
    for (T& value : values) value = T(0);
    if (threadIdx.x == 0) values[0] = sum;
  }
  static std::vector<T> host(std::vector<T> values) {
    T sum = 0;
    for (const T value : values) sum = libraries::add(sum, value);
    std::fill(values.begin(), values.end(), T(0));
    values[0] = sum;
    return values;
  }
};

template <typename T, unsigned Size, unsigned Items, rocprim::block_scan_algorithm Algorithm,
          bool Exclusive>
struct Scan : Types<T, Size, Items> {
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_scan<T, Size, Algorithm>;
    __shared__ typename Primitive::storage_type storage;
    T out[Items];
    if (Exclusive) {
      Primitive().exclusive_scan(values, out, T(3), storage, rocprim::plus<T>());
    } else {
      Primitive().inclusive_scan(values, out, storage, rocprim::plus<T>());
    }
    for (unsigned i = 0; i < Items; ++i) values[i] = out[i];
  }
  static std::vector<T> host(std::vector<T> values) {
    T sum = Exclusive ? 3 : 0;
    for (T& value : values) {
      const T next = libraries::add(sum, value);
      value = Exclusive ? sum : next;
      sum = next;
    }
    return values;
  }
};

template <typename T, unsigned Size, unsigned Items, bool Descending>
struct RadixSort : Types<T, Size, Items> {
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_radix_sort<T, Size, Items>;
    __shared__ typename Primitive::storage_type storage;
    if (Descending) {
      Primitive().sort_desc(values, storage);
    } else {
      Primitive().sort(values, storage);
    }
  }
  static std::vector<T> host(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    if (Descending) std::reverse(values.begin(), values.end());
    return values;
  }
};

// From blocked to striped and a rotation by one work-item.
template <typename T, unsigned Size, unsigned Items>
struct Exchange : Types<T, Size, Items> {
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_exchange<T, Size, Items>;
    __shared__ typename Primitive::storage_type storage;
    T out[Items];
    Primitive().blocked_to_striped(values, out, storage);
    for (unsigned i = 0; i < Items; ++i) values[i] = out[i];
  }
  static std::vector<T> host(const std::vector<T>& values) {
    std::vector<T> out(values.size());
    for (unsigned lane = 0; lane < Size; ++lane) {
      for (unsigned i = 0; i < Items; ++i) out[lane * Items + i] = values[i * Size + lane];
    }
    return out;
  }
};

template <typename T, unsigned Size, unsigned Items>
struct Flags : Types<T, Size, Items> {
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_discontinuity<T, Size>;
    __shared__ typename Primitive::storage_type storage;
    bool heads[Items], tails[Items];
    Primitive().flag_heads_and_tails(heads, tails, values, rocprim::not_equal_to<T>(), storage);
    for (unsigned i = 0; i < Items; ++i) values[i] = static_cast<T>(heads[i] + 2 * tails[i]);
  }
  static std::vector<T> host(const std::vector<T>& values) {
    std::vector<T> out(values.size());
    for (size_t i = 0; i < values.size(); ++i) {
      const bool head = i == 0 || values[i] != values[i - 1];
      const bool tail = i + 1 == values.size() || values[i] != values[i + 1];
      out[i] = static_cast<T>(head + 2 * tail);
    }
    return out;
  }
};

template <typename T, unsigned Size, unsigned Items, rocprim::block_histogram_algorithm Algorithm>
struct Histogram : Types<T, Size, Items> {
  static constexpr unsigned kBins = Size < 100 ? Size : 100;
  __device__ static void run(T (&values)[Items]) {
    using Primitive = rocprim::block_histogram<T, Size, Items, 128, Algorithm>;
    __shared__ typename Primitive::storage_type storage;
    __shared__ unsigned counts[128];
    Primitive().histogram(values, counts, storage);
    __syncthreads();
    for (T& value : values) value = T(0);
    if (threadIdx.x < kBins) values[0] = static_cast<T>(counts[threadIdx.x]);
  }
  static std::vector<T> host(const std::vector<T>& values) {
    std::vector<T> out(values.size(), T(0));
    for (const T value : values) {
      if (value < T(kBins)) ++out[static_cast<size_t>(value) * Items];
    }
    return out;
  }
};

// Within each logical wave: the sum of all, the scan and the sorted values, by the lowest bit pair.
template <typename T, unsigned Size, unsigned Width>
struct Wave : Types<T, Size, 3> {
  __device__ static void run(T (&values)[3]) {
    using Sum = rocprim::warp_reduce<T, Width, true>;
    using Prefix = rocprim::warp_scan<T, Width>;
    using Order = rocprim::warp_sort<T, Width>;
    constexpr unsigned kWaves = Size / Width;
    __shared__ typename Sum::storage_type sums[kWaves];
    __shared__ typename Prefix::storage_type prefixes[kWaves];
    __shared__ typename Order::storage_type orders[kWaves];
    const unsigned wave = threadIdx.x / Width;
    Sum().reduce(values[0], values[0], sums[wave]);
    Prefix().inclusive_scan(values[1], values[1], prefixes[wave]);
    Order().sort(values[2], orders[wave]);
  }
  static std::vector<T> host(std::vector<T> values) {
    for (unsigned first = 0; first < Size; first += Width) {
      T sum = 0, prefix = 0;
      std::vector<T> sorted;
      for (unsigned lane = first; lane < first + Width; ++lane) {
        sum = libraries::add(sum, values[lane * 3]);
        prefix = libraries::add(prefix, values[lane * 3 + 1]);
        values[lane * 3 + 1] = prefix;
        sorted.push_back(values[lane * 3 + 2]);
      }
      std::sort(sorted.begin(), sorted.end());
      for (unsigned lane = 0; lane < Width; ++lane) {
        values[(first + lane) * 3] = sum;
        values[(first + lane) * 3 + 2] = sorted[lane];
      }
    }
    return values;
  }
};

// Loads and stores through LDS (transposed), so that those primitives are part of every case.
template <typename Operation>
__global__ __launch_bounds__(Operation::kSize) void kernel(const typename Operation::Value* in,
                                                           typename Operation::Value* out) {
  using T = typename Operation::Value;
  constexpr unsigned kSize = Operation::kSize, kItems = Operation::kItems;
  using Load =
      rocprim::block_load<T, kSize, kItems, rocprim::block_load_method::block_load_transpose>;
  using Store =
      rocprim::block_store<T, kSize, kItems, rocprim::block_store_method::block_store_transpose>;
  __shared__ typename Load::storage_type load_storage;
  __shared__ typename Store::storage_type store_storage;
  const size_t first = static_cast<size_t>(blockIdx.x) * kSize * kItems;
  T values[kItems];
  Load().load(in + first, values, load_storage);
  __syncthreads();
  Operation::run(values);
  __syncthreads();
  Store().store(out + first, values, store_storage);
}

template <typename Operation>
void check(Judge& judge, const std::string& name) {
  using T = typename Operation::Value;
  constexpr size_t part = static_cast<size_t>(Operation::kSize) * Operation::kItems;
  const std::vector<T> values = libraries::small_values<T>(part * kGroups, 100, part);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(values.size());
  const std::string full = name + " " + libraries::type_name<T>();
  judge.timed(full, values.size(), [&] {
    kernel<Operation><<<kGroups, Operation::kSize>>>(in.data(), out.data());
    HIP_CHECK(hipGetLastError());
  });
  std::vector<T> want;
  for (unsigned group = 0; group < kGroups; ++group) {
    const auto first = values.begin() + static_cast<long>(group * part);
    const std::vector<T> one =
        Operation::host(std::vector<T>(first, first + static_cast<long>(part)));
    want.insert(want.end(), one.begin(), one.end());
  }
  judge.same(out.read(), want,
             full + " size " + std::to_string(Operation::kSize) + " items " +
                 std::to_string(Operation::kItems));
}

template <typename T, unsigned Size, unsigned Items>
void group(Judge& judge) {
  using rocprim::block_histogram_algorithm;
  using rocprim::block_reduce_algorithm;
  using rocprim::block_scan_algorithm;
  check<Reduce<T, Size, Items, block_reduce_algorithm::using_warp_reduce>>(judge, "block_reduce");
  check<Reduce<T, Size, Items, block_reduce_algorithm::raking_reduce>>(judge, "raking_reduce");
  check<Scan<T, Size, Items, block_scan_algorithm::using_warp_scan, false>>(judge, "block_scan");
  check<Scan<T, Size, Items, block_scan_algorithm::using_warp_scan, true>>(judge,
                                                                           "exclusive block_scan");
  check<Scan<T, Size, Items, block_scan_algorithm::reduce_then_scan, false>>(judge,
                                                                             "reduce_then_scan");
  check<RadixSort<T, Size, Items, false>>(judge, "block_radix_sort");
  check<RadixSort<T, Size, Items, true>>(judge, "block_radix_sort down");
  check<Exchange<T, Size, Items>>(judge, "block_exchange");
  check<Flags<T, Size, Items>>(judge, "block_discontinuity");
  if constexpr (std::is_unsigned_v<T>) {
    check<Histogram<T, Size, Items, block_histogram_algorithm::using_atomic>>(judge,
                                                                              "histogram atomic");
    check<Histogram<T, Size, Items, block_histogram_algorithm::using_sort>>(judge,
                                                                            "histogram sort");
  }
}

template <typename T>
void run(Judge& judge) {
  group<T, 64, 1>(judge);
  group<T, 256, 4>(judge);
  group<T, 1024, 2>(judge);
  check<Wave<T, 256, 64>>(judge, "warp 64");
  check<Wave<T, 256, 32>>(judge, "warp 32");
  check<Wave<T, 64, 4>>(judge, "warp 4");
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<int>(judge);
  run<unsigned>(judge);
  run<float>(judge);
  run<double>(judge);
  run<uint8_t>(judge);
  run<int64_t>(judge);
  return judge.verdict();
}
