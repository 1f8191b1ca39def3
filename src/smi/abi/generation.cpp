#include "smi/abi/generation.hpp"

#include <dlfcn.h>

namespace wavetank::smi::abi {

Layout layout_of_process() {
  if (generation.layout != Layout::kRocm6) return generation.layout;
  void* hip = dlopen("libamdhip64.so.5", RTLD_NOW | RTLD_NOLOAD);
  if (hip == nullptr) return Layout::kRocm6;
  dlclose(hip);
  return Layout::kRocm5;
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
