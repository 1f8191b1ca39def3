// One of each kind of rocPRIM's device-wide algorithms, on int: compiles fast, runs with every
// build.
#include <numeric>
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

void scan(Judge& judge, const std::vector<int>& values) {
  const size_t n = values.size();
  const DeviceArray<int> in(values);
  DeviceArray<int> out(n);
  judge.with_storage("inclusive_scan int", n, [&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, in.data(), out.data(), n, rocprim::plus<int>());
  });
  std::vector<int> want(n);
  std::partial_sum(values.begin(), values.end(), want.begin());
  judge.same(out.read(), want, label<int>("inclusive_scan", n));
}

void sort(Judge& judge, std::vector<int> values) {
  const size_t n = values.size();
  const DeviceArray<int> in(values);
  DeviceArray<int> out(n);
  judge.with_storage("radix_sort_keys int", n, [&](void* storage, size_t& bytes) {
    return rocprim::radix_sort_keys(storage, bytes, in.data(), out.data(), n);
  });
  std::sort(values.begin(), values.end());
  judge.same(out.read(), values, label<int>("radix_sort_keys", n));
}

void select(Judge& judge, const std::vector<int>& values) {
  const size_t n = values.size();
  const DeviceArray<int> in(values);
  DeviceArray<int> out(n);
  DeviceArray<unsigned> count(1);
  const auto even = [] __host__ __device__(int value) { return value % 2 == 0; };
  judge.with_storage("select int", n, [&](void* storage, size_t& bytes) {
    return rocprim::select(storage, bytes, in.data(), out.data(), count.data(), n, even);
  });
  std::vector<int> want;
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), even);
  std::vector<int> got;
  if (const size_t chosen = std::min<size_t>(count.read()[0], n); chosen != 0) {
    got = out.read();  // where nothing was chosen nobody has written to it
    got.resize(chosen);
  }
  judge.same(got, want, label<int>("select", n));
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  for (const size_t n : libraries::kSizes) {
    if (n == 0 || (judge.quick() && n > 4097)) continue;
    const std::vector<int> values = libraries::small_values<int>(n, 1000, n);
    scan(judge, values);
    sort(judge, values);
    select(judge, values);
  }
  return judge.verdict();
}
