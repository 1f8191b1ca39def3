// The variables of a work-item, how they start, and their record, on which device and host agree.
#pragma once

#include "random/floating.hpp"

constexpr int kTableWords = 256;
constexpr int kMemoryBytes = 16384;  // of memory for each workgroup's exchanges
constexpr int kAreaBytes = 96;       // of bytes that only one work-item uses, at any alignment
constexpr int kTotals = 8;           // words that all workgroups of a kernel add to

// What the generated statements read and write.
struct State {
  u8 b[2];
  u16 h[2];
  u32 i[5];
  u64 l[3];
  u128 n[1];
  f16 p[2];
  f32 f[4];
  f64 d[3];
  v2u16 w[2];
  v2f16 q[2];
  v2f32 g[2];
};

// Values that are the same for a whole workgroup; the compiler keeps them in scalar registers.
struct Uniform {
  u32 a, b;
  u64 c;
  f32 e;
};

// A structure without padding, its members at odd addresses, and one of bit-fields.
struct __attribute__((packed)) Packed {
  u8 a;
  u32 b;
  u64 c;
  u16 d;
  s16 e;
};
struct Fields {
  u32 a : 5;
  s32 b : 11;
  u64 c : 37;
  u32 d : 16;
  s64 e : 20;
  u16 f : 9;
};

// Reads and writes bytes at any address.
template <typename T>
RANDOM_FN T load(const u8* at) {
  T value;
  __builtin_memcpy(&value, at, sizeof(T));
  return value;
}
template <typename T>
RANDOM_FN void store(u8* at, T value) {
  __builtin_memcpy(at, &value, sizeof(T));
}

// A State as words, NaNs made equal, and a hash of the work-item's bytes.
struct Record {
  static constexpr int kWords = 34;
  u32 word[kWords];
};

RANDOM_FN u32 pair(u32 low, u32 high) { return low | high << 16; }

RANDOM_FN Record record(const State& s, const u8* area) {
  Record r;
  int n = 0;
  r.word[n++] = pair(s.b[0], s.b[1]);
  r.word[n++] = pair(s.h[0], s.h[1]);
  for (int k = 0; k < 5; ++k) r.word[n++] = s.i[k];
  for (int k = 0; k < 3; ++k) {
    r.word[n++] = static_cast<u32>(s.l[k]);
    r.word[n++] = static_cast<u32>(s.l[k] >> 32);
  }
  r.word[n++] = pair(bits(s.p[0]), bits(s.p[1]));
  for (int k = 0; k < 4; ++k) r.word[n++] = bits(s.f[k]);
  for (int k = 0; k < 3; ++k) {
    r.word[n++] = static_cast<u32>(bits(s.d[k]));
    r.word[n++] = static_cast<u32>(bits(s.d[k]) >> 32);
  }
  for (int k = 0; k < 2; ++k) r.word[n++] = pair(s.w[k].x, s.w[k].y);
  r.word[n++] = pair(bits(s.q[0].x), bits(s.q[0].y)) ^ pair(bits(s.q[1].y), bits(s.q[1].x));
  for (int k = 0; k < 2; ++k) {
    r.word[n++] = bits(s.g[k].x) + (bits(s.g[k].y) << 3);
  }
  for (int k = 0; k < 4; ++k) r.word[n++] = static_cast<u32>(s.n[0] >> (32 * k));
  u32 hash = 2166136261u;
  for (int k = 0; k < kAreaBytes; ++k) hash = (hash ^ area[k]) * 16777619u;
  r.word[n++] = hash;
  return r;
}

inline const char* const kWordNames[Record::kWords] = {
    "b[0], b[1]", "h[0], h[1]", "i[0]", "i[1]", "i[2]", "i[3]", "i[4]", "l[0] low", "l[0] high",
    "l[1] low", "l[1] high", "l[2] low", "l[2] high", "p[0], p[1]", "f[0]", "f[1]", "f[2]", "f[3]",
    "d[0] low", "d[0] high", "d[1] low", "d[1] high", "d[2] low", "d[2] high", "w[0]", "w[1]",
    "q[0] ^ q[1]", "g[0].x + 8 g[0].y", "g[1].x + 8 g[1].y", "n[0] word 0", "n[0] word 1",
    "n[0] word 2", "n[0] word 3", "hash of area"};

// Starts every variable with bits of the table, so that all classes of numbers occur.
RANDOM_FN u32 at(const u32* table, u32 index) { return table[index % kTableWords]; }

RANDOM_FN State start(const u32* table, u32 thread, u32 block, u8* area) {
  State s;
  u32 n = thread * 29 + block * 101;
  for (u8& value : s.b) value = static_cast<u8>(at(table, n++));
  for (u16& value : s.h) value = static_cast<u16>(at(table, n++));
  for (u32& value : s.i) value = at(table, n++);
  for (u64& value : s.l) {
    value = at(table, n) | u64{at(table, n + 1)} << 32;
    n += 2;
  }
  for (f16& value : s.p) value = bit_cast<f16>(static_cast<u16>(at(table, n++)));
  for (f32& value : s.f) value = bit_cast<f32>(at(table, n++));
  for (f64& value : s.d) {
    value = bit_cast<f64>(at(table, n) | u64{at(table, n + 1)} << 32);
    n += 2;
  }
  for (v2u16& value : s.w) value = bit_cast<v2u16>(at(table, n++));
  for (v2f16& value : s.q) value = bit_cast<v2f16>(at(table, n++));
  for (v2f32& value : s.g) {
    value = v2f32{bit_cast<f32>(at(table, n)), bit_cast<f32>(at(table, n + 1))};
    n += 2;
  }
  s.n[0] = (u128{at(table, n)} << 96) | (u128{at(table, n + 1)} << 61) | at(table, n + 2);
  for (int k = 0; k < kAreaBytes; ++k) area[k] = static_cast<u8>(at(table, n + k) >> 8);
  return s;
}
