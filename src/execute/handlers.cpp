#include "execute/handlers.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>

#include "execute/registry.hpp"

namespace wavetank::execute {
namespace {

/// The best vector unit of this machine that the vector families are compiled for.
HostSimd best_host() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd")) {
    return HostSimd::kAvx512;
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi2")) {
    return HostSimd::kAvx2;
  }
#endif
  return HostSimd::kSse4;
}

/// The units that this build has handlers for, best first.
constexpr HostSimd kBuilt[] = {
#ifdef WAVETANK_HAS_AVX512
    HostSimd::kAvx512,
#endif
#ifdef WAVETANK_HAS_AVX2
    HostSimd::kAvx2,
#endif
#ifdef WAVETANK_HAS_SSE4
    HostSimd::kSse4,
#endif
};

/// The best unit that machine and build have, or the one that WAVETANK_HOST_SIMD asks for if it is
/// not beyond the machine.
HostSimd chosen_host() {
  HostSimd most = best_host();
  const char* asked = std::getenv("WAVETANK_HOST_SIMD");
  const std::string_view name = asked == nullptr ? "" : asked;
  if (name == "sse4") most = HostSimd::kSse4;
  if (name == "avx2") most = std::min(most, HostSimd::kAvx2);
  for (const HostSimd host : kBuilt) {
    if (host <= most) return host;
  }
  return kBuilt[std::size(kBuilt) - 1];
}

#define WAVETANK_APPEND_HOST(host)                                                              \
  (host::append_vop1(entries), host::append_vop2(entries), host::append_vop3_float(entries),    \
   host::append_vop3_integer(entries), host::append_vopc(entries), host::append_vop3p(entries), \
   host::append_vector_memory(entries), host::append_lds(entries), host::append_matrix(entries))

void append_vector_families(Entries& entries, HostSimd host) {
#ifdef WAVETANK_HAS_AVX512
  if (host == HostSimd::kAvx512) return WAVETANK_APPEND_HOST(avx512);
#endif
#ifdef WAVETANK_HAS_AVX2
  if (host == HostSimd::kAvx2) return WAVETANK_APPEND_HOST(avx2);
#endif
#ifdef WAVETANK_HAS_SSE4
  if (host == HostSimd::kSse4) return WAVETANK_APPEND_HOST(sse4);
#endif
}
#undef WAVETANK_APPEND_HOST

}  // namespace

HostSimd host_simd() {
  static const HostSimd chosen = chosen_host();
  return chosen;
}

std::vector<HostSimd> host_simds() {
  std::vector<HostSimd> units;
  std::copy_if(std::begin(kBuilt), std::end(kBuilt), std::back_inserter(units),
               [best = best_host()](HostSimd unit) { return unit <= best; });
  return units;
}

std::vector<HandlerSet> make_handlers(HostSimd host) {
  Entries entries;
  append_scalar(entries);
  append_control(entries);
  append_scalar_memory(entries);
  append_exchange(entries);
  append_atomics(entries);
  append_images(entries);
  append_buffer_formats(entries);
  append_whole_wave(entries);
  append_vector_families(entries, host);
  append_reference(entries);
  return entries.all();
}

std::span<const HandlerSet> handlers() {
  static const auto& sets = *new std::vector<HandlerSet>(make_handlers(host_simd()));
  return sets;
}

}  // namespace wavetank::execute
