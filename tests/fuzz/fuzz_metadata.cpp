// The MessagePack notes of a code object, and the printf formats in them, from arbitrary bytes.
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

using namespace wavetank::code_object;

void check(const Metadata& metadata) {
  for (const Kernel& kernel : metadata.kernels) {
    for (const Argument& argument : kernel.arguments) {
      require(std::uint64_t{argument.offset_bytes} + argument.size_bytes <=
              kernel.kernarg_size_bytes);
    }
  }
}

/// What is merged is what its notes said, and saying it once more adds nothing.
void check_merged(const Metadata& first, const Metadata& second) {
  const auto merged = merge_metadata({first, second});
  if (!merged) return require(!merged.error().message.empty());
  check(*merged);
  require(merged->kernels.size() <= first.kernels.size() + second.kernels.size());
  const auto again = merge_metadata({*merged, second, first});
  require(again && again->kernels == merged->kernels &&
          again->printf_formats == merged->printf_formats);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  // One note, and then two: the last byte says where the second begins.
  const std::size_t half = size == 0 ? 0 : size * data[size - 1] / 256;
  const auto all = read_metadata(bytes);
  const auto rest = read_metadata(bytes.subspan(half));
  if (!all) require(!all.error().message.empty());
  if (all) check(*all);
  if (all && rest) check_merged(*all, *rest);
  (void)read_printf_format({reinterpret_cast<const char*>(data), size});
  return 0;
}
