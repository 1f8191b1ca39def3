// # Arrays on the GPU
//
// This page is a program, [notebook.hip](notebook.hip): its cells are compiled and run on the virtual
// MI210, and below each stands what it printed. A test compares. [docs/arrays.md](../../docs/arrays.md)
// is the guide.
#include <wavetank/array/create.hpp>
#include <wavetank/array/inspect.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/map.hpp>
#include <wavetank/array/matmul.hpp>
#include <wavetank/array/print.hpp>
#include <wavetank/array/random.hpp>
#include <wavetank/array/reduce_axis.hpp>
#include <wavetank/array/scan.hpp>

#include "cells.hpp"

namespace wt = wavetank;

static void arrays() {
  // ## What there is
  //
  // The device and its limits come from the runtime:
  CELL(1);
  const wt::device_limits device = wt::current_device_limits();
  std::cout << device.name << ": " << device.compute_units << " compute units, workgroups of at most "
            << device.workgroup << " work-items and " << device.lds_bytes << " bytes of LDS\n";

  // ## Array programming
  //
  // An `array` owns memory of the device. It is made from values of the host and printed like them.
  CELL(2);
  wt::array a{1, 2, 3, 4};
  std::cout << a << "\n";

  // An operation works on all elements; each assignment is one kernel, however long its expression.
  CELL(3);
  a += 1;
  std::cout << a << "\n";

  // ## Scalar access
  //
  // A loop over elements would not run on the GPU: each element would be copied over the bus, one by
  // one. It is refused, and says why.
  CELL(4);
  notebook::refused([&] {
    for (int i = 0; i < 4; ++i) a[i] += 1;
  });

  // Where single elements are meant, a scope allows them. They are counted.
  CELL(5);
  wt::allow_scalar here;
  std::cout << a[0] << ", after " << wt::scalar_accesses() << " access\n";
}

static void interface() {
  // ## The interface of an array
  //
  // Allocate without values, and with some:
  CELL(6);
  wt::array<float> a(wt::extents{10});
  wt::array<float> b = wt::iota<float>(10, 1);
  std::cout << b << "\n";

  // Copy, set all elements, and make another like it:
  CELL(7);
  a = b;
  a.fill(42);
  std::cout << a << "\n" << "similar: " << wt::to_string(wt::similar(a).shape()) << "\n";

  // What makes arrays on the device:
  CELL(8);
  auto c = wt::ones<float>(3), d = wt::rand<float>(3);
  std::cout << c << "\n" << d << "\n";
}

static void libraries() {
  // ## AMD's libraries
  //
  // Matrix products are rocBLAS's where it is installed, otherwise those of a kernel on the matrix
  // cores; random numbers are rocRAND's. Fourier transforms and factorisations have a
  // [page of their own](libraries.md).
  CELL(9);
  wt::array<float> d = wt::rand<float>(10);
  d = wt::matmul(wt::rand<float>(10, 10), d);
  std::cout << d << "\n";

  // Numbers drawn into an array that is there:
  CELL(10);
  wt::default_generator().uniform(d);
  std::cout << d << "\n";
}

static void higher_order() {
  // ## Functions of one's own
  //
  // A lambda is applied to each element. The kernel is compiled for it, together with everything
  // around it:
  CELL(11);
  wt::array<float> a = wt::ones<float>(10);
  wt::array<float> b = wt::broadcast([](float x) { return x + 1; }, a);
  b = wt::map([](float x) { return 2 * x; }, b) + 1;
  std::cout << b << "\n";

  // The same with operators:
  CELL(12);
  b = a + 1;
  std::cout << wt::row(wt::reshape(b, wt::extents{2, 5}), 0) << "\n";

  // Reductions are rocPRIM's, with the map that feeds them computed inside:
  CELL(13);
  std::cout << wt::reduce(a, rocprim::plus<float>(), 0.0f) << " " << wt::sum(2 * a + 1) << "\n";

  // Running sums, in one launch:
  CELL(14);
  std::cout << wt::accumulate(rocprim::plus<float>(), a) << "\n";

  // ## Parts of arrays
  //
  // One sum for each column is a launch for each, which does not fill a GPU:
  CELL(15);
  auto m = wt::ones<float>(10, 10);
  for (int column = 0; column < 3; ++column) std::cout << wt::sum(wt::column(m, column)) << " ";
  std::cout << "...\n";

  // One reduction along a dimension is one launch:
  CELL(16);
  std::cout << wt::sum(m, 1) << "\n";

  // Sums and a matrix in one expression: the sum keeps its dimension and stretches.
  CELL(17);
  wt::array<float, 2> n = m + wt::sum(m, 1, wt::keep_dimension);
  std::cout << n << "\n";
}

