#include "dispatch/program_cache.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wavetank::dispatch {
namespace {

/// Errors: kBadElf when the entry is in no executable segment.
Result<execute::ProgramSpec> spec_of(const Launch& launch, isa::Targets target) {
  const code_object::CodeObject& object = launch.code->object;
  const code_object::KernelDescriptor& descriptor = launch.kernel->descriptor;
  execute::ProgramSpec spec;
  spec.target = target;
  const auto text =
      std::find_if(object.segments.begin(), object.segments.end(), [&](const auto& s) {
        return s.executable && launch.kernel->entry_address >= s.address &&
               launch.kernel->entry_address < s.address + s.memory_size_bytes;
      });
  if (text == object.segments.end()) {
    return fail(ErrorCode::kBadElf, "the kernel's entry lies in no executable segment",
                fmt::format("kernel \"{}\"", launch.kernel->name));
  }
  spec.code = launch.code->address_of(text->address);
  spec.code_bytes = text->memory_size_bytes;
  const std::uint64_t entry =
      launch.kernel->entry_address + (descriptor.kernarg_preload_dwords != 0 ? 256 : 0);
  spec.entry = reinterpret_cast<std::uint64_t>(launch.code->address_of(entry));
  for (const code_object::Symbol& symbol : object.symbols) {
    if (symbol.kind == code_object::Symbol::Kind::kFunction && symbol.address >= text->address &&
        symbol.address < text->address + text->memory_size_bytes) {
      spec.functions.push_back(
          reinterpret_cast<std::uint64_t>(launch.code->address_of(symbol.address)));
    }
  }
  spec.vgpr_count = descriptor.vgpr_count;
  spec.accum_offset = descriptor.accum_offset;
  spec.shared_aperture = kSharedAperture;
  spec.private_aperture = kPrivateAperture;
  return spec;
}

Result<std::shared_ptr<execute::Program>> translate(const Launch& launch, isa::Targets target) {
  const auto spec = spec_of(launch, target);
  if (!spec) return tl::unexpected(spec.error());
  auto program = execute::Program::translate(*spec);
  if (program) return program;
  Error error = program.error();
  error.where = fmt::format("kernel \"{}\"{}{}", launch.kernel->name,
                            error.where.empty() ? "" : ", ", error.where);
  error.note = "stopped before running, nothing was written";
  return tl::unexpected(error);
}

}  // namespace

std::shared_ptr<ProgramCache::Entry> ProgramCache::entry_of(const Launch& launch) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Entry>& entry = entries_[{launch.code.get(), launch.kernel}];
  const auto is_current = [&] {
    return !entry->code.owner_before(launch.code) && !launch.code.owner_before(entry->code);
  };
  if (entry != nullptr && is_current()) return entry;
  entry = std::make_shared<Entry>();
  entry->code = launch.code;
  const std::shared_ptr<Entry> result = entry;
  std::erase_if(entries_, [](const auto& other) { return other.second->code.expired(); });
  return result;
}

Result<std::shared_ptr<TranslatedKernel>> ProgramCache::kernel_of(const Launch& launch) {
  const std::shared_ptr<Entry> entry = entry_of(launch);
  const std::lock_guard lock(entry->mutex);
  if (entry->kernel != nullptr) return entry->kernel;
  auto program = translate(launch, target_);
  if (!program) return tl::unexpected(program.error());
  entry->kernel = std::make_shared<TranslatedKernel>();
  entry->kernel->program = std::move(*program);
  return entry->kernel;
}

}  // namespace wavetank::dispatch
