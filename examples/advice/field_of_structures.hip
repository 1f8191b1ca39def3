// One field of large structures is read and written: of each cache line the most is not used. FIXED:
// each field has an array of its own.
#include "../checks/memory.hpp"

constexpr int kParticles = 4864 * 256;

struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};

#ifdef FIXED
__global__ void move(float* x, const float* vx, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] += dt * vx[i];
}
#else
__global__ void move(Particle* p, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  p[i].x += dt * p[i].vx;  // cause
}
#endif

int main() {
#ifdef FIXED
  move<<<kParticles / 256, 256>>>(zeros<float>(kParticles), zeros<float>(kParticles), 0.1f);
#else
  move<<<kParticles / 256, 256>>>(zeros<Particle>(kParticles), 0.1f);
#endif
  return finish();
}
