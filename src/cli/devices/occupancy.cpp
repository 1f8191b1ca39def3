// wavetank occupancy: the calculator, and the tables behind it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "target/builtin_devices.hpp"
#include "target/load_device.hpp"
#include "target/occupancy.hpp"

namespace wavetank::cli {
namespace {

using target::Device;
using target::Limiter;
using target::Occupancy;
using target::ResourceLimit;
using target::Resources;

struct OccupancyOptions {
  std::string device = "mi210";
  Resources resources{.workgroup_work_items = 256};
  bool allocation_rule = false;
  bool table = false;
  bool json = false;
};

std::string used_text(const ResourceLimit& limit) {
  switch (limit.resource) {
    case Limiter::kLds: return fmt::format("{} bytes", limit.used);
    case Limiter::kWaveSlots: return count_text(limit.used, "wave");
    default: return std::to_string(limit.used);
  }
}

std::string allocated_text(const ResourceLimit& limit) {
  if (limit.resource == Limiter::kWaveSlots || limit.resource == Limiter::kBarriers) return "";
  return std::to_string(limit.allocated);
}

/// What stands in the last column: what one more workgroup would take.
std::string give_up_text(const ResourceLimit& limit, const Occupancy& answer) {
  if (answer.waves_per_cu == answer.max_waves_per_cu) return "";
  if (!limit.give_up) return "no amount is enough";
  if (*limit.give_up == 0) return "has room";
  switch (limit.resource) {
    case Limiter::kLds: return fmt::format("give up {} bytes", *limit.give_up);
    case Limiter::kVgpr: return fmt::format("give up {}", count_text(*limit.give_up, "VGPR"));
    case Limiter::kSgpr: return fmt::format("give up {}", count_text(*limit.give_up, "SGPR"));
    default: return "";
  }
}

/// The first line: the answer.
std::string verdict(const Occupancy& o) {
  if (o.workgroups_per_cu == 0) {
    return fmt::format("a workgroup of {} does not fit on a compute unit: limited by {}",
                       count_text(o.waves_per_workgroup, "wave"), to_text(o.limiter));
  }
  std::string text = fmt::format("{} of {} waves per compute unit ({:.4g} %), {} per SIMD",
                                 o.waves_per_cu, o.max_waves_per_cu,
                                 100.0 * o.waves_per_cu / o.max_waves_per_cu, o.waves_per_simd);
  if (o.waves_per_cu < o.max_waves_per_cu) {
    text += fmt::format("; limited by {}", to_text(o.limiter));
  }
  return text;
}

/// The least that gains a workgroup, as a sentence; empty if nothing can.
std::string advice(const Occupancy& o) {
  if (o.waves_per_cu == o.max_waves_per_cu) return "Every wave slot is in use.";
  std::string list;
  for (const ResourceLimit& limit : o.limits) {
    if (!limit.give_up) {
      if (limit.resource == o.limiter || limit.workgroups_per_cu <= o.workgroups_per_cu) {
        return "No smaller kernel gains a workgroup of this size; try another workgroup size.";
      }
      continue;
    }
    if (*limit.give_up == 0) continue;
    list += list.empty() ? "" : " and ";
    list += limit.resource == Limiter::kLds
                ? fmt::format("{} bytes of LDS", *limit.give_up)
                : count_text(*limit.give_up, limit.resource == Limiter::kVgpr ? "VGPR" : "SGPR");
  }
  const unsigned gained = std::min(o.waves_per_cu + o.waves_per_workgroup, o.max_waves_per_cu);
  return fmt::format("One more workgroup ({} waves) needs {} less.", gained, list);
}

Json limit_json(const ResourceLimit& limit) {
  Json json = {{"resource", to_text(limit.resource)},
               {"used", limit.used},
               {"allocated", limit.allocated},
               {"waves_per_simd", limit.waves_per_simd},
               {"workgroups_per_cu", limit.workgroups_per_cu},
               {"give_up_for_one_more_workgroup", nullptr}};
  if (limit.give_up) json["give_up_for_one_more_workgroup"] = *limit.give_up;
  return json;
}

Json to_json(const Device& device, const Occupancy& o) {
  Json json = {{"device", device.name},
               {"waves_per_workgroup", o.waves_per_workgroup},
               {"workgroups_per_cu", o.workgroups_per_cu},
               {"waves_per_cu", o.waves_per_cu},
               {"max_waves_per_cu", o.max_waves_per_cu},
               {"waves_per_simd", o.waves_per_simd},
               {"compiler_waves_per_simd", o.compiler_waves_per_simd},
               {"limiter", to_text(o.limiter)},
               {"resources", Json::array()}};
  for (const ResourceLimit& limit : o.limits) json["resources"].push_back(limit_json(limit));
  return json;
}

/// What the compiler prints when that is another number, and why.
std::string compiler_note(const Device& device, const Resources& r, const Occupancy& o) {
  std::string text;
  if (o.compiler_waves_per_simd != o.waves_per_simd) {
    text += fmt::format(
        "The compiler's remark says {} waves per SIMD: it does not count whole "
        "workgroups.\n",
        o.compiler_waves_per_simd);
  }
  const unsigned compiler = waves_by_sgprs(device, r.sgprs, target::SgprRule::kCompiler);
  const unsigned allocation = waves_by_sgprs(device, r.sgprs, target::SgprRule::kAllocation);
  if (compiler != allocation) {
    text += fmt::format(
        "{} SGPRs: the compiler's rule admits {} waves per SIMD, the register "
        "file in 16s {} (--sgpr-allocation).\n",
        r.sgprs, compiler, allocation);
  }
  return text;
}

int calculate(const Device& device, const OccupancyOptions& options) {
  Resources resources = options.resources;
  if (options.allocation_rule) resources.sgpr_rule = target::SgprRule::kAllocation;
  const Result<Occupancy> answer = occupancy(device, resources);
  if (!answer) return report(answer.error());
  if (options.json) {
    print_json(to_json(device, *answer));
    return kOk;
  }
  const Style style(Stream::kStdout);
  std::printf("%s\n\n", style.bold(verdict(*answer)).c_str());
  Table table;
  table.column("resource", Table::Align::kLeft);
  table.column("used");
  table.column("allocated");
  table.column("workgroups");
  table.column("waves/SIMD");
  table.column("for one more workgroup", Table::Align::kLeft);
  for (const ResourceLimit& limit : answer->limits) {
    table.row({std::string(to_text(limit.resource)), used_text(limit), allocated_text(limit),
               std::to_string(limit.workgroups_per_cu), std::to_string(limit.waves_per_simd),
               give_up_text(limit, *answer)});
  }
  std::printf("%s\n%s\n%s", table.to_text(style).c_str(), advice(*answer).c_str(),
              compiler_note(device, resources, *answer).c_str());
  return kOk;
}

Json table_json(const Device& device) {
  Json json;
  for (unsigned waves = device.wave_slots_per_simd; waves > 0; --waves) {
    json["vgprs"].push_back({{"max_vgprs", max_vgprs_for_waves(device, waves)},
                             {"waves_per_simd", waves},
                             {"waves_per_cu", waves * device.simds_per_cu}});
  }
  for (unsigned workgroups : {1, 2, 3, 4, 5, 6, 7, 8, 16, 32}) {
    const unsigned bytes =
        device.lds_bytes_per_cu / workgroups / device.lds_granule_bytes * device.lds_granule_bytes;
    json["lds"].push_back({{"max_bytes", bytes}, {"workgroups_per_cu", workgroups}});
  }
  return json;
}

int print_tables(const Device& device, bool as_json) {
  const Json json = table_json(device);
  if (as_json) {
    print_json(json);
    return kOk;
  }
  const Style style(Stream::kStdout);
  Table vgprs;
  vgprs.column("Num VGPRs");
  vgprs.column("Occupancy per SIMD");
  vgprs.column("Occupancy per CU");
  for (const Json& row : json["vgprs"]) {
    vgprs.row({fmt::format("<= {}", row["max_vgprs"].get<unsigned>()),
               count_text(row["waves_per_simd"].get<unsigned>(), "wave"),
               count_text(row["waves_per_cu"].get<unsigned>(), "wave")});
  }
  Table lds;
  lds.column("LDS per workgroup");
  lds.column("Workgroups per CU");
  for (const Json& row : json["lds"]) {
    lds.row({fmt::format("<= {} bytes", row["max_bytes"].get<unsigned>()),
             std::to_string(row["workgroups_per_cu"].get<unsigned>())});
  }
  std::printf("%s, %s: VGPRs count ArchVGPRs and AccVGPRs together.\n\n%s\n%s", device.name.c_str(),
              device.gfx().c_str(), vgprs.to_text(style).c_str(), lds.to_text(style).c_str());
  std::printf(
      "\nSGPRs: up to 100 admit 8 waves per SIMD, more 7 (the compiler's rule).\n"
      "Wave slots: %u per SIMD, %u per CU; workgroups of several waves: %u per CU.\n",
      device.wave_slots_per_simd, device.wave_slots_per_simd * device.simds_per_cu,
      device.barriers_per_cu);
  return kOk;
}

}  // namespace

void add_occupancy(CommandLine& line) {
  Command command =
      line.add("occupancy", "How many waves fit, what limits them, what would gain one",
               "wavetank occupancy --vgprs 74 --lds 65536 --workgroup 128\n"
               "wavetank occupancy --vgprs 128 --agprs 64 --device mi300x\n"
               "wavetank occupancy --table");
  auto options = std::make_shared<OccupancyOptions>();
  Resources& r = options->resources;
  command.value("--vgprs N", r.arch_vgprs, "ArchVGPRs of a wave");
  command.value("--agprs N", r.acc_vgprs, "AccVGPRs of a wave");
  command.value("--sgprs N", r.sgprs, "SGPRs of a wave, with VCC, as the compiler counts them");
  command
      .value("--lds BYTES", r.lds_bytes,
             "LDS of a workgroup, static and dynamic; in bytes, or as 48KiB")
      .bytes();
  command.value("--workgroup N", r.workgroup_work_items,
                "Work-items of a workgroup; otherwise 256");
  command.value("--device DEVICE", options->device,
                target::builtin_device_list() + " or a .toml file; otherwise " + options->device);
  command.flag("--sgpr-allocation", options->allocation_rule,
               "Limit SGPRs by the register file in 16s instead of the compiler's rule");
  command.flag("--table", options->table, "Print the VGPR and LDS tables of the device");
  command.flag("--json", options->json, "Print JSON");
  command.does([=] {
    const Result<Device> device = target::load_device(options->device);
    if (!device) return report(device.error());
    return options->table ? print_tables(*device, options->json) : calculate(*device, *options);
  });
}

}  // namespace wavetank::cli
