// Addresses of memory instructions: a base, by the numbers of its values, and bytes from there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lint/rule.hpp"

namespace wavetank::lint {

/// Two halves of a 64-bit value.
struct Pair {
  ValueId low = 0, high = 0;
  friend bool operator==(const Pair&, const Pair&) = default;
};

/// A sum of a value and a constant.
struct Sum {
  Pair base;
  std::int64_t offset = 0;
};

/// Takes constants that were added out of a 64-bit value.
Sum sum_of(const Subject& subject, Pair value);

/// Two 64-bit values whose sum a value is; nullopt if it is made in another way.
struct Addends {
  std::optional<Pair> first, second;
};
std::optional<Addends> addends_of(const Subject& subject, Pair value);

/// Where lanes access memory or LDS.
struct Address {
  /// Values that are added: VADDR, SADDR; an unused one is kNone.
  std::array<Pair, 2> base = {Pair{kNone, kNone}, Pair{kNone, kNone}};
  std::int64_t offset = 0;  ///< bytes
  bool same_base(const Address& other) const { return base == other.base; }
};

/// The address of a load, store or atomic of LDS, global or flat memory; nullopt of others, and if
/// it is not known.
std::optional<Address> address_of(const Subject& subject, std::uint32_t step);

/// What a flat pointer points to, as its making proves.
enum class Points : std::uint8_t { kUnknown, kGlobal, kLds };

/// Where the address in the vector registers of a memory instruction points: to global memory if it
/// is made of a pointer argument, to LDS if of the shared aperture.
Points points_to(const Subject& subject, std::uint32_t step);

/// The pointer argument, by its byte among the arguments, into whose array a global access goes;
/// nullopt if that is not known.
std::optional<std::uint32_t> argument_accessed(const Subject& subject, std::uint32_t step);

}  // namespace wavetank::lint
