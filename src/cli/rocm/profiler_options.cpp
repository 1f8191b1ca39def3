#include "cli/rocm/profiler_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "cli/rocm/yaml_jobs.hpp"

namespace wavetank::cli {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

tl::unexpected<Error> usage(std::string message) {
  return fail(ErrorCode::kUsage, "rocprofv3: " + std::move(message), {},
              "rocprofv3 --kernel-trace -d DIR -- ./app");
}

/// Traces of what is not modelled: asking for them is no error, they are only not there.
constexpr std::array kOtherTraces = {"--hip-trace",
                                     "--hip-runtime-trace",
                                     "--hip-compiler-trace",
                                     "--hsa-trace",
                                     "--hsa-core-trace",
                                     "--hsa-amd-trace",
                                     "--hsa-image-trace",
                                     "--hsa-finalizer-trace",
                                     "--marker-trace",
                                     "--memory-copy-trace",
                                     "--memory-allocation-trace",
                                     "--scratch-memory-trace",
                                     "--rccl-trace",
                                     "--kokkos-trace"};
/// Options that are about how the profiler works or prints, which changes no file.
constexpr std::array kNoEffect = {"-S",
                                  "--summary",
                                  "-D",
                                  "--summary-per-domain",
                                  "--kernel-rename",
                                  "--suppress-marker-preload"};
constexpr std::array kNoEffectWithValue = {"--log-level", "--summary-output-file", "-u",
                                           "--summary-units"};

template <std::size_t n>
bool is_one_of(const std::array<const char*, n>& list, const std::string& word) {
  return std::ranges::any_of(list, [&](const char* each) { return word == each; });
}

/// What --runtime-trace and --sys-trace ask for beside kernels.
constexpr std::array kWithRuntimeTrace = {"--hip-trace", "--marker-trace", "--rccl-trace",
                                          "--memory-copy-trace", "--scratch-memory-trace"};

bool is_runtime_trace(const std::string& word) { return word == "-r" || word == "--runtime-trace"; }

bool is_system_trace(const std::string& word) { return word == "-s" || word == "--sys-trace"; }

/// Words up to the next option, split at commas; `at` is left on the last of them.
Words values(const Words& words, std::size_t& at) {
  Words result;
  while (at + 1 < words.size() && !words[at + 1].starts_with('-')) {
    for (std::string& word : split_at_commas(words[++at])) result.push_back(std::move(word));
  }
  return result;
}

/// The flag of a job that an option sets, or nullptr.
bool ProfilerJob::* flag_of(const std::string& word) {
  if (word == "--kernel-trace" || is_runtime_trace(word) || is_system_trace(word)) {
    return &ProfilerJob::kernel_trace;
  }
  if (word == "-M" || word == "--mangled-kernels") return &ProfilerJob::mangled_names;
  if (word == "-T" || word == "--truncate-kernels") return &ProfilerJob::truncated_names;
  return word == "--stats" ? &ProfilerJob::stats : nullptr;
}

std::string ProfilerJob::* text_of(const std::string& word) {
  if (word == "-o" || word == "--output-file") return &ProfilerJob::file;
  if (word == "-d" || word == "--output-directory") return &ProfilerJob::folder;
  if (word == "--kernel-include-regex") return &ProfilerJob::include_regex;
  return word == "--kernel-exclude-regex" ? &ProfilerJob::exclude_regex : nullptr;
}

/// rocprofv3 names databases "rocpd"; "pftrace" and "otf2" are not written here.
Result<void> set_formats(const Words& formats, ProfilerJob& job) {
  for (std::string format : formats) {
    std::ranges::transform(format, format.begin(), [](unsigned char c) { return std::tolower(c); });
    if (format != "csv" && format != "json" && format != "rocpd") {
      return usage(fmt::format("no output format {}; csv, json and rocpd are written", format));
    }
    job.formats.push_back(format);
  }
  return {};
}

Result<std::string> read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::kFileUnreadable, fmt::format("cannot read {}", path), path);
  return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// "pmc: A B" lines; what follows a # is a remark.
std::vector<ProfilerJob> jobs_of_text(const std::string& text, const ProfilerJob& base) {
  std::vector<ProfilerJob> jobs;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    line = line.substr(0, line.find('#'));
    const auto colon = line.find("pmc:");
    if (colon == std::string::npos) continue;
    std::istringstream words(line.substr(colon + 4));
    ProfilerJob job = base;
    for (std::string word; words >> word;) job.pmc.push_back(word);
    job.sub_folder = fmt::format("pmc_{}", jobs.size() + 1);
    if (!job.pmc.empty()) jobs.push_back(std::move(job));
  }
  return jobs;
}

Words strings_of(const Json& value) {
  if (value.is_string()) return split_at_commas(value.get<std::string>());
  return value.get<Words>();
}

Result<ProfilerJob> job_of(const Json& entry, ProfilerJob job) {
  for (const auto& [key, value] : entry.items()) {
    std::string option = "--" + key;
    std::ranges::replace(option, '_', '-');
    if (key == "pmc") {
      job.pmc = strings_of(value);
    } else if (key == "output_format") {
      if (const auto set = set_formats(strings_of(value), job); !set) {
        return tl::unexpected(set.error());
      }
    } else if (const auto text = text_of(option)) {
      job.*text = value.get<std::string>();
    } else if (const auto flag = flag_of(option)) {
      job.*flag = value.get<bool>();
    } else if (!is_one_of(kOtherTraces, option)) {
      return usage(fmt::format("a job has the unknown key {}", key));
    }
  }
  return job;
}

