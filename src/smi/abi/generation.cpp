#include "smi/abi/generation.hpp"

#include "smi/process_runtime.hpp"

namespace wavetank::smi::abi {

Layout layout_of_process() {
  if (generation.layout != Layout::kRocm6) return generation.layout;
  return has_runtime_of_rocm5() ? Layout::kRocm5 : Layout::kRocm6;
}

Version version_of(Layout layout) {
  switch (layout) {
    case Layout::kRocm5: return {1, 0, 0, "0"};
    case Layout::kRocm6: return {7, 6, 0, "0"};
    case Layout::kRocm7: break;
  }
  return {7, 8, 0, "0"};
}

}  // namespace wavetank::smi::abi
