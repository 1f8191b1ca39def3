// Accesses are read from source lines at the columns that clang gives to their instructions.
#include "base/source_access.hpp"

#include <gtest/gtest.h>

namespace wavetank {
namespace {

/// At the column where `at` is first found.
std::string access(std::string_view line, std::string_view at) {
  return source_access(line, static_cast<unsigned>(line.find(at)) + 1);
}

TEST(SourceAccess, ALoadIsAtItsName) {
  EXPECT_EQ(access("  sum += row[k * 32];  // cause", "row"), "row[k * 32]");
  EXPECT_EQ(access("x = tile[threadIdx.x][k] + 1;", "tile"), "tile[threadIdx.x][k]");
  EXPECT_EQ(access("x = a[b[i]];", "a["), "a[b[i]]");
  EXPECT_EQ(access("x = a[b[i]];", "b["), "b[i]");
}

TEST(SourceAccess, AMemberIsAtItsLastName) {
  EXPECT_EQ(access("x = v.data[i * v.pitch];", "data"), "v.data[i * v.pitch]");
  EXPECT_EQ(access("x = p->all[i].weight;", "weight"), "p->all[i].weight");
  EXPECT_EQ(access("x = bodies[i].mass;", "bodies"), "bodies[i].mass");
}

TEST(SourceAccess, AStoreIsAtItsOperator) {
  EXPECT_EQ(access("  out[y * n + x] = in[i];", "="), "out[y * n + x]");
  EXPECT_EQ(access("  bins[i % 4] += 1;", "+="), "bins[i % 4]");
  EXPECT_EQ(access("  bins[i] <<= 1;", "<<="), "bins[i]");
  EXPECT_EQ(access("  *p = 1;", "="), "*p");
  EXPECT_EQ(access("  if (a[i] == 1) x = 2;", "= 2"), "") << "a register";
}

TEST(SourceAccess, ACallIsOfItsFirstArgument) {
  EXPECT_EQ(access("atomicAdd(&bins[in[i] % 16], 1u);", "atomicAdd"), "bins[in[i] % 16]");
  EXPECT_EQ(access("atomicAdd(total, 1u);", "atomicAdd"), "") << "it says too little";
}

TEST(SourceAccess, CountingIsAStoreAtItsOperator) {
  EXPECT_EQ(access("  bins[k]++;", "++"), "bins[k]");
  EXPECT_EQ(access("  --bins[k];", "--"), "bins[k]");
  EXPECT_EQ(access("  ++i;", "++"), "") << "a register";
}

TEST(SourceAccess, AComparisonIsNoStore) {
  EXPECT_EQ(access("if (a[i] == b) x = 1;", "=="), "");
  EXPECT_EQ(access("if (a[i] <= b) x = 1;", "<="), "");
  EXPECT_EQ(access("if (a[i] != b) x = 1;", "!="), "");
}

TEST(SourceAccess, BracketsInCommentsAndTextsDoNotCount) {
  EXPECT_EQ(access("x = a[i /* a[ */ + 1];", "a["), "a[i /* a[ */ + 1]");
  EXPECT_EQ(access("x = a[c == ']' ? 1 : 0];", "a["), "a[c == ']' ? 1 : 0]");
  EXPECT_EQ(access("x = a[find(\"]]\")];", "a["), "a[find(\"]]\")]");
  EXPECT_EQ(access("a[find(\"[\\\"[\")] = 1;", "="), "a[find(\"[\\\"[\")]");
  EXPECT_EQ(access("a[1'000 + b['x']] = 1;", "="), "a[1'000 + b['x']]");
  EXPECT_EQ(access("a[i] /* [ */ = 1;  // ]", "= 1"), "a[i]");
  EXPECT_EQ(access("of a comment] */ a[i] = 1;", "="), "a[i]");
  EXPECT_EQ(access("x = 1;  // a[i]", "a["), "") << "clang has no column there";
}

TEST(SourceAccess, BracketsOfSeveralKindsMayNest) {
  EXPECT_EQ(access("x = a[f(b[g(i)], (j + 1))];", "a["), "a[f(b[g(i)], (j + 1))]");
  EXPECT_EQ(access("a[f(b[g(i)], {j})] += 1;", "+="), "a[f(b[g(i)], {j})]");
  EXPECT_EQ(access("x = a[p[i] < n ? i : (n)][0];", "a["), "a[p[i] < n ? i : (n)][0]");
}

TEST(SourceAccess, TemplatesAndCastsHaveNoNameOfAnArray) {
  EXPECT_EQ(access("x = reinterpret_cast<const float4*>(in)[i];", "reinterpret"), "");
  EXPECT_EQ(access("reinterpret_cast<float4*>(out)[i] = x;", "= x"), "");
  EXPECT_EQ(access("table<8>[i] = x;", "="), "");
  EXPECT_EQ(access("Shared<T>::tile[i] = x;", "="), "tile[i]");
  EXPECT_EQ(access("x = load<float>(a, i)[0];", "load"), "");
}

TEST(SourceAccess, OfAMacroNothingIsSaid) {
  EXPECT_EQ(access("x = LOAD(b[i]);", "LOAD"), "") << "it may access a[b[i]]";
  EXPECT_EQ(access("x = INDEX_2D(a, i, j);", "INDEX"), "");
  EXPECT_EQ(access("x = A[i];", "A"), "A[i]") << "an array";
}

TEST(SourceAccess, OfAContinuedLineOnlyWhatItHoldsWholeIsSaid) {
  EXPECT_EQ(access("out[i + \\", "out"), "");
  EXPECT_EQ(access("    j] = in[i];", "="), "");
  EXPECT_EQ(access("    j] = in[i];", "in"), "in[i]");
  EXPECT_EQ(access("    = in[i];", "="), "") << "the left side stands above";
  EXPECT_EQ(access("    .bins[i] = 1;", "="), "");
}

TEST(SourceAccess, LongSubscriptsAreShortened) {
  EXPECT_EQ(access("x = a[(blockIdx.x * blockDim.x + threadIdx.x) * 4][i];", "a["), "a[...][i]");
}

TEST(SourceAccess, NothingIsSaidOfWhatCannotBeRead) {
  EXPECT_EQ(source_access("x = a[i];", 0), "");
  EXPECT_EQ(source_access("x = a[i];", 10), "") << "behind the line";
  EXPECT_EQ(access("x = a[i +", "a["), "") << "it goes on in the next line";
  EXPECT_EQ(access("x = a + 1;", "a"), "");
  EXPECT_EQ(source_access("]]=", 3), "");
  EXPECT_EQ(source_access("(", 1), "");
}

TEST(SourceAccess, AnAccessHasAName) {
  EXPECT_EQ(name_of_access("a[i * n]"), "a");
  EXPECT_EQ(name_of_access("v.data[i].x"), "v.data");
  EXPECT_EQ(name_of_access("*p"), "p");
}

}  // namespace
}  // namespace wavetank