Result<std::vector<ProfilerJob>> jobs_of_file(const std::string& path, const ProfilerJob& base) {
  const Result<std::string> text = read(path);
  if (!text) return tl::unexpected(text.error());
  if (path.ends_with(".txt")) {
    std::vector<ProfilerJob> jobs = jobs_of_text(*text, base);
    if (jobs.empty()) return usage(path + " has no pmc line");
    return jobs;
  }
  const bool yaml = path.ends_with(".yaml") || path.ends_with(".yml");
  if (!yaml && !path.ends_with(".json")) return usage(path + " is no .txt, .json, .yaml or .yml");
  try {
    const Result<Json> root = yaml ? jobs_of_yaml(*text, path) : Result<Json>(Json::parse(*text));
    if (!root) return tl::unexpected(root.error());
    std::vector<ProfilerJob> jobs;
    for (const Json& entry : root->at("jobs")) {
      Result<ProfilerJob> job = job_of(entry, base);
      if (!job) return tl::unexpected(job.error());
      job->sub_folder = fmt::format("pass_{}", jobs.size() + 1);
      jobs.push_back(std::move(*job));
    }
    if (!jobs.empty()) return jobs;
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kFileUnreadable, error.what(), path);
  }
  return usage(path + " has no job");
}

/// Reads one option at `at` into `job` and `input`; leaves `at` on its last word.
Result<void> read_option(const Words& words, std::size_t& at, ProfilerJob& job, std::string& input,
                         Words& not_recorded) {
  const std::string& word = words[at];
  const bool has_value = at + 1 < words.size();
  if (const auto flag = flag_of(word)) {
    job.*flag = true;
    if (is_runtime_trace(word) || is_system_trace(word)) {
      not_recorded.insert(not_recorded.end(), kWithRuntimeTrace.begin(), kWithRuntimeTrace.end());
    }
    if (is_system_trace(word)) not_recorded.emplace_back("--hsa-trace");
  } else if (const auto text = text_of(word); text != nullptr && has_value) {
    job.*text = words[++at];
  } else if ((word == "-i" || word == "--input") && has_value) {
    input = words[++at];
  } else if (word == "--pmc") {
    for (std::string& name : values(words, at)) job.pmc.push_back(std::move(name));
  } else if (word == "-f" || word == "--output-format") {
    return set_formats(values(words, at), job);
  } else if (is_one_of(kOtherTraces, word)) {
    not_recorded.push_back(word);
  } else if (is_one_of(kNoEffectWithValue, word) && has_value) {
    ++at;
  } else if (!is_one_of(kNoEffect, word)) {
    return usage(fmt::format("{} is not an option that Wavetank knows", word));
  }
  return {};
}

ProfilerQuestion question_of(const Words& own) {
  for (const std::string& word : own) {
    if (word == "-h" || word == "--help") return ProfilerQuestion::kHelp;
    if (word == "-L" || word == "--list-avail" || word == "--list-metrics") {
      return ProfilerQuestion::kCounters;
    }
  }
  return ProfilerQuestion::kNone;
}

}  // namespace

std::string profiler_help() {
  std::string traces;
  for (const char* trace : kOtherTraces) traces += std::string(traces.empty() ? "" : ", ") + trace;
  return "usage: rocprofv3 [options] -- program [arguments]\n"
         "\n"
         "  --kernel-trace             the kernels with the cycle model's times\n"
         "  -r, --runtime-trace        the same; -s, --sys-trace, too\n"
         "  --stats                    their statistics\n"
         "  --pmc NAME ...             counters and metrics of each kernel\n"
         "  -L, --list-avail           their names on the shell's devices\n"
         "  -i, --input FILE           runs from pmc lines (.txt) or jobs (.json, .yaml)\n"
         "  --kernel-include-regex RE  count in these kernels only\n"
         "  --kernel-exclude-regex RE  do not count in these\n"
         "  -M, --mangled-kernels      the kernels' mangled names\n"
         "  -T, --truncate-kernels     their names without scope and parameters\n"
         "  -f, --output-format FORMAT csv, json, rocpd\n"
         "  -d, --output-directory DIR otherwise this folder\n"
         "  -o, --output-file NAME     otherwise HOST/PROCESS\n"
         "  -h, --help                 this text\n"
         "\n"
         "Accepted, but nothing is recorded: " +
         traces + ".\n";
}

Result<ProfilerOptions> parse_profiler_words(const Words& words) {
  const auto end = std::ranges::find(words, "--");
  const Words own(words.begin(), end);
  ProfilerOptions options;
  options.question = question_of(own);
  if (options.question != ProfilerQuestion::kNone) return options;
  if (end == words.end() || end + 1 == words.end()) return usage("no program behind --");
  options.program.assign(end + 1, words.end());
  ProfilerJob job;
  std::string input;
  for (std::size_t at = 0; at < own.size(); ++at) {
    if (const auto read = read_option(own, at, job, input, options.not_recorded); !read) {
      return tl::unexpected(read.error());
    }
  }
  if (input.empty()) {
    options.jobs.push_back(std::move(job));
    return options;
  }
  Result<std::vector<ProfilerJob>> jobs = jobs_of_file(input, job);
  if (!jobs) return tl::unexpected(jobs.error());
  options.jobs = std::move(*jobs);
  return options;
}

}  // namespace wavetank::cli
