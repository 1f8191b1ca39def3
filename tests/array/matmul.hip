// Matrix products by our own kernel, of all shapes and types that it knows.
#define WAVETANK_ARRAY_WITHOUT_ROCBLAS
#include <wavetank/array/create.hpp>
#include <wavetank/array/matmul.hpp>
#include <wavetank/array/operators.hpp>

#include "judge.hpp"

// Small integers, so that every sum is exact in every type.
template <class T>
static std::vector<T> numbers(std::int64_t count, int seed) {
  std::vector<T> values(count);
  for (std::int64_t i = 0; i < count; ++i) values[i] = T((i * 7 + seed) % 11 - 5);
  return values;
}

template <class T>
static void product(std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::vector<T> a = numbers<T>(m * k, 1), b = numbers<T>(k * n, 2);
  std::vector<T> c(m * n);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < k; ++l) c[i * n + j] += a[i * k + l] * b[l * n + j];
  const wt::array<T, 2> device_a(a, wt::extents{m, k}), device_b(b, wt::extents{k, n});
  const std::string name = wt::to_string(wt::extents{m, n, k}) + " of " +
                           std::to_string(sizeof(T)) +
                           (std::is_integral_v<T> ? " bytes, integers" : " bytes");
  judge::same("a product " + name, wt::matmul(device_a, device_b), c);
  const wt::array<T, 2> turned = wt::transpose(device_a);
  judge::same("of a transposed view " + name, wt::matmul(wt::transpose(turned), device_b), c);
}

template <class T>
static void products() {
  product<T>(1, 1, 1);
  product<T>(5, 7, 3);
  product<T>(64, 64, 16);
  product<T>(65, 130, 33);
}

int main() {
  products<float>();
  products<double>();
  products<int>();
  const wt::array m{{1.f, 2.f}, {3.f, 4.f}};
  judge::same("a matrix times a vector", wt::matmul(m, wt::array{10.f, 1.f}), {12, 34});
  const auto before = wt::memory_used().allocations;
  static_cast<void>(wt::matmul(m, wt::array{10.f, 1.f}));
  judge::check(wt::memory_used().allocations == before + 2, "a product allocates its result only");
  judge::throws<wt::shape_error>("matrices that do not fit", "[2, 2] times one of [3, 1]",
                                 [&] { wt::matmul(m, wt::ones<float>(3, 1)); });
  return judge::verdict();
}
