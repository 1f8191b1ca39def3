// How many bytes there are behind a pointer to a code object that came without a size.
#pragma once

#include <cstddef>
#include <span>

namespace wavetank::hip {

/// The bytes from `image` to the end of the ELF it starts with, or, for a bundle (whose reader
/// finds its own end), to the end of the mapped memory around it. Empty for an unmapped address.
std::span<const std::byte> image_extent(const void* image);

}  // namespace wavetank::hip
