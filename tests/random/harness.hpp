// Runs the random kernels of a generated program and compares them with the host.
#pragma once

#include "random/lanes.hpp"
#include "random/state.hpp"

#include <array>
#include <vector>

struct Case {
  const char* name;
  u32 seed;
  dim3 grid, threads;
  u32 phases, dynamic_lds_bytes;
  void (*device)(const u32*, Uniform, Record*, u8*, u64*);
  void (*host)(const u32*, const Uniform&, Record*, u64*, u32);
};

// Random words, among them every class of floating-point number and small integers.
inline std::vector<u32> make_table(u32 seed) {
  std::vector<u32> table(kTableWords);
  const u32 special[] = {0, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000,
                         1, 0x007fffff, 0x00800000, 0x7f7fffff, 0x3c003c00, 0x7c00fc00, 0x00010001,
                         0x7fff8000, 0xffffffff, 0x4f000000, 0xcf000000, 0x3ff00000, 0x7ff00000};
  u32 state = seed * 2654435761u + 1;
  for (u32& word : table) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    const u32 kind = state >> 28;
    word = state * 2246822519u;
    if (kind < 3) word = special[state % 20];
    if (kind >= 3 && kind < 6) word = state & 1023;
    if (kind >= 6 && kind < 11) word = (word & 0x807fffff) | (120 + (state >> 8) % 16) << 23;
  }
  return table;
}

inline bool agree(const Case& test, const std::vector<Record>& actual,
                  const std::vector<Record>& expected) {
  const size_t threads = size_t{test.threads.x} * test.threads.y * test.threads.z;
  const size_t blocks = size_t{test.grid.x} * test.grid.y * test.grid.z;
  for (size_t at = 0; at < actual.size(); ++at)
    for (int word = 0; word < Record::kWords; ++word)
      if (actual[at].word[word] != expected[at].word[word]) {
        std::printf("%s: phase %zu block %zu thread %zu: %s is 0x%08x, expected 0x%08x\n",
                    test.name, at / (threads * blocks), at / threads % blocks, at % threads,
                    kWordNames[word], actual[at].word[word], expected[at].word[word]);
        return false;
      }
  return true;
}

inline bool run(const Case& test) {
  const std::vector<u32> table = make_table(test.seed);
  const Uniform uniform = {table[3], table[5], table[7] | u64{table[11]} << 32, 1.5f};
  const u32 threads = test.threads.x * test.threads.y * test.threads.z;
  const u32 blocks = test.grid.x * test.grid.y * test.grid.z;
  const size_t count = size_t{test.phases} * blocks * threads;
  std::vector<Record> expected(count);
  std::vector<u64> totals(kTotals);
  for (u32 block = 0; block < blocks; ++block)
    test.host(table.data(), uniform, expected.data(), totals.data(), block);
  example::DeviceArray<u32> device_table(table);
  example::DeviceArray<Record> device_records(count);
  example::DeviceArray<u64> device_totals(kTotals);
  example::DeviceArray<u8> device_memory((kMemoryBytes + threads * kAreaBytes) * blocks);
  device_records.clear();
  device_totals.clear();
  test.device<<<test.grid, test.threads, test.dynamic_lds_bytes>>>(
      device_table.data(), uniform, device_records.data(), device_memory.data(),
      device_totals.data());
  example::finish_kernel();
  if (!agree(test, device_records.read(), expected)) return false;
  const std::vector<u64> sums = device_totals.read();
  for (int k = 0; k < kTotals; ++k)
    if (sums[k] != totals[k]) {
      std::printf("%s: total %d is 0x%016llx, expected 0x%016llx\n", test.name, k, sums[k],
                  totals[k]);
      return false;
    }
  return true;
}

// Runs all cases, or the one whose name is the first argument.
template <size_t N>
int run_cases(int argc, char** argv, const Case (&cases)[N]) {
  bool ok = true;
  for (const Case& test : cases) {
    if (argc > 1 && std::strcmp(argv[1], test.name) != 0) continue;
    ok = run(test) && ok;
  }
  return example::verdict(ok);
}
