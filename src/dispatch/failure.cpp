#include "dispatch/failure.hpp"

#include <fmt/format.h>

#include "dispatch/source_line.hpp"
#include "encoding/disassembler.hpp"
#include "execute/program.hpp"

namespace wavetank::dispatch {
namespace {

using machine::Stop;
using machine::Wave;

/// The op to blame: the one that touched memory, or where the wave stands.
const execute::Op* culprit(const Wave& wave) {
  return wave.stop == Stop::kFault ? wave.current : wave.next;
}

/// The instruction as the disassembler prints it.
std::string instruction_text(const Wave& wave, std::uint64_t address) {
  const execute::ProgramSpec& spec = wave.program->spec();
  const std::uint64_t offset = address - wave.program->base();
  const std::span<const std::uint32_t> dwords(
      reinterpret_cast<const std::uint32_t*>(spec.code + offset), (spec.code_bytes - offset) / 4);
  const auto instruction = encoding::Decoder(spec.target).decode(dwords, address);
  return instruction ? encoding::disassemble(*instruction, spec.target) : std::string("?");
}

std::string place_of(const Launch& launch, const Wave& wave) {
  const execute::Op* op = culprit(wave);
  if (op == nullptr) return fmt::format("kernel \"{}\"", launch.kernel->name);
  const std::uint64_t address = wave.program->address_of(op);
  const auto base = reinterpret_cast<std::uint64_t>(launch.code->base);
  const std::uint64_t entry = base + launch.kernel->entry_address;
  std::string text = fmt::format("kernel \"{}\" {} {:#x}", launch.kernel->name,
                                 address < entry ? "-" : "+",
                                 address < entry ? entry - address : address - entry);
  const std::string line = source_line(*launch.code, address - base);
  if (!line.empty()) text += fmt::format("   ({})", line);
  return text + "\n   |  " + instruction_text(wave, address);
}

std::string wave_of(const ResidentGroup& group, const Wave& wave) {
  const Dim3 id = group.workgroup().id;
  std::string text =
      fmt::format("workgroup ({}, {}, {}), wave {}", id.x, id.y, id.z, wave.id_in_group);
  if (wave.stop == Stop::kFault && wave.fault.lane < machine::kLanes) {
    text += fmt::format(", lane {}", wave.fault.lane);
  }
  return text;
}

}  // namespace

Error describe_failure(const Launch& launch, const ResidentGroup& group) {
  const Wave& wave = *group.stopped_wave();
  Error error;
  error.where = place_of(launch, wave);
  error.note = wave_of(group, wave);
  switch (wave.stop) {
    case Stop::kFault:
      error.code = ErrorCode::kMemoryFault;
      error.message = fmt::format("memory access fault: {} at {:#x}", wave.fault.write ? "write" : "read",
                                  wave.fault.address);
      break;
    case Stop::kTrap:
      error.code = ErrorCode::kTrap;
      error.message = "the kernel stopped itself with s_trap 2 (abort, or a failed assert)";
      break;
    default:
      error.code = ErrorCode::kUnsupportedInstruction;
      error.message = "the kernel reached code that cannot run";
      error.help = wave.program->error_text();
      break;
  }
  return error;
}

}  // namespace wavetank::dispatch
