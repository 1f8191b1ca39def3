// One step of a lattice-Boltzmann method (D3Q19, BGK collision with a Boussinesq force) written
// five times. The result is the same; what changes is the number of registers a wave needs, and
// with it how many waves a SIMD can hold. `wavetank inspect` lists them.
#include "../common/check.hpp"

constexpr int kDirections = 19;

struct Lattice {
  int cx[kDirections], cy[kDirections], cz[kDirections];
  double weight[kDirections];
};

constexpr Lattice kLattice = {
    {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0},
    {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1},
    {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1},
    {1. / 3, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 18, 1. / 36, 1. / 36, 1. / 36,
     1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36, 1. / 36}};

struct Parameters {
  int nx, ny, nz;         // cells; the box is periodic
  double omega;           // relaxation rate
  double gravity;         // force on a cell for a unit of (phi - reference)
  double reference;
};

__host__ __device__ inline int wrap(int i, int n) { return i < 0 ? i + n : i >= n ? i - n : i; }

// The cell from which direction q flows into cell (x, y, z).
__host__ __device__ inline int upstream(const Parameters& p, int x, int y, int z, int q) {
  return (wrap(z - kLattice.cz[q], p.nz) * p.ny + wrap(y - kLattice.cy[q], p.ny)) * p.nx +
         wrap(x - kLattice.cx[q], p.nx);
}

struct SquareByPow {
  __host__ __device__ static double of(double value) { return pow(value, 2.0); }
};
struct SquareByProduct {
  __host__ __device__ static double of(double value) { return value * value; }
};

// Everything is computed first and kept until the end: equilibria and forces of all directions
// are alive together.
template <typename Square>
__host__ __device__ inline void step_early(const double* in, const double* phi, double* out,
                                           const Parameters& p, int x, int y, int z) {
  const int cells = p.nx * p.ny * p.nz;
  const int cell = (z * p.ny + y) * p.nx + x;
  double f[kDirections], equilibrium[kDirections], force[kDirections];
  double density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    f[q] = in[q * cells + upstream(p, x, y, z, q)];
    density += f[q];
    ux += kLattice.cx[q] * f[q];
    uy += kLattice.cy[q] * f[q];
    uz += kLattice.cz[q] * f[q];
  }
  const double lift = p.gravity * (phi[cell] - p.reference);
  const double inverse = 1.0 / density;
  ux *= inverse;
  uy *= inverse;
  uz = (uz + 0.5 * lift) * inverse;
  const double speed = Square::of(ux) + Square::of(uy) + Square::of(uz);
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    const double cu = kLattice.cx[q] * ux + kLattice.cy[q] * uy + kLattice.cz[q] * uz;
    equilibrium[q] =
        kLattice.weight[q] * density * (1.0 + 3.0 * cu + 4.5 * Square::of(cu) - 1.5 * speed);
    force[q] = kLattice.weight[q] * (1.0 - 0.5 * p.omega) *
               (3.0 * (kLattice.cz[q] - uz) + 9.0 * cu * kLattice.cz[q]) * lift;
  }
#pragma unroll
  for (int q = 0; q < kDirections; ++q)
    out[q * cells + cell] = f[q] - p.omega * (f[q] - equilibrium[q]) + force[q];
}

// Each direction is finished before the next is begun; what is needed late is computed late.
template <typename Square>
__host__ __device__ inline void step_late(const double* in, const double* phi, double* out,
                                          const Parameters& p, int x, int y, int z) {
  const int cells = p.nx * p.ny * p.nz;
  const int cell = (z * p.ny + y) * p.nx + x;
  double f[kDirections];
  double density = 0, ux = 0, uy = 0, uz = 0;
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    f[q] = in[q * cells + upstream(p, x, y, z, q)];
    density += f[q];
    ux += kLattice.cx[q] * f[q];
    uy += kLattice.cy[q] * f[q];
    uz += kLattice.cz[q] * f[q];
  }
  const double lift = p.gravity * (phi[cell] - p.reference);
  const double inverse = 1.0 / density;
  ux *= inverse;
  uy *= inverse;
  uz = (uz + 0.5 * lift) * inverse;
  const double rest = 1.0 - 1.5 * (Square::of(ux) + Square::of(uy) + Square::of(uz));
  const double push = (1.0 - 0.5 * p.omega) * lift;
