// A launch as whoever listens to it knows it: its shape, and its instructions' texts and lines.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/dim3.hpp"
#include "dispatch/engine.hpp"
#include "machine/flow.hpp"
#include "machine/listener.hpp"

namespace wavetank::dispatch {

/// Stays valid after the launch, and keeps its code and translation.
class ListenedLaunch {
 public:
  virtual ~ListenedLaunch() = default;
  virtual const std::string& kernel_name() const = 0;
  virtual Dim3 groups() const = 0;
  virtual Dim3 workgroup_work_items() const = 0;
  /// The kernel's arguments, which it only reads.
  virtual std::span<const std::byte> kernarg() const = 0;
  /// Bytes of the narrowest access that may be to LDS.
  virtual unsigned narrowest_lds_access_bytes() const = 0;
  virtual bool is_gfx942() const = 0;
  /// True if waves may learn in the middle of the launch of what other workgroups did.
  virtual bool learns_of_others() const = 0;
  /// True if what a workgroup does may depend on what others did before it: on an atomic's result,
  /// on a flag.
  virtual bool asks_other_groups() const = 0;
  /// A number of the kernel's translation that no other one ever has.
  virtual std::uint64_t translation() const = 0;
  /// The kernel's instructions, decoded again each time.
  virtual machine::Flow flow() const = 0;
  /// Text and source of instructions, by their StepFacts::index; empty for those of other launches.
  /// Starts a process for the source lines: for reports only.
  virtual std::vector<SteppedInstruction> describe(
      const std::vector<std::uint32_t>& indexes) const = 0;
};

}  // namespace wavetank::dispatch
