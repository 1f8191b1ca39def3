// rocPRIM's sorts: radix sort of keys and pairs, up and down, by segment, and merge sort.
#include <numeric>
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

// Beyond about a million elements rocPRIM sorts by digits; below it merges sorted blocks.
const size_t kLarge = 2500007;

template <typename T>
void keys(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::wide_values<T>(n, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  const std::string type = libraries::type_name<T>();
  const std::string size = n == kLarge ? " by digits" : "";
  judge.with_storage("radix_sort_keys " + type + size, n, [&](void* storage, size_t& bytes) {
    return rocprim::radix_sort_keys(storage, bytes, in.data(), out.data(), n);
  });
  std::vector<T> want = values;
  std::sort(want.begin(), want.end());
  judge.same(out.read(), want, label<T>("radix_sort_keys", n));
  judge.with_storage("radix_sort_keys_desc " + type + size, n, [&](void* storage, size_t& bytes) {
    return rocprim::radix_sort_keys_desc(storage, bytes, in.data(), out.data(), n);
  });
  std::reverse(want.begin(), want.end());
  judge.same(out.read(), want, label<T>("radix_sort_keys_desc", n));
}

// Pairs of a key with many equals and its place: the sort must be stable.
template <typename T>
void pairs(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 200, n);
  std::vector<int> places(n);
  std::iota(places.begin(), places.end(), 0);
  const DeviceArray<T> keys_in(values);
  const DeviceArray<int> places_in(places);
  DeviceArray<T> keys_out(n);
  DeviceArray<int> places_out(n);
  const std::string type = libraries::type_name<T>();
  const std::string size = n == kLarge ? " by digits" : "";
  judge.with_storage("radix_sort_pairs " + type + size, n, [&](void* storage, size_t& bytes) {
    return rocprim::radix_sort_pairs(storage, bytes, keys_in.data(), keys_out.data(),
                                     places_in.data(), places_out.data(), n);
  });
  std::stable_sort(places.begin(), places.end(), [&](int left, int right) {
    return values[static_cast<size_t>(left)] < values[static_cast<size_t>(right)];
  });
  std::vector<T> sorted;
  for (const int place : places) sorted.push_back(values[static_cast<size_t>(place)]);
  judge.same(keys_out.read(), sorted, label<T>("radix_sort_pairs keys", n));
  judge.same(places_out.read(), places, label<T>("radix_sort_pairs values", n));
}

// Only some of the bits count. No range that starts above 0 reaches the highest bit: there rocPRIM
// itself shifts by the width of the key and sorts wrongly, on hardware too (rocPRIM issue 775).
void bits(Judge& judge, size_t n) {
  const std::vector<unsigned> values = libraries::wide_values<unsigned>(n, n);
  const DeviceArray<unsigned> in(values);
  DeviceArray<unsigned> out(n);
  for (const auto& [begin, end] : {std::pair<unsigned, unsigned>{0, 1}, {5, 17}, {8, 31}}) {
    judge.with_storage(
        "radix_sort_keys bits", n, [&, begin = begin, end = end](void* storage, size_t& bytes) {
          return rocprim::radix_sort_keys(storage, bytes, in.data(), out.data(), n, begin, end);
        });
    std::vector<unsigned> want = values;
    const uint64_t mask = (uint64_t{1} << end) - (uint64_t{1} << begin);
    std::stable_sort(want.begin(), want.end(),
                     [&](unsigned left, unsigned right) { return (left & mask) < (right & mask); });
    judge.same(out.read(), want, label<unsigned>("radix_sort_keys bits", n));
  }
}

template <typename T>
void segments(Judge& judge, size_t n) {
  std::vector<T> values = libraries::wide_values<T>(n, n);
  std::vector<int> offsets = {0};
  while (offsets.back() < static_cast<int>(n)) {
    const int length = static_cast<int>(offsets.size() * 331 % 6000);
    offsets.push_back(std::min(offsets.back() + length, static_cast<int>(n)));
  }
  const unsigned count = static_cast<unsigned>(offsets.size()) - 1;
  const DeviceArray<T> in(values);
  const DeviceArray<int> bounds(offsets);
  DeviceArray<T> out(n);
  judge.with_storage(std::string("segmented_radix_sort_keys ") + libraries::type_name<T>(), n,
                     [&](void* storage, size_t& bytes) {
                       return rocprim::segmented_radix_sort_keys(
                           storage, bytes, in.data(), out.data(), static_cast<unsigned>(n), count,
                           bounds.data(), bounds.data() + 1);
                     });
  for (unsigned s = 0; s < count; ++s) {
    std::sort(values.begin() + offsets[s], values.begin() + offsets[s + 1]);
  }
  judge.same(out.read(), values, label<T>("segmented_radix_sort_keys", n));
}

template <typename T>
void merge_sort(Judge& judge, size_t n) {
  std::vector<T> values = libraries::wide_values<T>(n, n + 1);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  judge.with_storage(
      std::string("merge_sort ") + libraries::type_name<T>(), n, [&](void* storage, size_t& bytes) {
        return rocprim::merge_sort(storage, bytes, in.data(), out.data(), n, rocprim::greater<T>());
      });
  std::sort(values.begin(), values.end(), std::greater<T>());
  judge.same(out.read(), values, label<T>("merge_sort", n));
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  std::vector<size_t> sizes(libraries::kSizes.begin(), libraries::kSizes.end() - 1);
  sizes.push_back(kLarge);
  for (const size_t n : sizes) {
    keys<int>(judge, n);
    keys<unsigned>(judge, n);
    keys<float>(judge, n);
    keys<double>(judge, n);
    keys<uint8_t>(judge, n);
    keys<int64_t>(judge, n);
    pairs<int>(judge, n);
    pairs<double>(judge, n);
    pairs<uint8_t>(judge, n);
    if (n == kLarge) continue;
    bits(judge, n);
    merge_sort<int>(judge, n);
    merge_sort<double>(judge, n);
    segments<int>(judge, n);
    segments<double>(judge, n);
  }
  return judge.verdict();
}
