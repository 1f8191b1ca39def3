// The lines under the head of a diagnosis: places with what stands there, then remarks.
//
//     --> race.hip:12
//      |
//   12 |  if (x < width && y < height) tile[threadIdx.y][threadIdx.x] = in[y * width + x];
//      |                                                              ^ ds_write_b32 v2, v0
//      |  written by work-item (4, 0, 0) (wave 0, lane 4) of workgroup (0, 0, 0)
//      = note: 768 times
#pragma once

#include <string>
#include <string_view>

#include "base/source_line.hpp"
#include "cli/output/terminal.hpp"

namespace wavetank::cli {

/// One place; each text may be empty.
struct DiagnosisPlace {
  std::string place;  ///< "race.hip:12"
  SourceLine source;
  std::string code;  ///< the instruction
  std::string what;
};

/// Writes them.
class DiagnosisBody {
 public:
  /// `last_line` is the highest line number of its places; lines that cannot be read are left out.
  DiagnosisBody(unsigned last_line, SourceText& sources, const Style& style);

  void add(const DiagnosisPlace& place);
  void add_remark(std::string_view kind, std::string_view remark);
  std::string take() { return std::move(text_); }

 private:
  void add_source(const DiagnosisPlace& place, const std::string& line);
  void add_line(std::string_view line, std::string_view number = {});

  SourceText& sources_;
  const Style& style_;
  std::size_t width_ = 2;  ///< that of other diagnostics (base/error.hpp)
  std::string text_;
};

}  // namespace wavetank::cli
