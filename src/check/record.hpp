// What is remembered of the accesses to a piece of memory.
#pragma once

#include <cstdint>

namespace wavetank::check {

inline constexpr unsigned kLaneBits = 6;  ///< of a lane's number in a record

/// One access. The thread of execution is the wave: its instructions are ordered, and its lanes do
/// one instruction together.
struct Record {
  std::uint32_t actor = 0;  ///< the workgroup, numbered through all launches; 0: no access
  /// Wave in the workgroup << 28 | meets stores << 27 | narrow << 26 | its time.
  std::uint32_t wave_time = 0;
  std::uint32_t site_lane = 0;  ///< StepFacts::index << kLaneBits | lane

  static constexpr std::uint32_t kMostTime = (1u << 26) - 1;
  static constexpr std::uint32_t kMostSite = (1u << 26) - 1;
  static constexpr std::uint32_t kMostActor = ~std::uint32_t{0};

  static constexpr Record of(std::uint32_t actor, unsigned wave, std::uint32_t time,
                             std::uint32_t site, unsigned lane) {
    return {actor, wave << 28 | time, site << kLaneBits | lane};
  }
  constexpr bool present() const { return actor != 0; }
  constexpr unsigned wave() const { return wave_time >> 28; }
  constexpr std::uint32_t time() const { return wave_time & kMostTime; }
  constexpr std::uint32_t site() const { return site_lane >> kLaneBits; }
  constexpr unsigned lane() const { return site_lane & ((1u << kLaneBits) - 1); }
  constexpr void set_lane(unsigned lane) { site_lane = site() << kLaneBits | lane; }
  /// Of an atomic: it is of a sort that is made to meet stores that nothing orders (a lock's
  /// exchange, a flag's load), which may look like plain ones.
  constexpr bool meets_stores() const { return (wave_time >> 27 & 1) != 0; }
  constexpr void set_meets_stores() { wave_time |= 1u << 27; }
  /// Of an atomic: its scope is the workgroup, so that it is a plain access for other ones.
  constexpr bool is_narrow() const { return (wave_time >> 26 & 1) != 0; }
  constexpr void set_narrow() { wave_time |= 1u << 26; }
  constexpr bool same_wave(const Record& other) const {
    return actor == other.actor && wave() == other.wave();
  }
  constexpr bool operator==(const Record&) const = default;
};

/// How an access touches memory.
enum class AccessKind : std::uint8_t {
  kRead,
  kWrite,
  kAtomicRead,   ///< a load that is meant to meet concurrent stores (glc; gfx942: sc0 or sc1)
  kAtomicWrite,  ///< a store of that sort
  kAtomic,       ///< reads, computes and writes in one piece
};

inline constexpr unsigned kAccessKinds = 5;

constexpr bool writes(AccessKind kind) {
  return kind != AccessKind::kRead && kind != AccessKind::kAtomicRead;
}
constexpr bool is_atomic(AccessKind kind) {
  return kind != AccessKind::kRead && kind != AccessKind::kWrite;
}

/// The accesses to one piece of memory that a later one may not be ordered behind. Two readers are
/// enough: they are of different workgroups if there are such, else of different waves, so that a
/// writer that is ordered behind both is ordered behind all, as long as workgroups are not ordered
/// among each other. So are two atomics, the last and one of another wave.
struct Cell {
  Record write, atomic, read, other_read;
  std::uint32_t value = 0;  ///< what `write` wrote (value_of); 0: not known
  Record other_atomic = {};
};

}  // namespace wavetank::check
