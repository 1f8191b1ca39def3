// Sparse matrices by rocSPARSE against dense ones.
#include <wavetank/array/operators.hpp>
#include <wavetank/array/sparse.hpp>

#include "judge.hpp"

template <class T>
static void products() {
  const wt::array<T, 2> dense{{1, 0, 2}, {0, 0, 0}, {0, 3, 0}, {4, 0, 5}};
  const wt::sparse_matrix<T> sparse(dense);
  judge::check(sparse.stored() == 5, "zeros are not stored");
  judge::same("where rows start", sparse.row_starts(), {0, 2, 2, 3, 5});
  judge::same("the columns", sparse.columns(), {0, 2, 1, 0, 2});
  judge::same("times a vector", sparse * wt::array<T>{1, 10, 100}, {201, 0, 30, 504});
  judge::same("times a matrix", sparse * wt::array<T, 2>{{1, 2}, {10, 20}, {100, 200}},
              {201, 402, 0, 0, 30, 60, 504, 1008});
  judge::throws<wt::shape_error>("a vector that does not fit", "[4, 3] times [2]",
                                 [&] { sparse* wt::array<T>{1, 2}; });
}

int main() {
  products<float>();
  products<double>();
  judge::throws<wt::shape_error>("starts that do not fit", "3 starts of rows", [] {
    wt::sparse_matrix<float>(wt::extents{2, 2}, wt::array{0, 1}, wt::array{0}, wt::array{1.f});
  });
  return judge::verdict();
}
