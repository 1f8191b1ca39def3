// wavetank diff: what changed between two profiled runs, and why.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/profile/profile_views.hpp"
#include "report/diff.hpp"
#include "report/kernel_json.hpp"

namespace wavetank::cli {
namespace {

struct DiffOptions {
  std::string before;
  std::string after;
  std::string terms = "hip";
  bool json = false;
};

/// Both runs' kernels as `wavetank report --json` has them, in pairs.
void print_pairs(const std::vector<report::KernelPair>& pairs, const LoadedProfile& before,
                 const LoadedProfile& after) {
  const JudgedGroups old = judge_groups(before, ""), now = judge_groups(after, "");
  Json json = Json::array();
  for (const report::KernelPair& pair : pairs) {
    json.push_back({{"before", report::kernel_json(before.file, old.groups[pair.before])},
                    {"after", report::kernel_json(after.file, now.groups[pair.after])}});
  }
  print_json({{"kernels", std::move(json)}});
}

int diff(const DiffOptions& options) {
  const Result<report::TextOptions> text = text_options(options.terms);
  if (!text) return report(text.error());
  const Result<LoadedProfile> before = load_profile(options.before);
  if (!before) return report(before.error());
  const Result<LoadedProfile> after = load_profile(options.after);
  if (!after) return report(after.error());
  const auto pairs = report::pair_kernels(before->file.launches, before->groups,
                                          after->file.launches, after->groups);
  if (pairs.empty()) {
    return report({ErrorCode::kFileUnreadable, "a run without launches has nothing to compare"});
  }
  if (options.json) {
    print_pairs(pairs, *before, *after);
    return kOk;
  }
  bool first = true;
  for (const report::KernelPair& pair : pairs) {
    const auto& a = before->file.launches[before->groups[pair.before].shown];
    const auto& b = after->file.launches[after->groups[pair.after].shown];
    const std::string shown =
        report::kernel_diff(a, b, before->device_of(a), after->device_of(b), *text);
    std::printf("%s%s", first ? "" : "\n", shown.c_str());
    first = false;
  }
  return kOk;
}

}  // namespace

void add_diff(CommandLine& line) {
  Command command = line.add("diff", "Explain the change between two profiled runs",
                             "wavetank profile -o before.wt ./transpose\n"
                             "wavetank profile -o after.wt ./transpose_tiled\n"
                             "wavetank diff before.wt after.wt");
  auto options = std::make_shared<DiffOptions>();
  command.argument("BEFORE", options->before, "A file of `wavetank profile`").required();
  command.argument("AFTER", options->after, "Another").required();
  command.value("--terms WORDS", options->terms, "Words of hip, cuda or vulkan");
  command.flag("--json", options->json, "Print both sides of each kernel as JSON");
  command.does([=] { return diff(*options); });
}

}  // namespace wavetank::cli
