// Memory that kernels allocate themselves, and calls whose target is known only as they run:
// function pointers, virtual functions, recursion.
#include "common/check.hpp"

// --- malloc and free, new and delete -----------------------------------------------------------

struct Node {
  Node* next;
  int value;
};

// Each work-item builds a list, sums it and frees it again.
__global__ void lists(int* sums, int length) {
  const int me = blockIdx.x * blockDim.x + threadIdx.x;
  Node* first = nullptr;
  for (int i = 0; i < length; ++i) {
    auto* node = static_cast<Node*>(malloc(sizeof(Node)));
    if (node == nullptr) return;
    *node = {first, me + i};
    first = node;
  }
  int sum = 0;
  while (first != nullptr) {
    Node* next = first->next;
    sum += first->value;
    free(first);
    first = next;
  }
  sums[me] = sum;
}

// Sizes from one byte to more than a slab; what one kernel allocates another one uses and frees.
__global__ void allocate(char** blocks, const size_t* sizes) {
  blocks[threadIdx.x] = static_cast<char*>(malloc(sizes[threadIdx.x]));
  for (size_t i = 0; i < sizes[threadIdx.x]; i += 4095) blocks[threadIdx.x][i] = threadIdx.x + 1;
}
__global__ void use_and_free(char** blocks, const size_t* sizes, int* right) {
  char* const block = blocks[threadIdx.x];
  bool same = block != nullptr;
  for (size_t i = 0; same && i < sizes[threadIdx.x]; i += 4095) same = block[i] == threadIdx.x + 1;
  right[threadIdx.x] = same;
  free(block);
}

__global__ void impossible(int* right) {
  *right = malloc(size_t{1} << 60) == nullptr;
  free(nullptr);
}

bool device_malloc() {
  constexpr int kItems = 512;
  example::DeviceArray<int> sums(kItems);
  lists<<<kItems / 128, 128>>>(sums.data(), 20);
  example::finish_kernel();
  bool ok = true;
  const std::vector<int> values = sums.read();
  for (int i = 0; i < kItems; ++i) ok = ok && values[i] == 20 * i + 190;
  ok = example::line("lists of malloc", ok);

  const std::vector<size_t> wanted = {1, 16, 48, 100, 1000, 4096, 100000, 3 << 20};
  const int count = static_cast<int>(wanted.size());
  example::DeviceArray<size_t> sizes(wanted);
  example::DeviceArray<char*> blocks(wanted.size());
  example::DeviceArray<int> right(wanted.size());
  for (int round = 0; round < 2; ++round) {
    right.clear();
    allocate<<<1, count>>>(blocks.data(), sizes.data());
    use_and_free<<<1, count>>>(blocks.data(), sizes.data(), right.data());
    example::finish_kernel();
    for (const int one : right.read()) ok = ok && one == 1;
  }
  ok = example::line("from kernel to kernel", ok);
  right.clear();
  impossible<<<1, 1>>>(right.data());
  example::finish_kernel();
  return example::line("too much gives null", right.read()[0] == 1) && ok;
}

// --- function pointers --------------------------------------------------------------------------

__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
__device__ __noinline__ int report(int x) {
  if (x == 2) printf("reported %d\n", x);
  return -x;
}
using Function = int (*)(int);
__device__ Function table[] = {twice, square, report};

// The lanes of one wave call different functions.
__global__ void call_through(int* out) { out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x); }
__global__ void take_address(Function* out) { *out = square; }
__global__ void call_given(int* out, const Function* function) {
  out[threadIdx.x] = (*function)(threadIdx.x);
}

bool function_pointers() {
  example::DeviceArray<int> out(64);
  call_through<<<1, 64>>>(out.data());
  example::finish_kernel();
  bool ok = true;
  std::vector<int> values = out.read();
  for (int i = 0; i < 64; ++i) ok = ok && values[i] == (i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : -i);
  ok = example::line("a table of functions", ok);
  example::DeviceArray<Function> function(1);
  take_address<<<1, 1>>>(function.data());
  call_given<<<1, 64>>>(out.data(), function.data());
  example::finish_kernel();
  values = out.read();
  return example::line("a pointer kept in memory", values[9] == 81) && ok;
}

// --- virtual functions --------------------------------------------------------------------------

struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ explicit Square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
};
struct Circle : Shape {
  float radius;
  int* destroyed;
  __device__ Circle(float r, int* d) : radius(r), destroyed(d) {}
  __device__ ~Circle() override { atomicAdd(destroyed, 1); }
  __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void make_shapes(Shape** shapes, int* destroyed) {
  const int i = threadIdx.x;
  if (i % 2 == 0) {
    shapes[i] = new Square(i);
  } else {
    shapes[i] = new Circle(i, destroyed);
  }
}
__global__ void measure_shapes(Shape** shapes, float* areas) {
  areas[threadIdx.x] = shapes[threadIdx.x]->area();
  delete shapes[threadIdx.x];
}

bool virtual_functions() {
  example::DeviceArray<Shape*> shapes(64);
  example::DeviceArray<int> destroyed(1);
  example::DeviceArray<float> areas(64);
  destroyed.clear();
  make_shapes<<<1, 64>>>(shapes.data(), destroyed.data());
  measure_shapes<<<1, 64>>>(shapes.data(), areas.data());
  example::finish_kernel();
  bool ok = destroyed.read()[0] == 32;
  const std::vector<float> values = areas.read();
  for (int i = 0; i < 64; ++i) ok = ok && values[i] == (i % 2 == 0 ? 1.0f : 3.0f) * i * i;
  return example::line("virtual functions", ok);
}

// --- recursion ----------------------------------------------------------------------------------

__device__ __noinline__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
struct Tree {
  Tree* left;
  Tree* right;
  int value;
};
__device__ __noinline__ Tree* grow(int depth, int value) {
  if (depth == 0) return nullptr;
  return new Tree{grow(depth - 1, 2 * value), grow(depth - 1, 2 * value + 1), value};
}
__device__ __noinline__ int sum_and_cut(Tree* tree) {
  if (tree == nullptr) return 0;
  const int sum = tree->value + sum_and_cut(tree->left) + sum_and_cut(tree->right);
  delete tree;
  return sum;
}
__global__ void recurse(int* out) {
  out[threadIdx.x] = ackermann(2, threadIdx.x % 4);
  const int sum = sum_and_cut(grow(4, 1));
  assert(sum == 120);
  out[threadIdx.x] += sum;
}

bool recursion() {
  example::DeviceArray<int> out(64);
  recurse<<<1, 64>>>(out.data());
  example::finish_kernel();
  bool ok = true;
  const std::vector<int> values = out.read();
  for (int i = 0; i < 64; ++i) ok = ok && values[i] == 2 * (i % 4) + 3 + 120;
  return example::line("recursion", ok);
}

int main() {
  bool ok = device_malloc();
  ok = function_pointers() && ok;
  ok = virtual_functions() && ok;
  ok = recursion() && ok;
  return example::verdict(ok);
}
