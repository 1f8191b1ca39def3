// A launch as whoever listens to it knows it: its shape, and its instructions' texts and lines.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/dim3.hpp"
#include "code_object/loader.hpp"
#include "dispatch/stepped_instruction.hpp"
#include "isa/target.hpp"
#include "machine/flow.hpp"
#include "machine/listener.hpp"

namespace wavetank::dispatch {

/// Where edges may stand beside an instruction (machine/edge.hpp): offsets from the kernel's entry,
/// the nearest place first. The first of `before` is the instruction itself; the others lie where
/// lanes that a branch has taken out of EXEC may be back, or not yet out: a barrier there is one
/// that all lanes come to, if there is such a place.
struct EdgePlaces {
  std::vector<std::uint64_t> before, after;
};

/// Stays valid after the launch, and keeps its code and translation.
class ListenedLaunch {
 public:
  virtual ~ListenedLaunch() = default;
  virtual const std::string& kernel_name() const = 0;
  virtual Dim3 groups() const = 0;
  virtual Dim3 workgroup_work_items() const = 0;
  virtual bool is_cooperative() const = 0;
  /// The kernel's arguments, which it only reads.
  virtual std::span<const std::byte> kernarg() const = 0;
  /// Bytes of LDS that a workgroup asks for; it may have more.
  virtual std::uint32_t lds_bytes() const = 0;
  /// Bytes of the narrowest access that may be to LDS.
  virtual unsigned narrowest_lds_access_bytes() const = 0;
  virtual const isa::Target& target() const = 0;
  /// True if waves may learn in the middle of the launch of what other workgroups did.
  virtual bool learns_of_others() const = 0;
  /// True if what a workgroup does may depend on what others did before it: on an atomic's result,
  /// on a flag.
  virtual bool asks_other_groups() const = 0;
  /// That the kernel is in.
  virtual const std::shared_ptr<const code_object::LoadedCodeObject>& code() const = 0;
  /// A number of the kernel's translation that no other one ever has.
  virtual std::uint64_t translation() const = 0;
  /// The kernel's instructions, decoded again each time.
  virtual machine::Flow flow() const = 0;
  /// True if wanted(row) for an instruction of the kernel's code object, in whatever function.
  virtual bool holds_row(const std::function<bool(const isa::Row&)>& wanted) const = 0;
  /// True if waves may learn of others of their workgroup without a barrier.
  virtual bool learns_in_group() const = 0;
  /// True if more than barriers says which accesses to LDS are ordered.
  virtual bool orders_lds() const = 0;
  /// A number for the instruction with that StepFacts::index in a function that was called at the
  /// instruction `caller`, which may be such a number itself. It serves where an index does.
  virtual std::uint32_t index_called_from(std::uint32_t caller, std::uint32_t index) const = 0;
  /// True if the code leads from one instruction to another, by their StepFacts::index; of two
  /// functions, from the call of one to that of the other.
  virtual bool leads(std::uint32_t from, std::uint32_t to) const = 0;
  /// Text and source of instructions, by their StepFacts::index; empty for those of other launches.
  /// The line of the program itself is given rather than that of a system header's function which
  /// it calls.
  /// Starts a process for the source lines: for reports only.
  virtual std::vector<SteppedInstruction> describe(
      const std::vector<std::uint32_t>& indexes) const = 0;
  /// Where edges may stand beside an instruction, by its StepFacts::index, or beside the kernel's
  /// call that led to it.
  virtual EdgePlaces edge_places(std::uint32_t index) const = 0;
};

}  // namespace wavetank::dispatch
