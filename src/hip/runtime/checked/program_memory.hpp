// The memory that a program knows of, where launches are checked: allocations, variables and
// registered ranges, with the places of the calls that made and freed them. What the runtime
// allocates for itself is not there.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "check/variables.hpp"
#include "hip/runtime/checked/call_site.hpp"

namespace wavetank::hip {

/// A piece of memory under one name or address.
struct ProgramObject {
  std::uint64_t begin = 0, size_bytes = 0;
  std::string name;    ///< of a variable; empty for allocations
  CallSite allocated;  ///< nothing for variables
  CallSite freed;      ///< nothing while it lives
  bool is_freed = false;
  bool host_sees = false;     ///< pinned, managed or registered
  bool shares_pages = false;  ///< registered: other memory may lie on its first and last page
};

/// Safe from any thread.
class ProgramMemory final : public check::Variables {
 public:
  /// Memory that a call of the program gives it, or makes known to devices, now.
  void allocate(const void* address, std::uint64_t size_bytes, bool host_sees,
                bool shares_pages = false);
  void add_variable(const void* address, std::uint64_t size_bytes, std::string name,
                    bool host_sees);
  /// The call under way frees it. Unknown addresses are ignored: they are the runtime's own.
  void free(const void* address);
  /// The object that holds an address, or held it last.
  std::optional<ProgramObject> find(std::uint64_t address) const;
  std::optional<check::Extent> variable_at(std::uint64_t address) const override;
  bool has_variable_in(const check::Extent& bytes) const override;

 private:
  void put(ProgramObject object);
  const ProgramObject* object_at(std::uint64_t address) const;

  mutable std::mutex mutex_;
  std::map<std::uint64_t, ProgramObject> objects_;
};

}  // namespace wavetank::hip
