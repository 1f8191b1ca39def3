#include "cli/lint/run.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <thread>

#include "cli/code/isa_view.hpp"
#include "cli/code/kernel_report.hpp"
#include "encoding/disassembler.hpp"
#include "lint/lint.hpp"
#include "target/load_device.hpp"
#include "toolchain/source_lines.hpp"

namespace wavetank::cli {
namespace {

using code_object::CodeObject;
using code_object::Kernel;

/// Kernels of one code object, each looked at once, by any thread.
class ObjectLint {
 public:
  ObjectLint(const CodeObject& object, const target::Device& device, const isa::Target& target,
             const std::vector<const Kernel*>& kernels)
      : object_(object),
        device_(device),
        decoder_(target),
        kernels_(kernels),
        linted_(kernels.size()) {}

  /// Looks at all.
  void run() {
    const std::size_t threads =
        std::min<std::size_t>(kernels_.size(), std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < threads; ++i) helpers.emplace_back([this] { look(); });
    look();
  }

  void add_to(LintRun& run) {
    for (auto& linted : linted_) {
      if (!linted) continue;
      if (*linted) {
        run.kernels.push_back(std::move(**linted));
      } else {
        run.refused.push_back(std::move(linted->error()));
      }
    }
  }

 private:
  void look() {
    for (std::size_t i; (i = next_.fetch_add(1)) < kernels_.size();)
      linted_[i] = look_at(*kernels_[i]);
  }

  Result<LintedKernel> look_at(const Kernel& kernel) const {
    Result<lint::KernelLint> found = lint::lint_kernel(object_, kernel, device_, decoder_);
    if (!found) {
      found.error().where = demangled(kernel.name);
      return tl::unexpected(std::move(found.error()));
    }
    LintedKernel linted{
        demangled(kernel.name), kernel.name, object_.target.to_text(), {}, found->values_unknown};
    for (lint::Finding& finding : found->findings) {
      const std::string_view remedy = finding.rule->remedy;
      LintFinding one{finding.rule,
                      std::move(finding.what),
                      std::move(finding.note),
                      finding.remedy.empty() ? std::string(remedy) : std::move(finding.remedy),
                      finding.loop_depth,
                      finding.of_kernel,
                      {}};
      one.places.push_back(place_of(kernel, found->code, finding.step));
      for (const std::uint32_t step : finding.others) {
        one.places.push_back(place_of(kernel, found->code, step));
      }
      linted.findings.push_back(std::move(one));
    }
    return linted;
  }

  LintPlace place_of(const Kernel& kernel, const lint::Code& code, std::uint32_t step) const {
    const std::uint64_t address = code.addresses[step];
    return {address,
            address - kernel.entry_address,
            encoding::disassemble(code.instructions[step], decoder_.target()),
            {}};
  }

  const CodeObject& object_;
  const target::Device& device_;
  const encoding::Decoder decoder_;
  const std::vector<const Kernel*>& kernels_;
  std::vector<std::optional<Result<LintedKernel>>> linted_;
  std::atomic<std::size_t> next_ = 0;
};

/// The device of a processor, whose file is read once: libraries have hundreds of code objects.
const Result<target::Device>& device_for(const std::string& processor) {
  static auto& known = *new std::map<std::string, Result<target::Device>>();
  const auto found = known.find(processor);
  if (found != known.end()) return found->second;
  return known.emplace(processor, target::default_device_for(processor)).first->second;
}

/// Looks up the lines of kernels from number `first` on.
void add_sources(const CodeObject& object, std::size_t first, LintRun& run) {
  if (!toolchain::has_debug_information(object.image)) return;
  std::vector<LintPlace*> places;
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = first; i < run.kernels.size(); ++i) {
    for (LintFinding& finding : run.kernels[i].findings) {
      for (LintPlace& place : finding.places) {
        places.push_back(&place);
        addresses.push_back(place.address);
      }
    }
  }
  if (addresses.empty()) return;
  std::vector<SourceLine> lines = toolchain::source_lines_as_known(object.image, addresses);
  for (std::size_t i = 0; i < places.size(); ++i) places[i]->source = std::move(lines[i]);
}

}  // namespace

std::size_t LintRun::finding_count() const {
  std::size_t count = 0;
  for (const LintedKernel& kernel : kernels) count += kernel.findings.size();
  return count;
}

void lint_kernels(const CodeObject& object, const std::vector<const Kernel*>& kernels,
                  LintRun& run) {
  const Result<target::Device>& device = device_for(object.target.processor);
  const Result<const isa::Target*> target = isa_target(object.target.processor);
  if (!device || !target) {
    run.foreign_kernels += kernels.size();
    return;
  }
  ObjectLint lint(object, *device, **target, kernels);
  lint.run();
  lint.add_to(run);
}

void lint_object(const CodeObject& object, const std::string& wanted, LintRun& run) {
  std::vector<const Kernel*> kernels;
  for (const Kernel& kernel : object.kernels) {
    if (is_called(kernel, wanted)) kernels.push_back(&kernel);
  }
  const std::size_t first = run.kernels.size();
  lint_kernels(object, kernels, run);
  add_sources(object, first, run);
}

}  // namespace wavetank::cli
