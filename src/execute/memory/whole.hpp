// Elements that move between memory and a host register in one access, so that other threads see a
// store of one whole or not at all, as a device's lanes do: rocPRIM's look-back keeps state and
// value in 16 bytes.
//
// What the host promises: aligned accesses of up to 8 bytes are atomic on every x86-64 processor,
// aligned ones of 16 on those with AVX (Intel SDM 3A, "Guaranteed Atomic Operations"; AMD APM 2,
// "Access Atomicity"). Of wider vectors, with which a wave's neighbouring lanes move, neither says
// anything; aligned elements of up to 16 bytes in them were never seen torn (tests/litmus), but for
// AVX2's masked stores, which are not used for them. Nothing is promised for unaligned elements and
// those of 12 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace wavetank::execute {

/// 16 bytes in one host register.
using Bytes16 = std::uint64_t __attribute__((vector_size(16)));

/// The register type of an element of 8 or 16 bytes.
template <unsigned kBytes>
using Whole = std::conditional_t<kBytes == 8, std::uint64_t, Bytes16>;

/// Hides the value from the compiler, which could otherwise move its parts one by one, and makes
/// gather instructions of loops of elements.
[[gnu::always_inline]] inline void hide(std::uint64_t& value) { asm("" : "+r"(value)); }
[[gnu::always_inline]] inline void hide(Bytes16& value) {
#if defined(__x86_64__)
  asm("" : "+x"(value));
#else
  asm("" : "+m"(value));
#endif
}

/// Loads an element of 8 or 16 bytes in one access.
template <unsigned kBytes>
[[gnu::always_inline]] inline Whole<kBytes> load_whole(const void* from) {
  Whole<kBytes> value;
  std::memcpy(&value, from, kBytes);
  hide(value);
  return value;
}

/// Stores an element of 8 or 16 bytes in one access.
template <class T>
[[gnu::always_inline]] inline void store_whole(void* to, T value) {
  hide(value);
  std::memcpy(to, &value, sizeof value);
}

/// Copies an element, in one access where it has 1, 2, 4, 8 or 16 bytes.
template <unsigned kBytes>
[[gnu::always_inline]] inline void copy_element(std::byte* to, const std::byte* from) {
  if constexpr (kBytes == 8 || kBytes == 16) {
    store_whole(to, load_whole<kBytes>(from));
  } else {
    std::memcpy(to, from, kBytes);
  }
}

}  // namespace wavetank::execute
