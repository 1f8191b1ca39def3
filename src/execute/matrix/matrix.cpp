// The handlers of matrix rows, by their rule.
#include "execute/matrix/kernels.hpp"
#include "execute/registry.hpp"
#include "isa/mfma.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

Handler handler_of(const isa::MatrixShape& shape) {
  switch (shape.rule) {
    case isa::MatrixRule::kFmaChain: return chain_handler(shape);
    case isa::MatrixRule::kPairwise: return pairwise_handler(shape);
    case isa::MatrixRule::kFusedDot:
    case isa::MatrixRule::kFusedDotEvenOdd: return fused_handler(shape);
    case isa::MatrixRule::kInteger: return integer_handler(shape);
    case isa::MatrixRule::kNone: break;
  }
  return nullptr;
}

void append_rows(Entries& entries, const auto& table) {
  const auto add = [&](const isa::Row& row) {
    const Handler handler = handler_of(row.matrix);
    entries.add(row, {handler, handler, handler, handler});
  };
  std::apply([&](const auto&... line) { (add(line.row), ...); }, table);
}

}  // namespace

void append_matrix(Entries& entries) {
  append_rows(entries, isa::kMfmaCdna2);
  append_rows(entries, isa::kMfmaCdna3);
  append_rows(entries, isa::kMfmaFp8);
  append_rows(entries, isa::kSmfmac);
}

}  // namespace wavetank::execute::WAVETANK_HOST