// show
__global__ void vadd(wt::device_view<int> c, wt::device_view<int> a, wt::device_view<int> b) {
  const int i = threadIdx.x;
  c[i] = a[i] + b[i];
}
// end

// show
__global__ void vadd_grid(wt::device_view<int> c, wt::device_view<int> a, wt::device_view<int> b) {
  const auto i = wt::grid_index();
  if (i < c.size()) c[i] = a[i] + b[i];
}
// end

static void kernels() {
  // # Kernels
  //
  // Where operations on arrays are not enough, a kernel does what it says. It takes arrays as
  // `device_view`s (or as pointers), which check bounds under `wavetank check` if the kernel is a
  // function object, and cost nothing otherwise. `vadd` above is for one workgroup:
  CELL(18);
  auto a = wt::iota<int>(10, 1), b = wt::iota<int>(10, 2, 2), c = wt::similar(a);
  wt::launch({.block = dim3(10)}, vadd, c.shape(), c, a, b);
  std::cout << c << "\n";

  // ## Limits of the device
  //
  // A workgroup cannot be as large as one likes:
  CELL(19);
  auto x = wt::iota<int>(100000, 1), y = wt::iota<int>(100000, 2, 2), z = wt::similar(x);
  notebook::refused([&] { wt::launch({.block = dim3(100000)}, vadd, z.shape(), z, x, y); });

  // Many workgroups, and the guard for the last one, cover any size (`vadd_grid` above). The size of
  // the workgroups is what the runtime's occupancy rules propose for the kernel:
  CELL(20);
  wt::launch(vadd_grid, z.shape(), z, x, y);
  std::cout << z << "\n";

  // What the kernel takes of the device, and which block fills it:
  CELL(21);
  const wt::kernel_resources has = wt::resources_of(vadd_grid);
  std::cout << has.registers << " registers, blocks of " << has.best_block << ", "
            << has.groups_per_unit << " of them on a compute unit\n";
}

// show
__global__ void reduce_serial(wt::device_view<int> a, wt::device_view<int> sum) {
  for (auto i = 0; i < a.size(); ++i) sum[0] += a[i];
}

__global__ void reduce_atomic(wt::device_view<int> a, wt::device_view<int> sum) {
  const auto i = wt::grid_index();
  if (i < a.size()) atomicAdd(&sum[0], a[i]);
}

__global__ void reduce_block(wt::device_view<int> a, wt::device_view<int> sum) {
  const int elements = 2 * blockDim.x;
  for (int d = 1; d < elements; d *= 2) {
    __syncthreads();
    const int i = 2 * d * threadIdx.x;
    if (i < elements && i + d < a.size()) {
      wt::device_printf("thread %d: a[%d] + a[%d] = %d\n", int(threadIdx.x), i, i + d, a[i] + a[i + d]);
      a[i] += a[i + d];
    }
  }
  if (threadIdx.x == 0) sum[0] = a[0];
}

__global__ void reduce_grid(wt::device_view<int> a, wt::device_view<int> sum) {
  const int elements = 2 * blockDim.x, i = threadIdx.x;
  for (int from = i + elements; from < a.size(); from += elements) a[i] += a[from];
  for (int from = i + elements + blockDim.x; from < a.size(); from += elements)
    a[i + blockDim.x] += a[from];
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (i < d && i + d < a.size()) a[i] += a[i + d];
  }
  if (i == 0) sum[0] = a[0];
}

__global__ void reduce_groups(wt::device_view<int> a, wt::device_view<int> sum) {
  const int first = 2 * blockDim.x * blockIdx.x, i = first + threadIdx.x;
  for (int d = blockDim.x; d > 0; d /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < d && i + d < a.size()) a[i] += a[i + d];
  }
  if (threadIdx.x == 0) atomicAdd(&sum[0], a[first]);
}

