// The programs of the accuracy suite, compiled from their sources when a run needs them.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// Where the sources lie, with the descriptions of devices that only the suite has: of
/// bench/accuracy, in the share folder of a build tree and of an installation.
std::filesystem::path accuracy_sources();

/// "valu_chain", the program of the family "valu-chain".
std::string accuracy_program_name(std::string family);

/// The name under which a program is kept: another one when its source, a header beside it, the
/// compiler or the command changes. Errors: kFileUnreadable.
Result<std::string> accuracy_cache_name(const std::string& program,
                                        const std::filesystem::path& sources,
                                        const std::vector<std::string>& command);

/// The files of programs by their names. Those that the compiler's cache does not hold are compiled
/// into it, or into `fallback` where there is no cache, as many at once as the host has processors;
/// stderr says so. Errors: kFileUnreadable (there is no source, or no room), kUsage (no compiler),
/// kBadElf (a source does not compile).
Result<std::map<std::string, std::filesystem::path>> accuracy_programs(
    const std::vector<std::string>& programs, const std::filesystem::path& sources,
    const std::filesystem::path& fallback);

}  // namespace wavetank::cli
