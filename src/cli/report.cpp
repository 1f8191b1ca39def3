// wavetank report: the views of a profiled run.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/profile_views.hpp"

namespace wavetank::cli {
namespace {

struct Options {
  std::string file;
  std::string kernel;
  std::string terms = "hip";
};

int show(const Options& options) {
  const Result<report::TextOptions> text = text_options(options.terms);
  if (!text) return report(text.error());
  const Result<LoadedProfile> loaded = load_profile(options.file);
  if (!loaded) return report(loaded.error());
  print_screens(*loaded, options.kernel, *text);
  return kOk;
}

}  // namespace

void add_report(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "report", "Show a profiled run again, or in other formats",
                                  "wavetank report app.wt\n"
                                  "wavetank report app.wt --kernel transpose --terms cuda");
  auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "A file of `wavetank profile`")
      ->required()
      ->option_text(" ");
  command->add_option("--kernel", options->kernel, "Only kernels whose name contains this")
      ->option_text("TEXT");
  command->add_option("--terms", options->terms, "Words of hip, cuda or vulkan")
      ->option_text("WORDS");
  command->callback([=, &exit_code] { exit_code = show(*options); });
}

}  // namespace wavetank::cli
