// rocSPARSE's conversions between formats, and its sorts, against the host.
#include <numeric>

#include "rocsparse/sparse.hpp"

using libraries::Judge;
using namespace sparse;

ROCSPARSE_TYPED(csr2csc);
ROCSPARSE_TYPED(csr2ell);
ROCSPARSE_TYPED(ell2csr);
ROCSPARSE_TYPED(csr2hyb);
ROCSPARSE_TYPED(hyb2csr);
ROCSPARSE_TYPED(csr2bsr);
ROCSPARSE_TYPED(bsr2csr);
ROCSPARSE_TYPED(csr2dense);
ROCSPARSE_TYPED(dense2csr);
ROCSPARSE_TYPED(nnz);

// One matrix on both sides.
template <typename T>
struct Case {
  Case(Judge& judge_of, const Csr<T>& matrix)
      : judge(judge_of), host(matrix), device(matrix), descr(matrix.base) {}

  size_t entries() const { return static_cast<size_t>(host.nnz()); }
  std::string label(const std::string& what) const {
    return what + " " + type_name<T>() + " " + std::to_string(host.m) + "x" +
           std::to_string(host.n) + " base " + std::to_string(host.base);
  }
  template <typename Call>
  void timed(const std::string& what, Call call) {
    judge.timed(what + " " + type_name<T>(), entries(), [&] { ROCSPARSE_CHECK(call()); });
  }
  // Whether a CSR matrix on the device is the case's own again.
  void same(const std::string& what, const DeviceArray<int>& row_ptr,
            const DeviceArray<int>& col_ind, const DeviceArray<T>& val) {
    judge.same(row_ptr.read(), host.row_ptr, label(what + " row_ptr"));
    judge.same(col_ind.read(), host.col_ind, label(what + " col_ind"));
    judge.same(val.read(), host.val, label(what + " val"));
  }

  Judge& judge;
  const Csr<T>& host;
  DeviceCsr<T> device;
  Description descr;
  Handle handle;
};

// Room for a matrix as large as that of a case.
template <typename T>
struct Room {
  explicit Room(const Case<T>& c)
      : row_ptr(c.host.row_ptr.size()), col_ind(c.entries()), val(c.entries()) {}
  DeviceArray<int> row_ptr;
  DeviceArray<int> col_ind;
  DeviceArray<T> val;
};

// The transposed matrix.
template <typename T>
Csr<T> transposed(const Csr<T>& a) {
  Csr<T> out{a.n, a.m, a.base, {a.base}, {}, {}};
  std::vector<std::vector<std::pair<int, T>>> columns(static_cast<size_t>(a.n));
  a.each([&](int i, int j, T value) { columns[static_cast<size_t>(j)].push_back({i, value}); });
  for (const auto& column : columns) {
    for (const auto& [i, value] : column) {
      out.col_ind.push_back(i + a.base);
      out.val.push_back(value);
    }
    out.row_ptr.push_back(out.nnz() + a.base);
  }
  return out;
}

template <typename T>
void columns(Case<T>& c) {
  const Csr<T>& a = c.host;
  size_t bytes = 0;
  ROCSPARSE_CHECK(rocsparse_csr2csc_buffer_size(c.handle, a.m, a.n, a.nnz(),
                                                c.device.row_ptr.data(), c.device.col_ind.data(),
                                                rocsparse_action_numeric, &bytes));
  DeviceArray<char> buffer(bytes);
  DeviceArray<int> col_ptr(static_cast<size_t>(a.n) + 1), row_ind(c.entries());
  DeviceArray<T> val(c.entries());
  c.timed("csr2csc", [&] {
    return csr2csc<T>(c.handle, a.m, a.n, a.nnz(), c.device.val.data(), c.device.row_ptr.data(),
                      c.device.col_ind.data(), val.data(), row_ind.data(), col_ptr.data(),
                      rocsparse_action_numeric, Description::index_base(a.base), buffer.data());
  });
  const Csr<T> want = transposed(a);
  c.judge.same(col_ptr.read(), want.row_ptr, c.label("csr2csc col_ptr"));
  c.judge.same(row_ind.read(), want.col_ind, c.label("csr2csc row_ind"));
  c.judge.same(val.read(), want.val, c.label("csr2csc val"));
}

