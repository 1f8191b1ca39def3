// rocPRIM's device-wide scans: whole arrays, by key and by segment.
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

// The host's scan from `initial`; exclusive ones leave each element itself out. `restart(i)` tells
// where the scan starts again.
template <typename T, typename Restart>
std::vector<T> host_scan(const std::vector<T>& values, T initial, bool exclusive, Restart restart) {
  std::vector<T> out(values.size());
  T sum = initial;
  for (size_t i = 0; i < values.size(); ++i) {
    if (restart(i)) sum = initial;
    const T next = libraries::add(sum, values[i]);
    out[i] = exclusive ? sum : next;
    sum = next;
  }
  return out;
}

template <typename T>
void scan(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  const auto never = [](size_t) { return false; };
  const std::string type = libraries::type_name<T>();
  judge.with_storage("inclusive_scan " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, in.data(), out.data(), n, rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(0), false, never), label<T>("inclusive_scan", n));
  judge.with_storage("exclusive_scan " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::exclusive_scan(storage, bytes, in.data(), out.data(), T(7), n,
                                   rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(7), true, never), label<T>("exclusive_scan", n));
  judge.with_storage("inclusive_scan max " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan(storage, bytes, in.data(), out.data(), n, rocprim::maximum<T>());
  });
  std::vector<T> largest = values;
  for (size_t i = 1; i < n; ++i) largest[i] = std::max(largest[i], largest[i - 1]);
  judge.same(out.read(), largest, label<T>("inclusive_scan maximum", n));
}

template <typename T>
void scan_by_key(Judge& judge, size_t n) {
  std::vector<int> keys = libraries::small_values<int>(n, 2 + n / 7, n);
  std::sort(keys.begin(), keys.end());
  const std::vector<T> values = libraries::small_values<T>(n, 16, n + 1);
  const DeviceArray<int> keys_in(keys);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  const auto new_key = [&](size_t i) { return i > 0 && keys[i] != keys[i - 1]; };
  const std::string type = libraries::type_name<T>();
  judge.with_storage("inclusive_scan_by_key " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::inclusive_scan_by_key(storage, bytes, keys_in.data(), in.data(), out.data(), n,
                                          rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(0), false, new_key),
             label<T>("inclusive_scan_by_key", n));
  judge.with_storage("exclusive_scan_by_key " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::exclusive_scan_by_key(storage, bytes, keys_in.data(), in.data(), out.data(),
                                          T(5), n, rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(5), true, new_key),
             label<T>("exclusive_scan_by_key", n));
}

template <typename T>
void segmented_scan(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 16, n + 2);
  std::vector<int> offsets = {0};
  std::vector<bool> starts(n + 1, false);
  while (offsets.back() < static_cast<int>(n)) {
    starts[static_cast<size_t>(offsets.back())] = true;
    const int length = static_cast<int>(1 + offsets.size() * 37 % 900);
    offsets.push_back(std::min(offsets.back() + length, static_cast<int>(n)));
  }
  const unsigned segments = static_cast<unsigned>(offsets.size()) - 1;
  const DeviceArray<T> in(values);
  const DeviceArray<int> bounds(offsets);
  DeviceArray<T> out(n);
  const auto start = [&](size_t i) { return static_cast<bool>(starts[i]); };
  const std::string type = libraries::type_name<T>();
  judge.with_storage("segmented_inclusive_scan " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::segmented_inclusive_scan(storage, bytes, in.data(), out.data(), segments,
                                             bounds.data(), bounds.data() + 1, rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(0), false, start),
             label<T>("segmented_inclusive_scan", n));
  judge.with_storage("segmented_exclusive_scan " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::segmented_exclusive_scan(storage, bytes, in.data(), out.data(), segments,
                                             bounds.data(), bounds.data() + 1, T(9),
                                             rocprim::plus<T>());
  });
  judge.same(out.read(), host_scan(values, T(9), true, start),
             label<T>("segmented_exclusive_scan", n));
}

template <typename... Types>
void run(Judge& judge) {
  for (const size_t n : libraries::kSizes) {
    (scan<Types>(judge, n), ...);
    (scan_by_key<Types>(judge, n), ...);
    (segmented_scan<Types>(judge, n), ...);
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<int, unsigned, float, double, uint8_t, int64_t>(judge);
  return judge.verdict();
}
