#include "dispatch/failure.hpp"

#include <csetjmp>

#include <fmt/format.h>

#include "dispatch/code_place.hpp"
#include "dispatch/standstill.hpp"
#include "execute/memory/address.hpp"
#include "execute/program.hpp"
#include "machine/neighbour.hpp"

namespace wavetank::dispatch {
namespace {

using machine::Stop;
using machine::Wave;

/// The op to blame: the one that touched memory, or where the wave stands.
const execute::Op* culprit(const Wave& wave) {
  return wave.stop == Stop::kFault ? execute::current_op(wave) : execute::next_op(wave);
}

/// "function "f" + 0x10", by the dynamic symbols; without one the place in the code object.
std::string function_at(const CodePlace& place) {
  using Kind = code_object::Symbol::Kind;
  for (const code_object::Symbol& symbol : place.object->object.symbols) {
    const std::uint64_t offset = place.virtual_address - symbol.address;
    if (symbol.kind == Kind::kFunction && offset < symbol.size_bytes) {
      return fmt::format("function \"{}\" + {:#x}", symbol.name, offset);
    }
  }
  return fmt::format("a function at {:#x}", place.virtual_address);
}

std::string place_of(const GridPlan& plan, std::uint64_t address) {
  const code_object::Kernel& kernel = *plan.launch->kernel;
  const CodePlace place = code_place(plan, address);
  std::string text = fmt::format("kernel \"{}\"", kernel.name);
  if (place.object == nullptr) return text + fmt::format(", unloaded code at {:#x}", address);
  if (place.object == plan.launch->code) {
    text += " " + offset_text(place.virtual_address - kernel.entry_address);
  } else {
    text += fmt::format(", in {} of another code object", function_at(place));
  }
  if (plan.source_lines != nullptr) {
    const std::string line =
        plan.source_lines->of(place.object, {place.virtual_address}).front().short_text();
    if (!line.empty()) text += fmt::format("   ({})", line);
  }
  return text + "\n   |  " + place.disassembly;
}

std::string place_of(const GridPlan& plan, const Wave& wave) {
  const execute::Op* op = culprit(wave);
  if (op == nullptr) return fmt::format("kernel \"{}\"", plan.launch->kernel->name);
  return place_of(plan, execute::program_of(wave).address_of(op));
}

execute::Segment segment_of(const isa::Row& row, const execute::Op* op) {
  using isa::Format;
  if (row.encoding.format == Format::kMubuf || row.encoding.format == Format::kMtbuf) {
    return execute::Segment::kBuffer;
  }
  switch (op->memory.segment) {
    case Format::kGlobal: return execute::Segment::kGlobal;
    case Format::kScratch: return execute::Segment::kScratch;
    default: return execute::Segment::kFlat;
  }
}

/// Does this lane's access of the faulting op touch `address`? Lanes that may not be looked at
/// leave through fault_exit, as when they run.
bool lane_touches(Wave& wave, const execute::Op* op, unsigned lane, std::uint64_t address) {
  const isa::Row& row = execute::row_of(*op);
  const unsigned bytes = row.memory.element_bytes;
  std::jmp_buf exit;
  wave.fault_exit = &exit;
  if (setjmp(exit) != 0) return false;
  const execute::Element element = execute::element_of(wave, op, segment_of(row, op), lane, bytes);
  const auto first = reinterpret_cast<std::uint64_t>(element.host);
  return element.host != nullptr && address >= first && address < first + bytes;
}

/// The lane of a fault that the host's page tables found; they only know the address.
void find_lane(Wave& wave) {
  const execute::Op* op = execute::current_op(wave);
  if (op == nullptr || wave.fault.lane < machine::kLanes) return;
  const isa::Row& row = execute::row_of(*op);
  if (row.unit != isa::Unit::kFlat && row.unit != isa::Unit::kVectorMemory) return;
  if (row.encoding.format == isa::Format::kMimg) return;  // the place is behind a resource
  const machine::Fault fault = wave.fault;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    const bool active = ((wave.exec() >> lane) & 1) != 0;
    const bool found = active && lane_touches(wave, op, lane, fault.address);
    wave.fault = fault;
    if (!found) continue;
    wave.fault.lane = lane;
    return;
  }
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

/// Adds what lies near the address that the wave may not touch, and who finds out more.
void add_neighbour(const machine::Environment& environment, std::uint64_t address, Error& error) {
  const machine::DeviceMemory& memory = *environment.memory;
  const std::string near = machine::neighbour_text(memory, address);
  if (!near.empty()) error.where += "\n   |  " + near;
  const bool is_checked = environment.listener != nullptr;
  if (is_checked || address < memory.arena_begin() || address >= memory.arena_end()) return;
  error.help = "`wavetank check` finds the first access out of bounds, also within the last page";
}

}  // namespace

Error describe_failure(const GridPlan& plan, const ResidentGroup& group) {
  Wave& wave = *group.stopped_wave();
  if (wave.stop == Stop::kFault) find_lane(wave);
  Error error;
  error.where = place_of(plan, wave);
  error.note = wave_of(group, wave);
  switch (wave.stop) {
    case Stop::kFault:
      error.code = ErrorCode::kMemoryFault;
      error.message = fmt::format("memory access fault: {} at {:#x}",
                                  wave.fault.write ? "write" : "read", wave.fault.address);
      add_neighbour(*wave.environment, wave.fault.address, error);
      break;
    case Stop::kTrap:
      error.code = ErrorCode::kTrap;
      error.message = "the kernel stopped itself with s_trap (abort, or a failed assert)";
      break;
    default:
      error.code = ErrorCode::kUnsupportedInstruction;
      error.message = "the kernel reached code that cannot run";
      error.help = execute::program_of(wave).error_text();
      break;
  }
  return error;
}

Error describe_dropped_atomic(const GridPlan& plan, std::uint64_t address) {
  Error warning;
  warning.code = ErrorCode::kDroppedAtomic;
  warning.message = "a float atomic on fine-grained memory has no effect on this device";
  warning.where = place_of(plan, address);
  warning.note = "memory keeps its value and the result is 0, as on an MI200";
  warning.help = "`wavetank explain E0130` says which memory is fine-grained and what to do";
  return warning;
}

Error describe_standstill(const GridPlan& plan, const ResidentGroup& group, const Wave& wave,
                          bool alone) {
  Error warning;
  warning.code = ErrorCode::kStandstill;
  warning.message = fmt::format("the launch has waited for {} s: none of its waves gets further",
                                LongStandstill::kLong.count());
  warning.where = place_of(plan, wave);
  warning.note = wave_of(group, wave) + ", goes round in a loop";
  if (plan.program->polls()) warning.note += " that asks memory";
  warning.help =
      alone ? "`wavetank explain E0131` has the usual causes; a profiled launch runs alone, "
              "so only the host can store what it waits for"
            : "`wavetank explain E0131` has the usual causes; it goes on if the host, another "
              "stream or another device stores what it waits for";
  return warning;
}

}  // namespace wavetank::dispatch
