#include "execute/jit/vector_unit.hpp"

#include "execute/handlers.hpp"

namespace wavetank::execute::jit {

const VectorUnit* vector_unit() {
#if defined(__x86_64__)
  switch (host_simd()) {
    case HostSimd::kAvx512: return &kAvx512Unit;
    case HostSimd::kAvx2: return __builtin_cpu_supports("f16c") ? &kAvx2Unit : nullptr;
    case HostSimd::kSse4: break;
  }
#endif
  return nullptr;
}

}  // namespace wavetank::execute::jit
