#include "lint/lint.hpp"

#include <algorithm>
#include <tuple>

#include "lint/numbering.hpp"
#include "lint/rule_list.hpp"

namespace wavetank::lint {

KernelLint lint_code(Code code, const code_object::Kernel& kernel, const target::Device& device,
                     const isa::Target& target) {
  KernelLint lint;
  lint.code = std::move(code);
  const Blocks blocks = find_blocks(lint.code);
  const std::unique_ptr<Values> values = Numbering::values_of(lint.code, blocks, kernel.descriptor);
  lint.values_unknown = values == nullptr;
  const Subject subject{kernel, device, target, lint.code, blocks, values.get()};
  for (const Rule& rule : rules()) {
    const std::size_t before = lint.findings.size();
    rule.find(subject, lint.findings);
    for (std::size_t i = before; i < lint.findings.size(); ++i) {
      Finding& finding = lint.findings[i];
      finding.rule = &rule;
      finding.loop_depth = blocks.depth_of(finding.step);
    }
  }
  std::ranges::sort(lint.findings, {}, [](const Finding& finding) {
    return std::tuple(finding.step, finding.rule, finding.what);
  });
  return lint;
}

Result<KernelLint> lint_kernel(const code_object::CodeObject& object,
                               const code_object::Kernel& kernel, const target::Device& device,
                               const encoding::Decoder& decoder) {
  Result<Code> code = decode_kernel(object, kernel, decoder);
  if (!code) return tl::unexpected(std::move(code.error()));
  return lint_code(std::move(*code), kernel, device, decoder.target());
}

}  // namespace wavetank::lint
