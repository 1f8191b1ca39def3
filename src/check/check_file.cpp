// JSON lines, each appended whole, so that a program that crashes keeps what was found before.
#include <fstream>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "check/diagnosis.hpp"

namespace wavetank::check {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Diagnosis& diagnosis) {
  Json json;
  json["level"] = static_cast<unsigned>(diagnosis.level);
  json["code"] = static_cast<unsigned>(diagnosis.code);
  json["message"] = diagnosis.message;
  json["kernel"] = diagnosis.kernel;
  json["note"] = diagnosis.note;
  json["help"] = diagnosis.help;
  json["spots"] = Json::array();
  for (const Spot& spot : diagnosis.spots) {
    json["spots"].push_back({{"place", spot.place}, {"code", spot.code}, {"what", spot.what}});
  }
  return json;
}

Diagnosis from_json(const Json& json) {
  Diagnosis diagnosis;
  const unsigned level = json.at("level");
  if (level > static_cast<unsigned>(Level::kAdvice)) throw std::out_of_range("level");
  diagnosis.level = static_cast<Level>(level);
  diagnosis.code = static_cast<ErrorCode>(json.at("code").get<unsigned>());
  diagnosis.message = json.at("message");
  diagnosis.kernel = json.at("kernel");
  diagnosis.note = json.at("note");
  diagnosis.help = json.at("help");
  for (const Json& spot : json.at("spots")) {
    diagnosis.spots.push_back({spot.at("place"), spot.at("code"), spot.at("what")});
  }
  return diagnosis;
}

Result<void> append_line(const std::string& path, const Json& json) {
  std::ofstream file(path, std::ios::app);
  file << json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" << std::flush;
  if (!file) return fail(ErrorCode::kFileUnreadable, fmt::format("cannot write {}", path));
  return {};
}

void read_end(const Json& json, CheckFile& file) {
  file.ended = true;
  file.launches += json.at("launches").get<std::uint64_t>();
  const auto counts = json.at("counts").get<std::vector<std::uint64_t>>();
  for (std::size_t i = 0; i < counts.size() && i < file.diagnoses.size(); ++i) {
    file.diagnoses[i].count = counts[i];
  }
}

}  // namespace

Result<void> append_to_file(const std::string& path, const Diagnosis& diagnosis) {
  return append_line(path, to_json(diagnosis));
}

Result<void> append_end(const std::string& path, std::uint64_t launches,
                        const std::vector<std::uint64_t>& counts) {
  return append_line(path, {{"launches", launches}, {"counts", counts}});
}

Result<CheckFile> read_check_file(const std::string& path) {
  CheckFile result;
  std::ifstream file(path);
  std::size_t number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      const Json json = Json::parse(line);
      if (json.contains("launches")) {
        read_end(json, result);
      } else {
        result.diagnoses.push_back(from_json(json));
      }
    } catch (const std::exception& error) {
      if (file.eof()) break;  // the last line was not written to its end
      return fail(ErrorCode::kFileUnreadable, fmt::format("{} is no file of a check", path),
                  fmt::format("line {}: {}", number, error.what()));
    }
  }
  return result;
}

}  // namespace wavetank::check
