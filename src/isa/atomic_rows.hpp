// The rows of the atomics: their names, sentences and shapes follow from the lines of atomics.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "isa/atomics.hpp"
#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// Words put together when the program is compiled.
struct ComposedText {
  std::array<char, 96> text = {};
  std::size_t size = 0;
  constexpr ComposedText& operator+=(std::string_view more) {
    for (const char letter : more) text[size++] = letter;
    return *this;
  }
  constexpr std::string_view view() const { return {text.data(), size}; }
};

/// A row before it has its words: they have to stay where they are.
struct AtomicRow {
  ComposedText name, summary;
  AtomicForm form;
  MemoryShape shape;
};

/// What the mnemonics of a place begin with; those of FLAT rows come without their segment.
constexpr std::string_view prefix_of(AtomicPlace place) {
  switch (place) {
    case AtomicPlace::kScalar: return "s_atomic_";
    case AtomicPlace::kScalarBuffer: return "s_buffer_atomic_";
    case AtomicPlace::kLds: return "ds_";
    case AtomicPlace::kFlat: return "atomic_";
    case AtomicPlace::kBuffer: return "buffer_atomic_";
    case AtomicPlace::kImage: break;
  }
  return "image_atomic_";
}

/// "ds_min_rtn_i32", "atomic_smin_x2", "buffer_atomic_add_f64".
template <class Line>
constexpr ComposedText name_of(const Line& line, const AtomicForm& form) {
  using Kind = typename Line::Kind;
  const bool lds = form.place == AtomicPlace::kLds;
  ComposedText name;
  name += prefix_of(form.place);
  name += lds ? line.names.lds : line.names.memory;
  if (form.returns) name += "_rtn";
  if (lds || Kind::is_float) {
    name += "_";
    name += form.bytes == 8 ? Kind::type64 : Kind::type32;
  } else if (form.bytes == 8) {
    name += "_x2";
  }
  return name;
}

template <class Line>
constexpr ComposedText summary_of(const Line& line, const AtomicForm& form) {
  ComposedText summary;
  summary += line.summary.substr(0, line.summary.size() - 1);
  const bool lds = form.place == AtomicPlace::kLds;
  if (!lds && !Line::Kind::is_float && form.bytes == 8) summary += ", 64 bits";
  if (form.returns) summary += "; returns the old value";
  summary += ".";
  return summary;
}

template <class Line>
constexpr MemoryShape shape_of(const Line& line, const AtomicForm& form) {
  constexpr bool kTwo = Line::takes_two;
  MemoryShape shape = shape::atomic(line.operation, form.bytes, kTwo);
  if (form.place == AtomicPlace::kLds) {
    shape = form.returns ? shape::ds_atomic_returning(line.operation, form.bytes, kTwo)
                         : shape::ds_atomic(line.operation, form.bytes, kTwo);
  }
  if (form.place == AtomicPlace::kScalar) shape.base_dwords = 2;
  if (form.place == AtomicPlace::kScalarBuffer) shape.base_dwords = 4;
  if (form.place == AtomicPlace::kImage) shape.image = {ImageAccess::kAtomic};
  return shape;
}

/// Calls visit(line, form) for each row of a place.
template <class Visit>
constexpr void visit_forms(AtomicPlace place, Visit visit) {
  const auto of_line = [&](const auto& line) {
    for (std::size_t i = 0; i < line.forms.count; ++i) {
      if (line.forms.all[i].place == place) visit(line, line.forms.all[i]);
    }
  };
  kAtomics.apply([&](const auto&... line) { (of_line(line), ...); });
}
constexpr std::size_t count_forms(AtomicPlace place) {
  std::size_t count = 0;
  visit_forms(place, [&](const auto&, const AtomicForm&) { ++count; });
  return count;
}

/// The rows of a place, by opcode.
template <AtomicPlace kPlace>
constexpr auto compose_atomics() {
  std::array<AtomicRow, count_forms(kPlace)> rows = {};
  std::size_t next = 0;
  visit_forms(kPlace, [&](const auto& line, const AtomicForm& form) {
    rows[next++] = {name_of(line, form), summary_of(line, form), form, shape_of(line, form)};
  });
  std::ranges::sort(rows, {}, [](const AtomicRow& row) {
    return (std::uint32_t{row.form.opcode} << 16) + static_cast<unsigned>(row.form.lifetime.since);
  });
  return rows;
}
template <AtomicPlace kPlace>
inline constexpr auto kComposedAtomics = compose_atomics<kPlace>();

constexpr Encoding encoding_of(const AtomicForm& form) {
  switch (form.place) {
    case AtomicPlace::kScalar:
    case AtomicPlace::kScalarBuffer: return smem(form.opcode);
    case AtomicPlace::kLds: return ds(form.opcode);
    case AtomicPlace::kFlat: return form.global_only ? global(form.opcode) : flat(form.opcode);
    case AtomicPlace::kBuffer: return mubuf(form.opcode);
    case AtomicPlace::kImage: break;
  }
  return {Format::kMimg, form.opcode};
}
constexpr Unit unit_of(AtomicPlace place) {
  switch (place) {
    case AtomicPlace::kScalar:
    case AtomicPlace::kScalarBuffer: return Unit::kSmem;
    case AtomicPlace::kLds: return Unit::kLds;
    case AtomicPlace::kFlat: return Unit::kFlat;
    default: return Unit::kVectorMemory;
  }
}

/// A table of the rows of a place.
template <AtomicPlace kPlace>
constexpr auto atomic_table() {
  constexpr auto& kRows = kComposedAtomics<kPlace>;
  const auto definition = [](const AtomicRow& row) {
    return memory(row.name.view(), row.summary.view(), encoding_of(row.form), unit_of(kPlace),
                  row.shape)
        .during(row.form.lifetime);
  };
  return [&]<std::size_t... kRow>(std::index_sequence<kRow...>) {
    return std::array{definition(kRows[kRow])...};
  }(std::make_index_sequence<kRows.size()>());
}

inline constexpr auto kScalarAtomics = atomic_table<AtomicPlace::kScalar>();
inline constexpr auto kScalarBufferAtomics = atomic_table<AtomicPlace::kScalarBuffer>();
inline constexpr auto kLdsAtomics = atomic_table<AtomicPlace::kLds>();
inline constexpr auto kFlatAtomics = atomic_table<AtomicPlace::kFlat>();
inline constexpr auto kBufferAtomics = atomic_table<AtomicPlace::kBuffer>();
inline constexpr auto kImageAtomics = atomic_table<AtomicPlace::kImage>();

inline constexpr auto kAtomicTables = tables(kScalarAtomics, kScalarBufferAtomics, kLdsAtomics,
                                             kFlatAtomics, kBufferAtomics, kImageAtomics);

}  // namespace wavetank::isa
