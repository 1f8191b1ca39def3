// rocPRIM's device-wide reductions: whole arrays, by key and by segment.
#include <numeric>
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

// Sums, minima and maxima of n values, with and without an initial value.
template <typename T>
void reduce(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(1);
  const std::string name = std::string("reduce ") + libraries::type_name<T>();
  judge.with_storage(name, n, [&](void* storage, size_t& bytes) {
    return rocprim::reduce(storage, bytes, in.data(), out.data(), T(3), n, rocprim::plus<T>());
  });
  T sum = 3;
  for (T value : values) sum = libraries::add(sum, value);
  judge.same(out.read(), {sum}, label<T>("reduce plus", n));
  if (n == 0) return;
  judge.with_storage(name + " max", n, [&](void* storage, size_t& bytes) {
    return rocprim::reduce(storage, bytes, in.data(), out.data(), n, rocprim::maximum<T>());
  });
  judge.same(out.read(), {*std::max_element(values.begin(), values.end())},
             label<T>("reduce maximum", n));
  judge.with_storage(name + " min", n, [&](void* storage, size_t& bytes) {
    return rocprim::reduce(storage, bytes, in.data(), out.data(), n, rocprim::minimum<T>());
  });
  judge.same(out.read(), {*std::min_element(values.begin(), values.end())},
             label<T>("reduce minimum", n));
}

// Runs of equal keys, each with the sum of its values.
template <typename T>
void reduce_by_key(Judge& judge, size_t n) {
  std::vector<int> keys = libraries::small_values<int>(n, 2 + n / 7, n);
  std::sort(keys.begin(), keys.end());
  const std::vector<T> values = libraries::small_values<T>(n, 16, n + 1);
  std::vector<int> unique;
  std::vector<T> sums;
  for (size_t i = 0; i < n; ++i) {
    if (i == 0 || keys[i] != keys[i - 1]) {
      unique.push_back(keys[i]);
      sums.push_back(0);
    }
    sums.back() = libraries::add(sums.back(), values[i]);
  }
  const DeviceArray<int> keys_in(keys);
  const DeviceArray<T> values_in(values);
  DeviceArray<int> keys_out(n);
  DeviceArray<T> sums_out(n);
  DeviceArray<unsigned> count(1);
  judge.with_storage(std::string("reduce_by_key ") + libraries::type_name<T>(), n,
                     [&](void* storage, size_t& bytes) {
                       return rocprim::reduce_by_key(
                           storage, bytes, keys_in.data(), values_in.data(), n, keys_out.data(),
                           sums_out.data(), count.data(), rocprim::plus<T>());
                     });
  judge.same(count.read(), {static_cast<unsigned>(unique.size())},
             label<T>("reduce_by_key count", n));
  std::vector<int> got_keys = keys_out.read();
  std::vector<T> got_sums = sums_out.read();
  got_keys.resize(unique.size());
  got_sums.resize(sums.size());
  judge.same(got_keys, unique, label<T>("reduce_by_key keys", n));
  judge.same(got_sums, sums, label<T>("reduce_by_key sums", n));
}

// Sums of segments of uneven length, some empty.
template <typename T>
void segmented_reduce(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n + 2);
  std::vector<int> offsets = {0};
  while (offsets.back() < static_cast<int>(n)) {
    const int length = static_cast<int>(offsets.size() * 37 % 300);
    offsets.push_back(std::min(offsets.back() + length, static_cast<int>(n)));
  }
  const unsigned segments = static_cast<unsigned>(offsets.size()) - 1;
  std::vector<T> want(segments, T(1));
  for (unsigned s = 0; s < segments; ++s) {
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) want[s] = libraries::add(want[s], values[i]);
  }
  const DeviceArray<T> in(values);
  const DeviceArray<int> bounds(offsets);
  DeviceArray<T> out(segments);
  judge.with_storage(std::string("segmented_reduce ") + libraries::type_name<T>(), n,
                     [&](void* storage, size_t& bytes) {
                       return rocprim::segmented_reduce(storage, bytes, in.data(), out.data(),
                                                        segments, bounds.data(), bounds.data() + 1,
                                                        rocprim::plus<T>(), T(1));
                     });
  judge.same(out.read(), want, label<T>("segmented_reduce", n));
}

template <typename... Types>
void run(Judge& judge) {
  for (size_t n : libraries::kSizes) {
    (reduce<Types>(judge, n), ...);
    (reduce_by_key<Types>(judge, n), ...);
    (segmented_reduce<Types>(judge, n), ...);
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<int, unsigned, float, double, uint8_t, int64_t>(judge);
  return judge.verdict();
}
