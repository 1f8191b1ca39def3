// Per-lane rows against tests/vectors: results that references independent of this code gave.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>

#include "machine/wave.hpp"
#include "named_rows.hpp"
#include "vector_file.hpp"

namespace wavetank::execute {
namespace {

using tests::Vector;
using tests::VectorFile;

constexpr unsigned kDestination = 0;
constexpr unsigned kMaskSource = 20, kMaskResult = 30;

/// A wave whose lanes hold up to 64 vectors.
struct Batch {
  machine::Wave wave;
  alignas(64) std::uint32_t vgpr[16 * 64] = {};
  Op op;

  Batch(const isa::Row& row, const VectorFile& file, std::size_t first) {
    wave.vgpr = vgpr;
    wave.vgpr_count = 16;
    wave.mode.bits = 0x3f0;
    wave.set_exec(~std::uint64_t{0});
    op.dst = 256 * kDestination;
    op.sdst = kMaskResult;
    op.op_sel_hi = 7;
    op.keeps_high_half = row.keeps_high_half;
    unsigned index = 0;
    for (std::size_t i = 0; i < file.kinds.size(); ++i) {
      const isa::Operand& source = row.sources[i];
      const bool accumulates = source.role == isa::Role::kAccumulator;
      place(file, first, i, accumulates ? kDestination : 4 + 2 * index);
      if (accumulates || index == 3) continue;  // VCC, read implicitly, is no operand of the op
      const bool mask = source.type == isa::Type::kMask;
      op.kind[index] = mask ? Source::kScalar : Source::kVector;
      op.src[index] = mask ? 4 * kMaskSource : 256 * (4 + 2 * index);
      ++index;
    }
  }
  std::uint64_t result(const std::string& kind, unsigned lane) const {
    if (kind == "mask") return (wave.scalar64(kMaskResult) >> lane) & 1;
    const unsigned width = tests::width_of(kind);
    if (width >= 64) return pair(kDestination, lane);
    return width == 16 ? vgpr[64 * kDestination + lane] & 0xffff : vgpr[64 * kDestination + lane];
  }
  std::uint64_t pair(unsigned first, unsigned lane) const {
    return vgpr[64 * first + lane] | (std::uint64_t{vgpr[64 * (first + 1) + lane]} << 32);
  }

 private:
  void place(const VectorFile& file, std::size_t first, std::size_t operand, unsigned to) {
    std::uint64_t mask = 0;
    for (std::size_t lane = 0; lane < 64 && first + lane < file.vectors.size(); ++lane) {
      const std::uint64_t bits = file.vectors[first + lane].operands[operand];
      mask |= (bits & 1) << lane;
      const unsigned width = tests::width_of(file.kinds[operand]);
      put(to, lane, bits, width >= 64);
      if (width == 128) put(to + 2, lane, file.vectors[first + lane].last_high, true);
    }
    if (file.kinds[operand] != "mask") return;
    wave.set_scalar64(kMaskSource, mask);
    wave.set_vcc(mask);
  }
  void put(unsigned to, std::size_t lane, std::uint64_t bits, bool is_pair) {
    vgpr[64 * to + lane] = static_cast<std::uint32_t>(bits);
    if (is_pair) vgpr[64 * (to + 1) + lane] = static_cast<std::uint32_t>(bits >> 32);
  }
};

void append_sse4(Entries& entries) {
  sse4::append_vop1(entries);
  sse4::append_vop2(entries);
  sse4::append_vopc(entries);
  sse4::append_vop3_float(entries);
  sse4::append_vop3_integer(entries);
  sse4::append_vop3p(entries);
}

void expect_vectors(const isa::Row& row, Handler handler, const VectorFile& file) {
  for (std::size_t first = 0; first < file.vectors.size(); first += 64) {
    Batch batch(row, file, first);
    handler(batch.wave, &batch.op);
    for (unsigned lane = 0; lane < 64 && first + lane < file.vectors.size(); ++lane) {
      const Vector& vector = file.vectors[first + lane];
      const std::uint64_t got = batch.result(file.result, lane);
      char text[40];
      std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(got));
      EXPECT_EQ(got, vector.result) << file.name << ":" << vector.text << "; we gave " << text;
      if (tests::width_of(file.result) < 128) continue;
      EXPECT_EQ(batch.pair(kDestination + 2, lane), vector.result_high) << vector.text;
    }
  }
}

TEST(VectorFiles, EveryResultIsWhatTheReferencesSay) {
  const NamedRows reference = rows_of(append_reference), host = rows_of(append_sse4);
  const auto paths = tests::vector_files(WAVETANK_VECTORS);
  EXPECT_GE(paths.size(), 420u);
  for (const std::string& path : paths) {
    const VectorFile file = tests::read_vector_file(path);
    ASSERT_EQ(file.error, "");
    // "v_add_co_u32.vcc" is the mask beside the result.
    const std::string name = file.name.substr(0, file.name.find('.'));
    const auto entry = reference.find(name);
    ASSERT_NE(entry, reference.end()) << path << " names no instruction";
    const isa::Row& row = entry->second.row;
    ASSERT_EQ(file.kinds.size(), row.source_count()) << path;
    expect_vectors(row, entry->second.handlers.exact, file);
    // Rows that are run lane by lane on every host have no handler of their own.
    if (const auto own = host.find(name); own != host.end()) {
      expect_vectors(row, own->second.handlers.usual, file);
    }
  }
}

}  // namespace
}  // namespace wavetank::execute
