// The tables of a rocpd database, schema 3.0.0 (source: ROCm/rocm-systems,
// projects/rocprofiler-sdk/source/share/rocprofiler-sdk-rocpd). Each table's name ends in the run's
// identifier; a view without it stands for all runs of a database.
#pragma once

#include <string>
#include <string_view>

namespace wavetank::report {

/// SQL that makes all tables and views for the run `guid` ("xxxxxxxx-xxxx-...").
std::string rocpd_schema(std::string_view guid);

/// The table's full name: "rocpd_string_xxxxxxxx_xxxx_...".
std::string rocpd_table(std::string_view name, std::string_view guid);

}  // namespace wavetank::report
