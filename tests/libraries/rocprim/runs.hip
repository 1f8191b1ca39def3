// rocPRIM's run-length encoding, histograms, merge, binary search and adjacent difference.
#include <rocprim/rocprim.hpp>

#include "judge.hpp"

using example::DeviceArray;
using libraries::Judge;
using libraries::label;

template <typename T>
void run_length(Judge& judge, size_t n) {
  std::vector<T> values = libraries::small_values<T>(n, 16, n);
  for (size_t i = 1; i < n; ++i) {
    if (i % 5 != 0) values[i] = values[i - 1];
  }
  std::vector<T> unique;
  std::vector<unsigned> lengths, long_starts, long_lengths;
  for (size_t i = 0; i < n; ++i) {
    if (i == 0 || values[i] != values[i - 1]) {
      unique.push_back(values[i]);
      lengths.push_back(0);
    }
    if (++lengths.back() == 2) {
      long_starts.push_back(static_cast<unsigned>(i) - 1);
      long_lengths.push_back(0);
    }
    if (lengths.back() >= 2) long_lengths.back() = lengths.back();
  }
  const DeviceArray<T> in(values);
  DeviceArray<T> unique_out(n);
  DeviceArray<unsigned> starts_out(n), lengths_out(n), count(1);
  const std::string type = libraries::type_name<T>();
  const auto first = [&](auto& out) {
    const size_t runs = n == 0 ? 0 : std::min<size_t>(count.read()[0], n);
    if (runs == 0) return decltype(out.read()){};  // nobody has written to `out`
    auto got = out.read();
    got.resize(runs);
    return got;
  };
  judge.with_storage("run_length_encode " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::run_length_encode(storage, bytes, in.data(), static_cast<unsigned>(n),
                                      unique_out.data(), lengths_out.data(), count.data());
  });
  judge.same(first(unique_out), unique, label<T>("run_length_encode values", n));
  judge.same(first(lengths_out), lengths, label<T>("run_length_encode lengths", n));
  judge.with_storage("run_length non_trivial " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::run_length_encode_non_trivial_runs(storage, bytes, in.data(),
                                                       static_cast<unsigned>(n), starts_out.data(),
                                                       lengths_out.data(), count.data());
  });
  judge.same(first(starts_out), long_starts, label<T>("non_trivial_runs starts", n));
  judge.same(first(lengths_out), long_lengths, label<T>("non_trivial_runs lengths", n));
}

// Counts of equal bins and of given bounds, in few (LDS) and many (memory) bins.
template <typename T>
void histogram(Judge& judge, size_t n, unsigned bins) {
  const std::vector<T> values = libraries::small_values<T>(n, 200, n);
  const T upper = T(160);
  std::vector<unsigned> want(bins, 0);
  for (const T value : values) {
    if (value >= T(0) && value < upper) ++want[static_cast<size_t>(value) * bins / 160];
  }
  const DeviceArray<T> in(values);
  DeviceArray<unsigned> out(bins);
  const std::string type =
      std::string(libraries::type_name<T>()) + " " + std::to_string(bins) + " bins";
  judge.with_storage("histogram_even " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::histogram_even(storage, bytes, in.data(), static_cast<unsigned>(n), out.data(),
                                   bins + 1, T(0), upper);
  });
  judge.same(out.read(), want, label<T>("histogram_even", n));
  std::vector<T> bounds;
  for (unsigned bin = 0; bin <= bins; ++bin) bounds.push_back(static_cast<T>(bin * 160 / bins));
  const DeviceArray<T> levels(bounds);
  judge.with_storage("histogram_range " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::histogram_range(storage, bytes, in.data(), static_cast<unsigned>(n), out.data(),
                                    bins + 1, levels.data());
  });
  judge.same(out.read(), want, label<T>("histogram_range", n));
}

template <typename T>
void merge(Judge& judge, size_t n) {
  std::vector<T> left = libraries::wide_values<T>(n, n);
  std::vector<T> right = libraries::wide_values<T>(n / 3 + 1, n + 1);
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  const DeviceArray<T> left_in(left), right_in(right);
  const size_t all = left.size() + right.size();
  DeviceArray<T> out(all);
  judge.with_storage(
      std::string("merge ") + libraries::type_name<T>(), all, [&](void* storage, size_t& bytes) {
        return rocprim::merge(storage, bytes, left_in.data(), right_in.data(), out.data(),
                              left.size(), right.size(), rocprim::less<T>());
      });
  std::vector<T> want(all);
  std::merge(left.begin(), left.end(), right.begin(), right.end(), want.begin());
  judge.same(out.read(), want, label<T>("merge", n));
}

template <typename T>
void search(Judge& judge, size_t n) {
  std::vector<T> hay = libraries::small_values<T>(n, 120, n);
  const std::vector<T> needles = libraries::small_values<T>(777, 120, n + 1);
  std::sort(hay.begin(), hay.end());
  const DeviceArray<T> hay_in(hay), needles_in(needles);
  DeviceArray<unsigned> out(needles.size());
  std::vector<unsigned> lower, upper;
  for (const T needle : needles) {
    const auto range = std::equal_range(hay.begin(), hay.end(), needle);
    lower.push_back(static_cast<unsigned>(range.first - hay.begin()));
    upper.push_back(static_cast<unsigned>(range.second - hay.begin()));
  }
  const std::string type = libraries::type_name<T>();
  judge.with_storage("lower_bound " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::lower_bound(storage, bytes, hay_in.data(), needles_in.data(), out.data(), n,
                                needles.size(), rocprim::less<T>());
  });
  judge.same(out.read(), lower, label<T>("lower_bound", n));
  judge.with_storage("upper_bound " + type, n, [&](void* storage, size_t& bytes) {
    return rocprim::upper_bound(storage, bytes, hay_in.data(), needles_in.data(), out.data(), n,
                                needles.size(), rocprim::less<T>());
  });
  judge.same(out.read(), upper, label<T>("upper_bound", n));
}

template <typename T>
void difference(Judge& judge, size_t n) {
  const std::vector<T> values = libraries::small_values<T>(n, 100, n);
  const DeviceArray<T> in(values);
  DeviceArray<T> out(n);
  judge.with_storage(std::string("adjacent_difference ") + libraries::type_name<T>(), n,
                     [&](void* storage, size_t& bytes) {
                       return rocprim::adjacent_difference(storage, bytes, in.data(), out.data(), n,
                                                           rocprim::minus<T>());
                     });
  std::vector<T> want = values;
  for (size_t i = n; i-- > 1;) want[i] = static_cast<T>(values[i] - values[i - 1]);
  judge.same(out.read(), want, label<T>("adjacent_difference", n));
}

template <typename... Types>
void run(Judge& judge) {
  for (const size_t n : libraries::kSizes) {
    (merge<Types>(judge, n), ...);
    (search<Types>(judge, n), ...);
    (difference<Types>(judge, n), ...);
    (histogram<Types>(judge, n, 10), ...);
    (histogram<Types>(judge, n, 40), ...);
    (run_length<Types>(judge, n), ...);
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<int, float, double, uint8_t, int64_t>(judge);
  return judge.verdict();
}