#pragma unroll
  for (int q = 0; q < kDirections; ++q) {
    const double cu = kLattice.cx[q] * ux + kLattice.cy[q] * uy + kLattice.cz[q] * uz;
    const double equilibrium = density * (rest + 3.0 * cu + 4.5 * Square::of(cu));
    const double force = (3.0 * (kLattice.cz[q] - uz) + 9.0 * cu * kLattice.cz[q]) * push;
    out[q * cells + cell] =
        f[q] - p.omega * (f[q] - kLattice.weight[q] * equilibrium) + kLattice.weight[q] * force;
  }
}

__global__ void plain(const double* in, const double* phi, double* out, Parameters p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < p.nx) step_early<SquareByPow>(in, phi, out, p, x, blockIdx.y, blockIdx.z);
}

__global__ void without_pow(const double* in, const double* phi, double* out, Parameters p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < p.nx) step_early<SquareByProduct>(in, phi, out, p, x, blockIdx.y, blockIdx.z);
}

__global__ void rearranged(const double* in, const double* phi, double* out, Parameters p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < p.nx) step_late<SquareByProduct>(in, phi, out, p, x, blockIdx.y, blockIdx.z);
}

__global__ void restricted(const double* __restrict__ in, const double* __restrict__ phi,
                           double* __restrict__ out, Parameters p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < p.nx) step_late<SquareByProduct>(in, phi, out, p, x, blockIdx.y, blockIdx.z);
}

constexpr int kBlock = 64;

__global__ __launch_bounds__(kBlock, 8) void bounded(const double* __restrict__ in,
                                                     const double* __restrict__ phi,
                                                     double* __restrict__ out, Parameters p) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < p.nx) step_late<SquareByProduct>(in, phi, out, p, x, blockIdx.y, blockIdx.z);
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 32);
  const Parameters p = {2 * n, n, n, 1.2, 1e-3, 0.5};
  const int cells = p.nx * p.ny * p.nz;
  std::vector<double> f(kDirections * cells), phi(cells), expected(f.size());
  for (int cell = 0; cell < cells; ++cell) phi[cell] = (cell * 37 % 101) / 101.0;
  for (int q = 0; q < kDirections; ++q)
    for (int cell = 0; cell < cells; ++cell)
      f[q * cells + cell] = kLattice.weight[q] * (1.0 + 0.01 * ((cell * 13 + q * 7) % 29 - 14));
  for (int z = 0; z < p.nz; ++z)
    for (int y = 0; y < p.ny; ++y)
      for (int x = 0; x < p.nx; ++x)
        step_late<SquareByProduct>(f.data(), phi.data(), expected.data(), p, x, y, z);

  example::DeviceArray<double> device_f(f), device_phi(phi), device_out(f.size());
  struct Version {
    const char* name;
    void (*kernel)(const double*, const double*, double*, Parameters);
  };
  const Version versions[] = {{"plain", plain},
                              {"without pow", without_pow},
                              {"rearranged", rearranged},
                              {"restrict", restricted},
                              {"restrict, launch bounds", bounded}};
  std::printf("one step of %d x %d x %d cells, 19 directions\n", p.nx, p.ny, p.nz);
  bool all_right = true;
  for (const Version& version : versions) {
    device_out.clear();
    const dim3 grid(example::blocks_for(p.nx, kBlock), p.ny, p.nz);
    version.kernel<<<grid, kBlock>>>(device_f.data(), device_phi.data(), device_out.data(), p);
    example::finish_kernel();
    const std::vector<double> out = device_out.read();
    bool right = true;
    for (size_t i = 0; i < out.size(); ++i)
      right = right && example::close(out[i], expected[i], 1e-13);
    all_right = example::line(version.name, right) && all_right;
  }
  return example::verdict(all_right);
}
