#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <type_traits>

#include "profile/counter_names.hpp"
#include "profile/launch_repeats.hpp"
#include "profile/metrics.hpp"
#include "report/rocpd_schema.hpp"
#include "report/rocprof.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

/// An open database; the first error is kept and ends everything after it.
class Database {
 public:
  Database(const std::string& path, std::string guid) : guid_(std::move(guid)) {
    if (sqlite3_open(path.c_str(), &handle_) != SQLITE_OK) keep_error();
  }
  ~Database() { sqlite3_close(handle_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& error() const { return error_; }

  void execute(const std::string& sql) {
    if (!error_.empty()) return;
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) keep_error();
  }

  /// Inserts a row: columns as a list of names, one value for each. Gives the row's id.
  template <class... Values>
  std::int64_t insert(std::string_view table, std::string_view columns, const Values&... values) {
    if (!error_.empty()) return 0;
    std::string marks = "?";
    for (std::size_t n = 1; n < sizeof...(values); ++n) marks += ",?";
    const std::string sql = fmt::format("INSERT INTO \"{}\" ({}) VALUES ({})",
                                        rocpd_table(table, guid_), columns, marks);
    sqlite3_stmt* raw = nullptr;
    if (sqlite3_prepare_v2(handle_, sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) {
      keep_error();
      return 0;
    }
    const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement(raw, sqlite3_finalize);
    int at = 0;
    (bind_value(raw, ++at, values), ...);
    if (sqlite3_step(raw) != SQLITE_DONE) keep_error();
    return sqlite3_last_insert_rowid(handle_);
  }

 private:
  void keep_error() {
    if (error_.empty()) error_ = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
  }

  template <class T>
  static void bind_value(sqlite3_stmt* statement, int at, const T& value) {
    if constexpr (std::is_integral_v<T>) {
      sqlite3_bind_int64(statement, at, static_cast<sqlite3_int64>(value));
    } else if constexpr (std::is_floating_point_v<T>) {
      sqlite3_bind_double(statement, at, value);
    } else {
      const std::string_view text(value);
      sqlite3_bind_text(statement, at, text.data(), static_cast<int>(text.size()),
                        SQLITE_TRANSIENT);
    }
  }

  sqlite3* handle_ = nullptr;
  std::string guid_;
  std::string error_;
};

/// An identifier that depends on the run alone, in the form of a UUID.
std::string guid_of(const profile::ProfileFile& file) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x100000001b3; };
  mix(file.header.process_id);
  for (const std::string& word : file.header.command) {
    for (const char c : word) mix(static_cast<unsigned char>(c));
  }
  const std::uint64_t time = file.header.begin_unix_ns;
  return fmt::format("{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}", time >> 32, (time >> 16) & 0xffff,
                     time & 0xfff, (hash >> 48) & 0xfff, hash & 0xffffffffffff);
}

std::string command_of(const profile::ProfileFile& file) {
  std::string command;
  for (const std::string& word : file.header.command) {
    command += (command.empty() ? "" : " ") + word;
  }
  return command;
}

/// Everything that rows refer to, by its identifier in the database.
class Writer {
 public:
  Writer(const RocprofRun& run, Database& db, std::string guid)
      : run_(run), ids_(run.file), db_(db), guid_(std::move(guid)) {}

  void write() {
    db_.execute("PRAGMA synchronous = OFF; BEGIN;" + rocpd_schema(guid_));
    db_.insert("metadata", "tag,value", "schema_version", "3.0.0");
    db_.insert("metadata", "tag,value", "uuid", guid_);
    db_.insert("metadata", "tag,value", "guid", guid_);
    category_ = db_.insert("string", "string", "KERNEL_DISPATCH");
    node_ = db_.insert("info_node", "hash,machine_id,system_name,hostname", 1, "wavetank", "Linux",
                       "wavetank");
    process_ = db_.insert("info_process", "nid,ppid,pid,command", node_, 0,
                          run_.file.header.process_id, command_of(run_.file));
    thread_ = db_.insert("info_thread", "nid,ppid,pid,tid,name", node_, 0, process_,
                         run_.file.header.process_id, "main");
    write_agents();
    write_kernels();
    profile::for_each_launch(run_.file.launches,
                             [this](const LaunchProfile& launch) { write_launch(launch); });
    db_.execute("COMMIT;");
  }

 private:
  void write_agents() {
    for (std::size_t node = 0; node <= ids_.devices.size(); ++node) {
      const target::Device* d = node == 0 ? nullptr : &run_.devices.at(ids_.devices[node - 1]);
      const std::int64_t id = db_.insert(
          "info_agent",
          "nid,pid,type,absolute_index,logical_index,type_index,uuid,name,model_name,vendor_name,"
          "product_name",
          node_, process_, d != nullptr ? "GPU" : "CPU", node, node, node == 0 ? 0 : node - 1, node,
          d != nullptr ? d->gfx() : "host", "", d != nullptr ? "AMD" : "CPU",
          d != nullptr ? d->marketing_name : "host");
      agents_.push_back(id);
      if (d == nullptr) continue;
      code_objects_.push_back(db_.insert("info_code_object", "nid,pid,agent_id,storage_type", node_,
                                         process_, id, "MEMORY"));
    }
  }

