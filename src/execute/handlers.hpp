// Handlers by row id, for the host that the process runs on.
#pragma once

#include <span>
#include <vector>

#include "execute/handler_set.hpp"

namespace wavetank::execute {

/// Handler sets by row id, filled for the best vector unit of this machine on first use.
/// WAVETANK_HOST_SIMD=avx512|avx2|sse4 asks for another.
std::span<const HandlerSet> handlers();

/// Vector units of hosts that handlers are compiled for.
enum class HostSimd { kSse4, kAvx2, kAvx512 };

/// The unit that those handlers are for.
HostSimd host_simd();

/// All units that this machine and this build have, best first.
std::vector<HostSimd> host_simds();

/// Handler sets of one of them, whatever WAVETANK_HOST_SIMD asks for; made at each call.
std::vector<HandlerSet> make_handlers(HostSimd host);

}  // namespace wavetank::execute