template <typename T>
void coordinates(Case<T>& c) {
  const Csr<T>& a = c.host;
  Indices want;
  a.each([&](int i, int, T) { want.push_back(i + a.base); });
  const auto base = Description::index_base(a.base);
  DeviceArray<int> rows(c.entries()), row_ptr(a.row_ptr.size());
  c.timed("csr2coo", [&] {
    return rocsparse_csr2coo(c.handle, c.device.row_ptr.data(), a.nnz(), a.m, rows.data(), base);
  });
  c.judge.same(rows.read(), want, c.label("csr2coo"));
  c.timed("coo2csr", [&] {
    return rocsparse_coo2csr(c.handle, rows.data(), a.nnz(), a.m, row_ptr.data(), base);
  });
  c.judge.same(row_ptr.read(), a.row_ptr, c.label("coo2csr"));
}

// To ELL and HYB and back.
template <typename T>
void padded(Case<T>& c) {
  const Csr<T>& a = c.host;
  const DeviceCsr<T>& d = c.device;
  int width = 0, count = 0;
  ROCSPARSE_CHECK(
      rocsparse_csr2ell_width(c.handle, a.m, c.descr, d.row_ptr.data(), c.descr, &width));
  DeviceArray<T> val(static_cast<size_t>(width) * a.m);
  DeviceArray<int> col(static_cast<size_t>(width) * a.m);
  c.timed("csr2ell", [&] {
    return csr2ell<T>(c.handle, a.m, c.descr, d.val.data(), d.row_ptr.data(), d.col_ind.data(),
                      c.descr, width, val.data(), col.data());
  });
  Room<T> back(c);
  ROCSPARSE_CHECK(rocsparse_ell2csr_nnz(c.handle, a.m, a.n, c.descr, width, col.data(), c.descr,
                                        back.row_ptr.data(), &count));
  c.timed("ell2csr", [&] {
    return ell2csr<T>(c.handle, a.m, a.n, c.descr, width, val.data(), col.data(), c.descr,
                      back.val.data(), back.row_ptr.data(), back.col_ind.data());
  });
  c.same("ell2csr", back.row_ptr, back.col_ind, back.val);

  rocsparse_hyb_mat hyb = nullptr;
  ROCSPARSE_CHECK(rocsparse_create_hyb_mat(&hyb));
  c.timed("csr2hyb", [&] {
    return csr2hyb<T>(c.handle, a.m, a.n, c.descr, d.val.data(), d.row_ptr.data(), d.col_ind.data(),
                      hyb, 0, rocsparse_hyb_partition_auto);
  });
  Room<T> again(c);
  size_t bytes = 0;
  ROCSPARSE_CHECK(
      rocsparse_hyb2csr_buffer_size(c.handle, c.descr, hyb, again.row_ptr.data(), &bytes));
  DeviceArray<char> buffer(bytes);
  c.timed("hyb2csr", [&] {
    return hyb2csr<T>(c.handle, c.descr, hyb, again.val.data(), again.row_ptr.data(),
                      again.col_ind.data(), buffer.data());
  });
  c.same("hyb2csr", again.row_ptr, again.col_ind, again.val);
  ROCSPARSE_CHECK(rocsparse_destroy_hyb_mat(hyb));
}

// To blocks and back: the blocks' zeros come back as entries, so the dense matrices are compared.
template <typename T>
void blocks(Case<T>& c, int block, rocsparse_direction direction) {
  const Csr<T>& a = c.host;
  if (a.m % block != 0 || a.n % block != 0) return;
  const DeviceCsr<T>& d = c.device;
  const int mb = a.m / block, nb = a.n / block;
  DeviceArray<int> row_ptr(static_cast<size_t>(mb) + 1);
  int count = 0;
  ROCSPARSE_CHECK(rocsparse_csr2bsr_nnz(c.handle, direction, a.m, a.n, c.descr, d.row_ptr.data(),
                                        d.col_ind.data(), block, c.descr, row_ptr.data(), &count));
  DeviceArray<int> col_ind(static_cast<size_t>(count));
  const size_t values = static_cast<size_t>(count) * block * block;
  DeviceArray<T> val(values), csr_val(values);
  DeviceArray<int> csr_row(a.row_ptr.size()), csr_col(values);
  const std::string size = " block " + std::to_string(block);
  c.timed("csr2bsr" + size, [&] {
    return csr2bsr<T>(c.handle, direction, a.m, a.n, c.descr, d.val.data(), d.row_ptr.data(),
                      d.col_ind.data(), block, c.descr, val.data(), row_ptr.data(), col_ind.data());
  });
  c.timed("bsr2csr" + size, [&] {
    return bsr2csr<T>(c.handle, direction, mb, nb, c.descr, val.data(), row_ptr.data(),
                      col_ind.data(), block, c.descr, csr_val.data(), csr_row.data(),
                      csr_col.data());
  });
  const Csr<T> back{a.m, a.n, a.base, csr_row.read(), csr_col.read(), csr_val.read()};
  c.judge.same(back.dense(), a.dense(), c.label("csr2bsr, bsr2csr" + size));
}

