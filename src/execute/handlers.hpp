// Handlers by row id, for the host that the process runs on.
#pragma once

#include <span>

#include "execute/handler_set.hpp"

namespace wavetank::execute {

/// Handler sets by row id, filled for the best vector unit of this machine on first use.
/// WAVETANK_HOST_SIMD=avx512|avx2|sse4 asks for another.
std::span<const HandlerSet> handlers();

/// True if those are the handlers for AVX-512.
bool uses_avx512();

}  // namespace wavetank::execute
