#include "dispatch/program_cache.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "dispatch/apertures.hpp"

namespace wavetank::dispatch {
namespace {

/// Errors: kBadElf when the entry is in no executable segment.
Result<execute::ProgramSpec> spec_of(const Launch& launch, const isa::Target& target) {
  const code_object::CodeObject& object = launch.code->object;
  const code_object::KernelDescriptor& descriptor = launch.kernel->descriptor;
  execute::ProgramSpec spec;
  spec.target = &target;
  const code_object::Segment* const text = executable_segment(*launch.code, launch.entry_address());
  if (text == nullptr) {
    return fail(ErrorCode::kBadElf, "the kernel's entry lies in no executable segment",
                fmt::format("kernel \"{}\"", launch.kernel->name));
  }
  spec.code = launch.code->address_of(text->address);
  spec.code_bytes = text->memory_size_bytes;
  spec.entry = launch.entry_address() + (descriptor.kernarg_preload_dwords != 0 ? 256 : 0);
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

}  // namespace

void CalledCode::add(const std::shared_ptr<const code_object::LoadedCodeObject>& object) {
  const std::lock_guard lock(mutex_);
  objects_.push_back(object);
}

bool CalledCode::is_loaded(const LoadedCode& loaded) const {
  const std::lock_guard lock(mutex_);
  return std::ranges::all_of(objects_, [&](const auto& one) {
    const auto object = one.lock();
    return object != nullptr && loaded.lists(*object);
  });
}

const std::vector<std::uint8_t>& TranslatedKernel::used_argument_bits(
    const code_object::Kernel& kernel) {
  std::call_once(asked_for_arguments, [&] {
    const auto at = code_object::argument_registers(kernel.descriptor);
    const std::size_t bytes = kernel.explicit_kernarg_bytes();
    const bool by_pointer = at.pointer != at.kNone && at.preloaded_dwords == 0;
    argument_bits = by_pointer ? program->used_argument_bits(at.pointer, bytes)
                               : std::vector<std::uint8_t>(bytes, 0xff);
  });
  return argument_bits;
}

Result<std::shared_ptr<TranslatedKernel>> ProgramCache::translate(const Launch& launch) const {
  auto spec = spec_of(launch, target_);
  if (!spec) return tl::unexpected(spec.error());
  auto kernel = std::make_shared<TranslatedKernel>();
  kernel->called = std::make_shared<CalledCode>();
  spec->find_code = [this, called = kernel->called](std::uint64_t address) -> execute::CodeRange {
    const LoadedSegment found = loaded_.at(address);
    if (found.object == nullptr) return {};
    called->add(found.object);
    return {found.object->address_of(found.segment->address), found.segment->memory_size_bytes};
  };
  auto program = execute::Program::translate(*spec);
  if (program) {
    kernel->program = std::move(*program);
    return kernel;
  }
  Error error = program.error();
  error.where = fmt::format("kernel \"{}\"{}{}", launch.kernel->name,
                            error.where.empty() ? "" : ", ", error.where);
  error.note = "stopped before running, nothing was written";
  return tl::unexpected(error);
}

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
  if (entry->kernel != nullptr && entry->kernel->called->is_loaded(loaded_)) return entry->kernel;
  auto kernel = translate(launch);
  if (kernel) entry->kernel = *kernel;
  return kernel;
}

}  // namespace wavetank::dispatch
