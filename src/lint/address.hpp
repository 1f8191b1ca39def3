// Addresses of memory instructions: a base, by the numbers of its values, and bytes from there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

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

/// Two 64-bit values.
struct Addends {
  std::optional<Pair> first, second;
};
/// The pairs of values whose sum a value is; none if it is made in another way. Of two additions of
/// halves, either lower half may go with either upper one.
std::vector<Addends> addends_of(const Subject& subject, Pair value);

/// The 64-bit value in the vector registers from `operand` on; nullopt if they are none.
std::optional<Pair> vector_pair(const Subject& subject, std::uint32_t step, std::uint16_t operand);

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

}  // namespace wavetank::lint