template <typename T>
void dense(Case<T>& c) {
  const Csr<T>& a = c.host;
  DeviceArray<T> all(static_cast<size_t>(a.m) * a.n);
  c.timed("csr2dense", [&] {
    return csr2dense<T>(c.handle, a.m, a.n, c.descr, c.device.val.data(), c.device.row_ptr.data(),
                        c.device.col_ind.data(), all.data(), a.m);
  });
  c.judge.same(all.read(), a.dense(), c.label("csr2dense"));
  DeviceArray<int> per_row(static_cast<size_t>(a.m));
  int count = 0;
  c.timed("nnz", [&] {
    return nnz<T>(c.handle, rocsparse_direction_row, a.m, a.n, c.descr, all.data(), a.m,
                  per_row.data(), &count);
  });
  c.judge.note(count == a.nnz(), c.label("nnz"));
  Room<T> back(c);
  c.timed("dense2csr", [&] {
    return dense2csr<T>(c.handle, a.m, a.n, c.descr, all.data(), a.m, per_row.data(),
                        back.val.data(), back.row_ptr.data(), back.col_ind.data());
  });
  c.same("dense2csr", back.row_ptr, back.col_ind, back.val);
}

// Entries in disorder come back in order, with the permutation that did it.
template <typename T>
void sorts(Case<T>& c) {
  const Csr<T>& a = c.host;
  std::vector<std::pair<int, int>> entries;
  a.each([&](int i, int j, T) { entries.push_back({i + a.base, j + a.base}); });
  Indices order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  libraries::Words words(9);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[words() % i]);
  Indices rows, cols, inverse(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    rows.push_back(entries[static_cast<size_t>(order[i])].first);
    cols.push_back(entries[static_cast<size_t>(order[i])].second);
    inverse[static_cast<size_t>(order[i])] = static_cast<int>(i);
  }
  DeviceArray<int> device_rows(rows), device_cols(cols), permutation(rows.size());
  ROCSPARSE_CHECK(rocsparse_create_identity_permutation(c.handle, a.nnz(), permutation.data()));
  size_t bytes = 0;
  ROCSPARSE_CHECK(rocsparse_coosort_buffer_size(c.handle, a.m, a.n, a.nnz(), device_rows.data(),
                                                device_cols.data(), &bytes));
  DeviceArray<char> buffer(bytes);
  c.timed("coosort_by_row", [&] {
    return rocsparse_coosort_by_row(c.handle, a.m, a.n, a.nnz(), device_rows.data(),
                                    device_cols.data(), permutation.data(), buffer.data());
  });
  c.judge.same(device_cols.read(), a.col_ind, c.label("coosort_by_row"));
  c.judge.same(permutation.read(), inverse, c.label("coosort_by_row permutation"));

  Indices reversed = a.col_ind;
  for (int i = 0; i < a.m; ++i) {
    std::reverse(reversed.begin() + (a.row_ptr[i] - a.base),
                 reversed.begin() + (a.row_ptr[i + 1] - a.base));
  }
  DeviceArray<int> unsorted(reversed);
  ROCSPARSE_CHECK(rocsparse_csrsort_buffer_size(c.handle, a.m, a.n, a.nnz(),
                                                c.device.row_ptr.data(), unsorted.data(), &bytes));
  DeviceArray<char> csr_buffer(bytes);
  c.timed("csrsort", [&] {
    return rocsparse_csrsort(c.handle, a.m, a.n, a.nnz(), c.descr, c.device.row_ptr.data(),
                             unsorted.data(), nullptr, csr_buffer.data());
  });
  c.judge.same(unsorted.read(), a.col_ind, c.label("csrsort"));
}

template <typename T>
void run(Judge& judge) {
  for (const auto& [m, n, per_row] :
       {std::array<int, 3>{1, 1, 1}, {63, 70, 3}, {240, 240, 9}, {65, 1000, 40}, {1200, 480, 90}}) {
    for (const int base : {0, 1}) {
      const Csr<T> matrix = random_matrix<T>(m, n, per_row, base, 4);
      Case<T> c(judge, matrix);
      columns(c);
      coordinates(c);
      padded(c);
      for (const int block : {2, 5, 8, 16}) {
        blocks(c, block, rocsparse_direction_row);
        blocks(c, block, rocsparse_direction_column);
      }
      dense(c);
      sorts(c);
    }
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  run<float>(judge);
  run<double>(judge);
  run<rocsparse_double_complex>(judge);
  return judge.verdict();
}
