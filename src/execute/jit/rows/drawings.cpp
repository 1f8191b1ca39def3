#include <vector>

#include "execute/jit/rows/families.hpp"
#include "execute/row_index.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

/// Drawings by row number.
class Index : public Drawings {
 public:
  Index() : by_id_(isa::catalogue().size()) {
    append_vop1(*this);
    append_vop2(*this);
    append_vopc(*this);
    append_vop3_float(*this);
    append_vop3_integer(*this);
    append_vop3p(*this);
  }
  void add(const isa::Row& line, const RowDrawing& drawing) override {
    if (const auto id = id_of_line(line)) by_id_[*id] = &drawing;
  }
  const RowDrawing* of(const isa::Row& row) const { return by_id_[row.id]; }

 private:
  std::vector<const RowDrawing*> by_id_;
};

}  // namespace

const RowDrawing* drawing_of(const isa::Row& row) {
  static const auto& index = *new Index;
  return index.of(row);
}

}  // namespace wavetank::execute::jit
