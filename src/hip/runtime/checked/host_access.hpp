// Accesses of the host's own code to memory that it shares with devices, where launches are
// checked: the faults of closed pages (closed_pages.hpp), told to the checker one by one.
#pragma once

namespace wavetank::hip {

class Checker;

/// From now on faults of closed pages are told to `checker`, which must live until the process
/// ends.
void watch_host_accesses(Checker& checker);

}  // namespace wavetank::hip
