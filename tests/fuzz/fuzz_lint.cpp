// Lints of kernels from arbitrary bytes: the first say what the kernel claims of itself, the others
// are its code.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "fuzz_input.hpp"
#include "lint/lint.hpp"
#include "target/load_device.hpp"

namespace {

using namespace wavetank;

const target::Device& device_of(const isa::Target& target) {
  static const auto gfx90a = target::load_device("mi210"), gfx942 = target::load_device("mi300x");
  return target == isa::kGfx90a ? *gfx90a : *gfx942;
}

code_object::Kernel kernel_of(fuzz::Input& input) {
  code_object::Kernel kernel;
  const std::uint8_t flags = input.byte();
  kernel.descriptor.private_segment_buffer = (flags & 1) != 0;
  kernel.descriptor.kernarg_segment_ptr = (flags & 2) != 0;
  kernel.descriptor.dispatch_ptr = (flags & 4) != 0;
  kernel.descriptor.kernarg_preload_dwords = (flags & 8) != 0 ? 16 : 0;
  kernel.descriptor.accum_offset = 4 + 4 * (input.byte() & 63);
  kernel.vgpr_count = input.byte() * 2u;
  kernel.agpr_count = input.byte();
  kernel.sgpr_count = input.byte() & 127;
  kernel.vgpr_spill_count = input.byte();
  kernel.group_segment_bytes = 256u * input.byte();
  kernel.max_flat_workgroup_size = input.any<std::uint32_t>({0, 1, 64, 256, 1024, 5000});
  for (std::uint32_t i = 0; i < 4; ++i) {
    kernel.arguments.push_back({"", code_object::ArgumentKind::kGlobalBuffer, 8 * i, 8});
  }
  return kernel;
}

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t kKernelBytes = 16;
  if (size < kKernelBytes) return 0;
  fuzz::Input input(std::span(data, kKernelBytes));
  const isa::Target& target = *input.any({&isa::kGfx90a, &isa::kGfx942});
  const code_object::Kernel kernel = kernel_of(input);
  std::vector<std::uint32_t> words((size - kKernelBytes) / 4);
  if (words.empty()) return 0;
  std::memcpy(words.data(), data + kKernelBytes, 4 * words.size());
  const encoding::Decoder& decoder = encoding::decoder_of(target);
  auto code = lint::decode_words(words, kernel.descriptor.accum_offset, decoder);
  if (!code) return 0;
  const lint::KernelLint found =
      lint::lint_code(std::move(*code), kernel, device_of(target), target);
  for (const lint::Finding& finding : found.findings) {
    require(finding.rule != nullptr && !finding.what.empty());
    require(finding.step < found.code.size());
    for (const std::uint32_t step : finding.others) require(step < found.code.size());
  }
  return 0;
}
