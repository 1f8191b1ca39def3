// Handlers by row id, for the host that the process runs on.
#pragma once

#include <span>

#include "execute/handler_set.hpp"

namespace wavetank::execute {

/// Handler sets by row id, filled for the best vector unit of this machine on first use.
/// WAVETANK_HOST_SIMD=avx512|avx2|sse4 asks for another.
std::span<const HandlerSet> handlers();

/// Vector units of hosts that handlers are compiled for.
enum class HostSimd { kSse4, kAvx2, kAvx512 };

/// The unit that those handlers are for.
HostSimd host_simd();

}  // namespace wavetank::execute
