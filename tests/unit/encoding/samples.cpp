#include "unit/encoding/samples.hpp"

#include "unit/encoding/collector.hpp"

namespace wavetank::test {

using isa::Format;
using isa::Row;

std::vector<Instruction> samples(const Row& row, const isa::Target& target) {
  std::vector<Instruction> out;
  switch (row.encoding.format) {
    case Format::kSop1: case Format::kSop2: case Format::kSopk: case Format::kSopc:
    case Format::kSopp: sop_samples(row, out); break;
    case Format::kSmem: smem_samples(row, out); break;
    case Format::kVop1: case Format::kVop2: case Format::kVopc: case Format::kVop3:
    case Format::kVop3p: vop_samples(row, out); break;
    case Format::kDs: ds_samples(row, out); break;
    case Format::kFlat:
      flat_samples(row, Format::kFlat, target, out);
      flat_samples(row, Format::kGlobal, target, out);
      if (row.memory.action != isa::MemoryAction::kAtomic) {
        flat_samples(row, Format::kScratch, target, out);
      }
      break;
    case Format::kGlobal: case Format::kScratch:
      flat_samples(row, row.encoding.format, target, out);
      break;
    case Format::kMubuf: case Format::kMtbuf: buffer_samples(row, out); break;
    case Format::kMimg: image_samples(row, out); break;
  }
  return out;
}

}  // namespace wavetank::test
