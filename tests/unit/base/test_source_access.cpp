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
