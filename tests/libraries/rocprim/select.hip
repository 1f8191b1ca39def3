// rocPRIM's device-wide selections: select, partition, unique, transform.
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

template <typename T>
struct Fits {
  __host__ __device__ bool operator()(const T& value) const { return value < T(6); }
};

template <typename T>
struct Twice {
  __host__ __device__ T operator()(const T& value) const { return static_cast<T>(value + value); }
};

// The values that a selection left, with the count it gave.
template <typename T>
std::vector<T> kept(const DeviceArray<T>& out, const DeviceArray<unsigned>& count, size_t n) {
  if (n == 0) return {};  // rocPRIM 5.3 does not write the count either
  const size_t chosen = std::min<size_t>(count.read()[0], n);
  if (chosen == 0) return {};  // nobody has written to `out`
  std::vector<T> values = out.read();
  values.resize(chosen);
  return values;
}

template <typename T>
void select(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n);
  const std::vector<uint8_t> flags = libraries::small_values<uint8_t>(n, 2, n + 1);
  const DeviceArray<T> in(values);
  const DeviceArray<uint8_t> flags_in(flags);
  DeviceArray<T> out(n);
  DeviceArray<unsigned> count(1);
  const std::string type = libraries::type_name<T>();
  judge.with_storage("select flagged " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::select(storage, bytes, in.data(), flags_in.data(), out.data(), count.data(), n);
  });
  std::vector<T> want;
  for (size_t i = 0; i < n; ++i) {
    if (flags[i]) want.push_back(values[i]);
  }
  judge.same(kept(out, count, n), want, label<T>("select flagged", n));
  judge.with_storage("select if " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::select(storage, bytes, in.data(), out.data(), count.data(), n, Fits<T>());
  });
  want.clear();
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), Fits<T>());
  judge.same(kept(out, count, n), want, label<T>("select if", n));
  judge.with_storage("unique " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::unique(storage, bytes, in.data(), out.data(), count.data(), n,
                           rocprim::equal_to<T>());
  });
  want = values;
  want.erase(std::unique(want.begin(), want.end()), want.end());
  judge.same(kept(out, count, n), want, label<T>("unique", n));
}

// The chosen values first, in order; the others from the end, in reverse.
template <typename T>
void partition(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  DeviceArray<unsigned> count(1);
  judge.with_storage(std::string("partition ") + libraries::type_name<T>(), n,
                     [&](void* storage, size_t& bytes) {
                       return rocprim::partition(storage, bytes, in.data(), out.data(),
                                                 count.data(), n, Fits<T>());
                     });
  std::vector<T> want;
  std::copy_if(values.begin(), values.end(), std::back_inserter(want), Fits<T>());
  judge.same(count.read(), {static_cast<unsigned>(want.size())}, label<T>("partition count", n));
  for (size_t i = n; i-- > 0;) {
    if (!Fits<T>()(values[i])) want.push_back(values[i]);
  }
  judge.same(out.read(), want, label<T>("partition", n));
}

template <typename T>
void transform(Judge& judge, size_t n) {
  std::vector<T> values = libraries::small_values<T>(n, 100, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  judge.timed(std::string("transform ") + libraries::type_name<T>(), n,
              [&] { HIP_CHECK(rocprim::transform(in.data(), out.data(), n, Twice<T>())); });
  for (T& value : values) value = Twice<T>()(value);
  judge.same(out.read(), values, label<T>("transform", n));
}

template <typename... Types>
void run(Judge& judge) {
  for (const size_t n : libraries::kSizes) {
    (select<Types>(judge, n), ...);
    (partition<Types>(judge, n), ...);
    (transform<Types>(judge, n), ...);
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<int, unsigned, float, double, uint8_t, int64_t>(judge);
  return judge.verdict();
}
