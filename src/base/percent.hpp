// Shares in percent.
#pragma once

namespace wavetank {

/// A part of a whole in percent; 0 of nothing.
inline double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

}  // namespace wavetank