  void write_kernels() {
    for (std::size_t k = 0; k < ids_.kernels.size(); ++k) {
      for (const LaunchProfile& l : run_.file.launches) {
        if (ids_.kernel_of(l) != k + 1) continue;
        kernels_.push_back(db_.insert(
            "info_kernel_symbol",
            "nid,pid,code_object_id,kernel_name,display_name,group_segment_size,"
            "private_segment_size,sgpr_count,arch_vgpr_count,accum_vgpr_count",
            node_, process_, code_objects_[ids_.agent_of(l) - 1], l.mangled_name, l.kernel_name,
            l.lds_bytes, l.scratch_bytes_per_lane, l.sgprs, l.vgprs, l.agprs));
        regions_.push_back(string_id(l.kernel_name));
        break;
      }
    }
  }

  std::int64_t string_id(const std::string& text) {
    const auto [at, added] = strings_.emplace(text, 0);
    if (added) at->second = db_.insert("string", "string", text);
    return at->second;
  }

  /// Queue and stream of a launch: one of each for each HIP stream.
  std::pair<std::int64_t, std::int64_t> queue_and_stream(std::uint64_t stream) {
    const auto [at, added] = queues_.emplace(stream, std::pair<std::int64_t, std::int64_t>());
    if (added) {
      at->second.first = db_.insert("info_queue", "nid,pid,name", node_, process_,
                                    fmt::format("Queue {}", stream + 1));
      at->second.second = db_.insert("info_stream", "nid,pid,name", node_, process_,
                                     fmt::format("Stream {}", stream));
    }
    return at->second;
  }

  std::int64_t counter_id(const std::string& name, std::int64_t agent) {
    const auto [at, added] = counters_.emplace(std::pair(name, agent), 0);
    if (!added) return at->second;
    const profile::Metric* metric = profile::find_metric(name);
    const profile::CounterName* counter = profile::find_counter(name);
    at->second = db_.insert(
        "info_pmc",
        "nid,pid,agent_id,target_arch,name,symbol,description,units,value_type,block,expression,"
        "is_constant,is_derived",
        node_, process_, agent, "GPU", name, name,
        metric != nullptr ? metric->meaning : std::string_view(),
        metric != nullptr ? metric->unit : std::string_view(), "ABS",
        counter != nullptr ? profile::text_of(counter->block) : std::string_view(),
        metric != nullptr ? metric->formula : std::string_view(), 0, metric != nullptr ? 1 : 0);
    return at->second;
  }

  void write_launch(const LaunchProfile& l) {
    const auto [queue, stream] = queue_and_stream(l.stream_id);
    const std::int64_t agent = agents_[ids_.agent_of(l)];
    const std::size_t kernel = ids_.kernel_of(l) - 1;
    const std::int64_t event =
        db_.insert("event", "category_id,stack_id,parent_stack_id,correlation_id", category_,
                   l.dispatch_id, 0, l.dispatch_id);
    db_.insert("kernel_dispatch",
               "nid,pid,tid,agent_id,kernel_id,dispatch_id,queue_id,stream_id,start,\"end\","
               "private_segment_size,group_segment_size,workgroup_size_x,workgroup_size_y,"
               "workgroup_size_z,grid_size_x,grid_size_y,grid_size_z,region_name_id,event_id",
               node_, process_, thread_, agent, kernels_[kernel], l.dispatch_id, queue, stream,
               l.begin_ns, l.end_ns, l.scratch_bytes_per_lane, l.lds_bytes,
               l.workgroup_work_items.x, l.workgroup_work_items.y, l.workgroup_work_items.z,
               l.grid_work_items.x, l.grid_work_items.y, l.grid_work_items.z, regions_[kernel],
               event);
    for (const RocprofCounter& counter : counters_of(run_, l)) {
      db_.insert("pmc_event", "event_id,pmc_id,value", event, counter_id(counter.name, agent),
                 counter.value);
    }
  }

  const RocprofRun& run_;
  RocprofIds ids_;
  Database& db_;
  std::string guid_;
  std::int64_t category_ = 0, node_ = 0, process_ = 0, thread_ = 0;
  std::vector<std::int64_t> agents_, code_objects_, kernels_, regions_;
  std::map<std::string, std::int64_t> strings_;
  std::map<std::uint64_t, std::pair<std::int64_t, std::int64_t>> queues_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> counters_;
};

}  // namespace

Result<void> write_rocpd(const RocprofRun& run, const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  const std::string guid = guid_of(run.file);
  Database db(path, guid);
  Writer(run, db, guid).write();
  if (!db.error().empty()) {
    return fail(ErrorCode::kFileUnreadable, fmt::format("cannot write {}: {}", path, db.error()));
  }
  return {};
}

}  // namespace wavetank::report
