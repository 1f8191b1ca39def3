// Operations that nothing orders, in words.
#pragma once

#include <cstdint>
#include <string>

#include "check/describe.hpp"
#include "check/diagnosis.hpp"
#include "check/record.hpp"

namespace wavetank::check {

/// What the words say of an operation of host or stream.
struct OperationWords {
  AccessKind kind = AccessKind::kRead;
  std::string function;  ///< "hipMemcpyAsync"; empty for an access of the host's own code
  Spot host_place;       ///< the call, or the access
  std::string site;      ///< what OperationOrder knows it by
  std::string stream;    ///< "stream 3", "the null stream"; empty for the host
  bool in_graph = false;
  std::string kernel;            ///< of a kernel's launch; empty for all else
  InstructionWords instruction;  ///< of a kernel's access
};

struct ConflictWords {
  OperationWords first, second;
  std::uint64_t address = 0, bytes = 0;
  std::uint64_t object_begin = 0, object_bytes = 0;  ///< no bytes: none is known
  std::string object_name;                           ///< of a variable
  std::string object_place;                          ///< of the allocation
};

Diagnosis describe(const ConflictWords& conflict);

}  // namespace wavetank::check