__global__ void reduce_lds(wt::device_view<int> a, wt::device_view<int> sum) {
  __shared__ int tile[1024];
  int mine = 0;
  for (auto i : wt::grid_stride(a.size())) mine += a[i];
  tile[threadIdx.x] = mine;
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < d) tile[threadIdx.x] += tile[threadIdx.x + d];
  }
  if (threadIdx.x == 0) atomicAdd(&sum[0], tile[0]);
}

__global__ void reduce_waves(wt::device_view<int> a, wt::device_view<int> sum) {
  int mine = 0;
  for (auto i : wt::grid_stride(a.size())) mine += a[i];
  for (int d = warpSize / 2; d > 0; d /= 2) mine += __shfl_down(mine, d);
  if (threadIdx.x % warpSize == 0) atomicAdd(&sum[0], mine);
}
// end

// Runs a kernel of the ladder and prints its sum.
template <class Kernel>
static void print_sum(Kernel kernel, int threads, int block, const wt::array<int>& values) {
  wt::array<int> a = values, sum{0};
  wt::launch({.block = dim3(block)}, kernel, wt::extents{threads}, a, sum);
  wt::synchronize();
  wt::allow_scalar here;
  std::cout << sum[0] << "\n" << std::flush;
}

static void ladder() {
  // ## A ladder of reductions
  //
  // Not every operation maps onto one element for each work-item. The kernels above sum an array, each
  // a step better than the one before ([reduction](../reduction) times them). One work-item:
  CELL(22);
  print_sum(reduce_serial, 1, 1, wt::iota<int>(16, 1));

  // All work-items, which take turns at one address:
  CELL(23);
  print_sum(reduce_atomic, 16, 16, wt::iota<int>(16, 1));

  // A tree in one workgroup, twice its work-items long, which says what it does:
  CELL(24);
  print_sum(reduce_block, 8, 8, wt::iota<int>(16, 1));

  // An array of any size in one workgroup, which first adds what lies beyond it:
  CELL(25);
  print_sum(reduce_grid, 8, 8, wt::iota<int>(10000, 1));

  // A tree for each of many workgroups, whose sums are added by atomics:
  CELL(26);
  print_sum(reduce_groups, 5000, 256, wt::iota<int>(10000, 1));

  // The same in the LDS, after each work-item has added some in its registers:
  CELL(27);
  print_sum(reduce_lds, 4096, 256, wt::iota<int>(10000, 1));

  // Waves add in their registers:
  CELL(28);
  print_sum(reduce_waves, 4096, 256, wt::iota<int>(10000, 1));
}

static void errors() {
  // # What goes wrong
  //
  // Shapes that do not fit are named:
  CELL(29);
  auto a = wt::rand<float>(2, 2), b = wt::rand<float>(3, 2);
  notebook::refused([&] { wt::array<float, 2> c = a + b; });
  notebook::refused([&] { wt::matmul(a, b); });

  // What has no kernel does not compile, and says so: an array of the host in an expression
  // (`a + std::vector<float>{1, 2}` finds no operator +), or fractions assigned to integers ("fractions
  // would be lost: assign cast<T>(expression)"). Copying is asked for in words:
  CELL(30);
  std::cout << a.shape()[0] << " rows plus " << wt::array(std::vector<float>{1, 2}) << "\n";
}

// ## A race
//
// Threads must wait for each other, and a wait that is missing shows only sometimes. The transpose of
// [transpose.hip](transpose.hip) turns a tile in the LDS; nothing orders its write before its read.
// `wavetank check` says so, with both lines:
//
// $ wavetank check --device mi210 ./transpose
//
// # What the compiler made of it
//
// `inspect(kernel)` prints it from within a program, with the machine code where the command `wavetank` is
// installed; the command alone does, too, with `--isa` for the machine code:
//
// $ wavetank inspect --kernel vadd_grid ./notebook

int main() {
  arrays();
  interface();
  libraries();
  higher_order();
  kernels();
  ladder();
  errors();
}
