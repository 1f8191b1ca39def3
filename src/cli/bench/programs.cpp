#include "cli/bench/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <optional>
#include <thread>

#include "base/file.hpp"
#include "cli/compile/compile.hpp"
#include "isa/target.hpp"
#include "toolchain/cache.hpp"
#include "toolchain/digest.hpp"
#include "toolchain/file_state.hpp"
#include "toolchain/paths.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

/// A program to compile, and the name it gets.
struct Job {
  std::string program;
  Words command;  ///< without the output
  std::string cache_name;
  std::optional<Error> error = {};
};

fs::path source_of(const std::string& program, const fs::path& sources) {
  return sources / (program + ".hip");
}

/// The headers of the suite, in the same order each time.
std::vector<fs::path> headers_in(const fs::path& sources) {
  std::vector<fs::path> headers;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(sources, error)) {
    if (entry.path().extension() == ".hpp") headers.push_back(entry.path());
  }
  std::sort(headers.begin(), headers.end());
  return headers;
}

/// Both processors in one program, as `wavetank cc` compiles.
Result<Job> job_of(const std::string& program, const fs::path& sources) {
  const fs::path source = source_of(program, sources);
  std::error_code error;
  if (!fs::exists(source, error)) {
    return fail(ErrorCode::kFileUnreadable, fmt::format("there is no program {}", program),
                source.string(), "the sources are installed beside `wavetank`, in share/wavetank");
  }
  CompileOptions options;
  options.architectures = isa::target_names();
  options.rest = {"-O3", "-std=c++20", source.string()};
  Result<Words> command = compile_command(options);
  if (!command) return tl::unexpected(command.error());
  Result<std::string> name = accuracy_cache_name(program, sources, *command);
  if (!name) return tl::unexpected(name.error());
  return Job{program, std::move(*command), std::move(*name)};
}

/// Compiles one program under its name in the cache.
void compile(Job& job, const toolchain::Cache& cache) {
  const fs::path draft = cache.draft(job.cache_name);
  Words command = job.command;
  command.insert(command.end(), {"-o", draft.string()});
  const Result<toolchain::Finished> finished = toolchain::capture_tool(command);
  if (!finished) {
    job.error = finished.error();
  } else if (finished->exit_status != 0) {
    job.error = Error{ErrorCode::kBadElf,
                      fmt::format("{}.hip does not compile:\n{}", job.program, finished->output),
                      job.program + ".hip",
                      {},
                      "`wavetank doctor` shows which compiler and headers were found"};
  } else if (!cache.publish(draft, job.cache_name)) {
    job.error = Error{ErrorCode::kFileUnreadable,
                      fmt::format("{} cannot be written", cache.path_of(job.cache_name).string()),
                      job.program + ".hip",
                      {},
                      "make room there, or have WAVETANK_CACHE name another folder"};
  }
}

void compile_all(std::vector<Job>& jobs, const toolchain::Cache& cache) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < jobs.size(); i = next++) compile(jobs[i], cache);
  };
  const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  while (threads.size() < std::min(most, jobs.size())) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

fs::path accuracy_sources() { return toolchain::find_paths().share_folder / "bench" / "accuracy"; }

std::string accuracy_program_name(std::string family) {
  std::replace(family.begin(), family.end(), '-', '_');
  return family;
}

Result<std::string> accuracy_cache_name(const std::string& program, const fs::path& sources,
                                        const Words& command) {
  toolchain::Digest digest;
  for (const std::string& word : command) digest.add(word);
  if (!command.empty()) digest.add(toolchain::state_of(command.front()));
  std::vector<fs::path> files = headers_in(sources);
  files.push_back(source_of(program, sources));
  for (const fs::path& file : files) {
    const Result<std::vector<std::byte>> bytes = read_file(file.string());
    if (!bytes) return tl::unexpected(bytes.error());
    digest.add({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
  }
  return fmt::format("accuracy-{}-{}", program, digest.hex());
}

Result<std::map<std::string, fs::path>> accuracy_programs(const std::vector<std::string>& programs,
                                                          const fs::path& sources,
                                                          const fs::path& fallback) {
  const auto opened = toolchain::Cache::open();
  const toolchain::Cache cache = opened ? *opened : toolchain::Cache(fallback);
  std::map<std::string, fs::path> files;
  std::vector<Job> jobs;
  for (const std::string& program : programs) {
    if (files.contains(program)) continue;
    Result<Job> job = job_of(program, sources);
    if (!job) return tl::unexpected(job.error());
    files[program] = cache.path_of(job->cache_name);
    if (!cache.find(job->cache_name)) jobs.push_back(std::move(*job));
  }
  if (jobs.empty()) return files;
  std::fprintf(stderr, "  compiling %zu program%s into %s\n", jobs.size(),
               jobs.size() == 1 ? "" : "s", cache.path_of("").parent_path().c_str());
  compile_all(jobs, cache);
  for (const Job& job : jobs) {
    if (job.error) return tl::unexpected(*job.error);
  }
  return files;
}

}  // namespace wavetank::cli
