// JSON lines, each appended whole, so that a program that crashes keeps what was found before.
#include <unistd.h>

#include "base/json.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>

#include "check/diagnosis.hpp"

namespace wavetank::check {
namespace {

Json to_json(const OperationOrder& order) {
  return {{"first", order.first}, {"second", order.second}};
}

OperationOrder order_from(const Json& json) { return {json.at("first"), json.at("second")}; }

Json to_json(const Diagnosis& diagnosis) {
  Json json;
  json["process"] = getpid();
  json["level"] = static_cast<unsigned>(diagnosis.level);
  json["code"] = static_cast<unsigned>(diagnosis.code);
  json["message"] = diagnosis.message;
  json["kernel"] = diagnosis.kernel;
  json["symbol"] = diagnosis.kernel_symbol;
  json["in_one_group"] = diagnosis.in_one_group;
  json["note"] = diagnosis.note;
  json["count"] = diagnosis.count;
  json["remedy"] = to_json(diagnosis.remedy.order);
  json["remedy"]["words"] = diagnosis.remedy.words;
  json["spots"] = Json::array();
  for (const Spot& spot : diagnosis.spots) {
    json["spots"].push_back({{"file", spot.source.file},
                             {"line", spot.source.line},
                             {"column", spot.source.column},
                             {"function", spot.source.function},
                             {"code_place", spot.code_place},
                             {"code", spot.code},
                             {"what", spot.what},
                             {"access", static_cast<unsigned>(spot.access)},
                             {"before", spot.before},
                             {"after", spot.after}});
  }
  return json;
}

AccessKind access_from(unsigned number) {
  if (number > static_cast<unsigned>(AccessKind::kAtomic)) throw std::out_of_range("access");
  return static_cast<AccessKind>(number);
}

Diagnosis from_json(const Json& json) {
  Diagnosis diagnosis;
  const unsigned level = json.at("level");
  if (level > static_cast<unsigned>(Level::kNote)) throw std::out_of_range("level");
  diagnosis.level = static_cast<Level>(level);
  diagnosis.code = static_cast<ErrorCode>(json.at("code").get<unsigned>());
  diagnosis.message = json.at("message");
  diagnosis.kernel = json.at("kernel");
  diagnosis.kernel_symbol = json.at("symbol");
  diagnosis.in_one_group = json.at("in_one_group");
  diagnosis.note = json.at("note");
  diagnosis.count = json.at("count");
  diagnosis.remedy = {order_from(json.at("remedy")), json.at("remedy").at("words")};
  for (const Json& spot : json.at("spots")) {
    diagnosis.spots.push_back(
        {{spot.at("file"), spot.at("line"), spot.at("column"), spot.at("function")},
         spot.at("code_place"),
         spot.at("code"),
         spot.at("what"),
         access_from(spot.at("access")),
         spot.at("before"),
         spot.at("after")});
  }
  return diagnosis;
}

Result<void> append_line(const std::string& path, const Json& json) {
  std::ofstream file(path, std::ios::app);
  file << json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" << std::flush;
  if (!file) return fail(ErrorCode::kFileUnreadable, fmt::format("cannot write {}", path));
  return {};
}

/// Reads lines into a file's content. Each process knows its own findings by their order.
class Reader {
 public:
  explicit Reader(CheckFile& file) : file_(file) {}

  void read(const Json& json) {
    if (json.contains("edges")) return;  // a change
    std::vector<std::size_t>& own = of_process_[json.at("process").get<std::int64_t>()];
    if (json.contains("launches")) return read_end(json, own);
    own.push_back(file_.diagnoses.size());
    file_.diagnoses.push_back(from_json(json));
  }

 private:
  void read_end(const Json& json, const std::vector<std::size_t>& own) {
    file_.ended = true;
    for (const auto& [kernel, launches] : json.at("launches").items()) {
      file_.checked.launches[kernel] += launches.get<std::uint64_t>();
    }
    for (const Json& file : json.at("sources")) file_.checked.sources.insert(file);
    const auto counts = json.at("counts").get<std::vector<std::uint64_t>>();
    for (std::size_t i = 0; i < std::min(counts.size(), own.size()); ++i) {
      file_.diagnoses[own[i]].count = counts[i];
    }
  }

  CheckFile& file_;
  std::map<std::int64_t, std::vector<std::size_t>> of_process_;
};

}  // namespace

Result<void> write_change(const std::string& path, const Change& change) {
  Json json = {{"edges", machine::to_text(change.edges)}, {"orders", Json::array()}};
  for (const OperationOrder& order : change.orders) json["orders"].push_back(to_json(order));
  return append_line(path, json);
}

Result<Change> read_change(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  if (!std::getline(file, line)) return Change();
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("edges")) return Change();
  Change change;
  try {
    auto edges = machine::parse_edges(json.at("edges").get<std::string>());
    if (!edges) return fail(ErrorCode::kFileUnreadable, edges.error().message, path);
    change.edges = std::move(*edges);
    for (const Json& order : json.at("orders")) change.orders.push_back(order_from(order));
  } catch (const Json::exception& error) {
    return fail(ErrorCode::kFileUnreadable, error.what(), path);
  }
  return change;
}

Result<void> append_to_file(const std::string& path, const Diagnosis& diagnosis) {
  return append_line(path, to_json(diagnosis));
}

Result<void> append_end(const std::string& path, const Checked& checked,
                        const std::vector<std::uint64_t>& counts) {
  Json json = {{"process", getpid()},
               {"launches", Json::object()},
               {"sources", checked.sources},
               {"counts", counts}};
  for (const auto& [kernel, count] : checked.launches) json["launches"][kernel] = count;
  return append_line(path, json);
}

Result<CheckFile> read_check_file(const std::string& path) {
  CheckFile result;
  Reader reader(result);
  std::ifstream file(path);
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      reader.read(Json::parse(line));
    } catch (const std::exception& error) {
      if (file.eof()) break;  // the last line was not written to its end
      return fail(ErrorCode::kFileUnreadable, fmt::format("{} is no file of a check", path),
                  fmt::format("line {}: {}", number, error.what()));
    }
  }
  return result;
}

}  // namespace wavetank::check
