// Scalar rows against tests/vectors/scalar: D, SCC and EXEC as two references give them.
#include <gtest/gtest.h>

#include <cstdio>
#include <set>
#include <string>

#include "machine/wave.hpp"
#include "named_rows.hpp"
#include "vector_file.hpp"

namespace wavetank::execute {
namespace {

using tests::Vector;
using tests::VectorFile;

constexpr unsigned kDestination = 40, kFirstSource = 8;

const NamedRows& rows() {
  static const NamedRows all = rows_of(append_scalar);
  return all;
}

/// A file's title: the instruction, and "" (D), "scc" or "exec".
struct Title {
  std::string name, effect;
  explicit Title(const std::string& text)
      : name(text.substr(0, text.find('.'))),
        effect(name.size() == text.size() ? "" : text.substr(name.size() + 1)) {}
};

/// Puts a vector's operands where an op of the row finds them.
Op prepare(machine::Wave& wave, const VectorFile& file, const Vector& vector) {
  Op op;
  op.dst = 4 * kDestination;
  unsigned source = 0;
  for (std::size_t i = 0; i < file.kinds.size(); ++i) {
    const std::string& kind = file.kinds[i];
    const std::uint64_t bits = vector.operands[i];
    if (kind == "scc") {
      wave.scc = bits != 0;
    } else if (kind == "exec") {
      wave.set_exec(bits);
    } else if (kind[0] == 'D') {
      wave.set_scalar64(kDestination, bits);
    } else if (kind == "imm") {
      op.kind[source] = Source::kConstant;
      op.constant[source++] = static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
    } else {
      op.kind[source] = Source::kScalar;
      op.src[source] = 4 * (kFirstSource + 4 * source);
      wave.set_scalar64(kFirstSource + 4 * source, bits);
      ++source;
    }
  }
  return op;
}

std::uint64_t effect_of(const machine::Wave& wave, const VectorFile& file, const Title& title) {
  if (title.effect == "scc") return wave.scc ? 1 : 0;
  if (title.effect == "exec") return wave.exec();
  const std::uint64_t bits = wave.scalar64(kDestination);
  return file.result == "u64" ? bits : bits & 0xffffffff;
}

TEST(Scalar, EveryEffectIsWhatTheReferencesSay) {
  const auto paths = tests::vector_files(WAVETANK_VECTORS, "s_");
  EXPECT_GE(paths.size(), 200u);
  for (const std::string& path : paths) {
    const VectorFile file = tests::read_vector_file(path);
    ASSERT_EQ(file.error, "");
    const Title title(file.name);
    const auto entry = rows().find(title.name);
    ASSERT_NE(entry, rows().end()) << path << " names no instruction";
    for (const Vector& vector : file.vectors) {
      machine::Wave wave;
      const Op op = prepare(wave, file, vector);
      entry->second.handlers.usual(wave, &op);
      const std::uint64_t got = effect_of(wave, file, title);
      char text[40];
      std::snprintf(text, sizeof text, "%llx", static_cast<unsigned long long>(got));
      EXPECT_EQ(got, vector.result) << file.name << ":" << vector.text << "; we gave " << text;
    }
  }
}

TEST(Scalar, EveryRowHasItsVectors) {
  std::set<std::string> covered;
  for (const std::string& path : tests::vector_files(WAVETANK_VECTORS, "s_")) {
    covered.insert(Title(tests::read_vector_file(path).name).name);
  }
  for (const auto& [name, entry] : rows()) EXPECT_TRUE(covered.contains(name)) << name;
}

TEST(Scalar, RowsWithoutAnSccFileLeaveSccAlone) {
  std::set<std::string> files;
  for (const std::string& path : tests::vector_files(WAVETANK_VECTORS, "s_")) {
    files.insert(tests::read_vector_file(path).name);
  }
  for (const std::string& path : tests::vector_files(WAVETANK_VECTORS, "s_")) {
    const VectorFile file = tests::read_vector_file(path);
    if (files.contains(Title(file.name).name + ".scc")) continue;
    for (const bool before : {false, true}) {
      machine::Wave wave;
      const Op op = prepare(wave, file, file.vectors.front());
      wave.scc = before;
      rows().at(Title(file.name).name).handlers.usual(wave, &op);
      EXPECT_EQ(wave.scc != 0, before) << file.name;
    }
  }
}

}  // namespace
}  // namespace wavetank::execute
