// What pointers point to, as the code that makes them proves.
#pragma once

#include <cstdint>
#include <optional>

#include "lint/address.hpp"

namespace wavetank::lint {

/// What a pointer is made of by adding to it.
struct Origin {
  bool lds = false;            ///< the shared aperture; else an argument of the kernel
  std::uint32_t argument = 0;  ///< its byte among the arguments
  friend bool operator==(const Origin&, const Origin&) = default;
};

/// The origin of the pointer in the vector registers of a memory instruction. It is the same on
/// each way to the instruction, and in each round of a loop that goes on from it.
std::optional<Origin> pointer_origin(const Subject& subject, std::uint32_t step);

/// The pointer argument, by its byte among the arguments, into whose array a global access goes;
/// nullopt if that is not known.
std::optional<std::uint32_t> argument_accessed(const Subject& subject, std::uint32_t step);

}  // namespace wavetank::lint
