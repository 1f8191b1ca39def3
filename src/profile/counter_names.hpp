// The raw counters of the processors by AMD's names, and the block that counts each.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/target.hpp"

namespace wavetank::profile {

/// The hardware block that holds a counter. The names are AMD's.
enum class Block : std::uint8_t {
  kCpc,   ///< command processor, compute; one per XCD
  kCpf,   ///< command processor, fetcher; one per XCD
  kGrbm,  ///< graphics register bus manager: the whole device is busy; one per XCD
  kSpi,   ///< workgroup manager; one per shader engine
  kSq,    ///< sequencer, with the scalar and instruction caches (SQC); one per shader engine
  kTa,    ///< address unit of vector memory; one per CU
  kTca,   ///< arbiter in front of the L2
  kTcc,   ///< L2; one per channel
  kTcp,   ///< vector L1; one per CU
  kTd,    ///< data return of vector memory; one per CU
};
inline constexpr std::size_t kBlockCount = 10;

struct CounterName {
  std::string_view name;  ///< "SQ_WAVES"
  Block block;
  isa::Lifetime lifetime;  ///< the processors that have it
};

/// "SQ".
std::string_view text_of(Block block);

/// All counters of all processors, by block (source: rocprofiler-sdk counter_defs.yaml).
std::span<const CounterName> counter_names();

/// The counter with this name; nothing if no processor has it.
const CounterName* find_counter(std::string_view name);

/// True if the processor has a counter of this name.
bool counts(const isa::Target& target, std::string_view name);

}  // namespace wavetank::profile
