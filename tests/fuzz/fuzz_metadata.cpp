// The MessagePack note of a code object, and the printf formats in it, from arbitrary bytes.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "code_object/metadata.hpp"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wavetank::code_object;
  const auto bytes = std::as_bytes(std::span(data, size));
  if (const auto metadata = read_metadata(bytes)) {
    for (const Kernel& kernel : metadata->kernels) {
      for (const Argument& argument : kernel.arguments) {
        require(std::uint64_t{argument.offset_bytes} + argument.size_bytes <=
                kernel.kernarg_size_bytes);
      }
    }
  } else {
    require(!metadata.error().message.empty());
  }
  (void)read_printf_format({reinterpret_cast<const char*>(data), size});
  return 0;
}
