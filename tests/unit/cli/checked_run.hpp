// A checked run with two findings, for the tests of its reports.
#pragma once

#include "cli/check/run.hpp"

namespace wavetank::cli {

/// A race between two lines of /src/app/race.hip, and a note in a kernel without debug information.
inline CheckedRun two_findings() {
  check::Diagnosis race;
  race.code = ErrorCode::kDataRace;
  race.message = "data race on LDS, 4 bytes at byte 16";
  race.spots = {{{"/src/app/race.hip", 12, 38, "put<int>(int*)"},
                 "kernel \"k\" + 0x8",
                 "ds_write_b32 v2, v0",
                 "written by work-item (4, 0, 0)"},
                {{"/src/app/race.hip", 17, 0, {}}, "", "ds_read_b32 v3, v1", "read"}};
  race.kernel = "void transpose<int>(int const*, int*)";
  race.count = 768;
  check::Diagnosis note;
  note.level = check::Level::kNote;
  note.code = ErrorCode::kMissedBarrier;
  note.message = "a barrier after some work-items have left";
  note.kernel = "sum & <co>";
  note.spots = {{{}, "kernel \"sum\" + 0x40", "s_barrier", "not reached"}};
  CheckedRun run;
  run.words = {"./app", "1000"};
  run.ended = true;
  run.launches = {{race.kernel, 2}, {note.kernel, 1}, {"right(int*)", 4}};
  run.findings = {{race}, {note}};
  return run;
}

}  // namespace wavetank::cli
