#include "report/rocpd_schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wavetank::report {
namespace {

struct Table {
  std::string_view name;
  std::string_view columns;  ///< beside id and guid
};

constexpr std::string_view kExtra = ", extdata JSONB DEFAULT '{}' NOT NULL";

// clang-format off
/// Tables without extdata.
constexpr Table kPlain[] = {
    {"string", "string TEXT NOT NULL UNIQUE ON CONFLICT ABORT"},
    {"info_node", "hash BIGINT NOT NULL UNIQUE, machine_id TEXT NOT NULL UNIQUE, system_name TEXT, "
                  "hostname TEXT, release TEXT, version TEXT, hardware_name TEXT, "
                  "domain_name TEXT"},
};

/// Tables with extdata.
constexpr Table kTables[] = {
    {"info_process", "nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, init BIGINT, "
                     "fini BIGINT, start BIGINT, \"end\" BIGINT, command TEXT, "
                     "environment JSONB DEFAULT '{}' NOT NULL"},
    {"info_thread", "nid INTEGER NOT NULL, ppid INTEGER, pid INTEGER NOT NULL, "
                    "tid INTEGER NOT NULL, name TEXT, start BIGINT, \"end\" BIGINT"},
    {"info_agent", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, "
                   "type TEXT CHECK (type IN ('CPU', 'GPU')), absolute_index INTEGER, "
                   "logical_index INTEGER, type_index INTEGER, uuid INTEGER, name TEXT, "
                   "model_name TEXT, vendor_name TEXT, product_name TEXT, user_name TEXT"},
    {"info_queue", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, name TEXT"},
    {"info_stream", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, name TEXT"},
    {"info_pmc", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, agent_id INTEGER, "
                 "target_arch TEXT CHECK (target_arch IN ('CPU', 'GPU')), event_code INT, "
                 "instance_id INTEGER, name TEXT NOT NULL, symbol TEXT NOT NULL, "
                 "description TEXT, long_description TEXT DEFAULT '', component TEXT, "
                 "units TEXT DEFAULT '', "
                 "value_type TEXT CHECK (value_type IN ('ABS', 'ACCUM', 'RELATIVE')), "
                 "block TEXT, expression TEXT, is_constant INTEGER, is_derived INTEGER"},
    {"info_code_object", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, agent_id INTEGER, uri TEXT, "
                         "load_base BIGINT, load_size BIGINT, load_delta BIGINT, "
                         "storage_type TEXT CHECK (storage_type IN ('FILE', 'MEMORY'))"},
    {"info_kernel_symbol", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, "
                           "code_object_id INTEGER NOT NULL, kernel_name TEXT, display_name TEXT, "
                           "kernel_object INTEGER, kernarg_segment_size INTEGER, "
                           "kernarg_segment_alignment INTEGER, group_segment_size INTEGER, "
                           "private_segment_size INTEGER, sgpr_count INTEGER, "
                           "arch_vgpr_count INTEGER, accum_vgpr_count INTEGER"},
    {"track", "nid INTEGER NOT NULL, pid INTEGER, tid INTEGER, name_id INTEGER"},
    {"event", "category_id INTEGER, stack_id INTEGER, parent_stack_id INTEGER, "
              "correlation_id INTEGER, call_stack JSONB DEFAULT '{}' NOT NULL, "
              "line_info JSONB DEFAULT '{}' NOT NULL"},
    {"arg", "event_id INTEGER NOT NULL, position INTEGER NOT NULL, type TEXT NOT NULL, "
            "name TEXT NOT NULL, value TEXT"},
    {"pmc_event", "event_id INTEGER, pmc_id INTEGER NOT NULL, value REAL DEFAULT 0.0"},
    {"region", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER NOT NULL, "
               "start BIGINT NOT NULL, \"end\" BIGINT NOT NULL, name_id INTEGER NOT NULL, "
               "event_id INTEGER"},
    {"sample", "track_id INTEGER NOT NULL, timestamp BIGINT NOT NULL, event_id INTEGER"},
    {"kernel_dispatch", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER, "
                        "agent_id INTEGER NOT NULL, kernel_id INTEGER NOT NULL, "
                        "dispatch_id INTEGER NOT NULL, queue_id INTEGER NOT NULL, "
                        "stream_id INTEGER NOT NULL, start BIGINT NOT NULL, "
                        "\"end\" BIGINT NOT NULL, private_segment_size INTEGER, "
                        "group_segment_size INTEGER, workgroup_size_x INTEGER NOT NULL, "
                        "workgroup_size_y INTEGER NOT NULL, workgroup_size_z INTEGER NOT NULL, "
                        "grid_size_x INTEGER NOT NULL, grid_size_y INTEGER NOT NULL, "
                        "grid_size_z INTEGER NOT NULL, region_name_id INTEGER, event_id INTEGER"},
    {"memory_copy", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER, "
                    "start BIGINT NOT NULL, \"end\" BIGINT NOT NULL, name_id INTEGER NOT NULL, "
                    "dst_agent_id INTEGER, dst_address INTEGER, src_agent_id INTEGER, "
                    "src_address INTEGER, size INTEGER NOT NULL, queue_id INTEGER, "
                    "stream_id INTEGER, region_name_id INTEGER, event_id INTEGER"},
    {"memory_allocate", "nid INTEGER NOT NULL, pid INTEGER NOT NULL, tid INTEGER, "
                        "agent_id INTEGER, "
                        "type TEXT CHECK (type IN ('ALLOC', 'FREE', 'REALLOC', 'RECLAIM')), "
                        "level TEXT CHECK (level IN ('REAL', 'VIRTUAL', 'SCRATCH')), "
                        "start BIGINT NOT NULL, \"end\" BIGINT NOT NULL, address INTEGER, "
                        "size INTEGER NOT NULL, queue_id INTEGER, stream_id INTEGER, "
                        "event_id INTEGER"},
};

/// The views that people query first.
constexpr std::string_view kViews = R"(
CREATE VIEW kernels AS SELECT K.id, K.guid, T.tid, C.string AS category, R.string AS region,
  S.display_name AS name, K.nid, P.pid, A.absolute_index AS agent_abs_index,
  A.logical_index AS agent_log_index, A.type_index AS agent_type_index, A.type AS agent_type,
  S.code_object_id, K.kernel_id, K.dispatch_id, K.stream_id, K.queue_id, Q.name AS queue,
  ST.name AS stream, K.start, K."end", K."end" - K.start AS duration, K.grid_size_x AS grid_x,
  K.grid_size_y AS grid_y, K.grid_size_z AS grid_z, K.workgroup_size_x AS workgroup_x,
  K.workgroup_size_y AS workgroup_y, K.workgroup_size_z AS workgroup_z,
  K.group_segment_size AS lds_size, K.private_segment_size AS scratch_size,
  S.arch_vgpr_count AS vgpr_count, S.accum_vgpr_count, S.sgpr_count,
  S.group_segment_size AS static_lds_size, S.private_segment_size AS static_scratch_size,
  K.event_id, E.stack_id, E.parent_stack_id, E.correlation_id AS corr_id
FROM rocpd_kernel_dispatch K
  JOIN rocpd_info_agent A ON A.id = K.agent_id AND A.guid = K.guid
  JOIN rocpd_event E ON E.id = K.event_id AND E.guid = K.guid
  JOIN rocpd_string C ON C.id = E.category_id AND C.guid = K.guid
  JOIN rocpd_string R ON R.id = K.region_name_id AND R.guid = K.guid
  JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
  LEFT JOIN rocpd_info_stream ST ON ST.id = K.stream_id AND ST.guid = K.guid
  LEFT JOIN rocpd_info_queue Q ON Q.id = K.queue_id AND Q.guid = K.guid
  JOIN rocpd_info_process P ON P.id = K.pid AND P.guid = K.guid
  JOIN rocpd_info_thread T ON T.id = K.tid AND T.guid = K.guid;
CREATE VIEW pmc_events AS SELECT V.id, V.guid, V.pmc_id, K.event_id, S.display_name AS name, K.nid,
  P.pid, K.dispatch_id, K.start, K."end", K."end" - K.start AS duration, I.name AS counter_name,
  V.value AS counter_value
FROM rocpd_pmc_event V
  JOIN rocpd_info_pmc I ON I.id = V.pmc_id AND I.guid = V.guid
  JOIN rocpd_kernel_dispatch K ON K.event_id = V.event_id AND K.guid = V.guid
  JOIN rocpd_info_kernel_symbol S ON S.id = K.kernel_id AND S.guid = K.guid
  JOIN rocpd_info_process P ON P.id = K.pid AND P.guid = K.guid;
)";
// clang-format on

std::string create(const Table& table, std::string_view extra, std::string_view guid) {
  return fmt::format(
      "CREATE TABLE \"{0}\" (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, guid TEXT DEFAULT "
      "'{1}' "
      "NOT NULL, {2}{3});\nCREATE VIEW rocpd_{4} AS SELECT * FROM \"{0}\";\n",
      rocpd_table(table.name, guid), guid, table.columns, extra, table.name);
}

}  // namespace

std::string rocpd_table(std::string_view name, std::string_view guid) {
  std::string suffix(guid);
  std::replace(suffix.begin(), suffix.end(), '-', '_');
  return fmt::format("rocpd_{}_{}", name, suffix);
}

std::string rocpd_schema(std::string_view guid) {
  std::string sql = fmt::format(
      "CREATE TABLE \"{0}\" (id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, tag TEXT NOT NULL, "
      "value TEXT NOT NULL);\nCREATE VIEW rocpd_metadata AS SELECT * FROM \"{0}\";\n",
      rocpd_table("metadata", guid));
  for (const Table& table : kPlain) sql += create(table, "", guid);
  for (const Table& table : kTables) sql += create(table, kExtra, guid);
  return sql + std::string(kViews);
}

}  // namespace wavetank::report
