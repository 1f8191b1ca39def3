// Which of AMD's releases a library stands for: the one thing that librocm_smi64.so.1 and .so.7 do
// not share.
#pragma once

#include "smi/abi/types.hpp"

namespace wavetank::smi::abi {

/// The header that a program was compiled with, as far as its structures differ.
enum class Layout : std::uint8_t { kRocm5, kRocm6, kRocm7 };

/// Defined once in each shared library.
struct Generation {
  Layout layout;
};
extern const Generation generation;

/// The layout of this process. Debian gave soname .1 to ROCm 5.2 and to 6.4: there the HIP runtime
/// that the process has loaded (.so.5 or not) tells which header it was built with.
Layout layout_of_process();

/// What rsmi_version_get says for a layout: the versions in Debian's packages of those releases.
Version version_of(Layout layout);

}  // namespace wavetank::smi::abi
