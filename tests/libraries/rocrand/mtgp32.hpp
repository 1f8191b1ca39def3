// MTGP32 with period 2^11213 - 1. Source: Saito, Matsumoto, "Variants of Mersenne Twister Suitable
// for Graphic Processors", ACM TOMS 39 (2), 2013. The parameter sets are the published ones, taken
// from the header that rocRAND installs; the recursion and the start are written here.
#pragma once

#include <rocrand/rocrand_mtgp32_11213.h>

#include <cstdint>
#include <vector>

namespace generators {

class Mtgp32 {
 public:
  // Generator `set` of the 512; rocRAND seeds it with the seed plus 1 plus its number.
  Mtgp32(int set, uint64_t seed) : set_(mtgp32dc_params_fast_11213[set]) {
    const uint32_t hidden = set_.tbl[4] ^ (set_.tbl[8] << 16);
    uint32_t fill = hidden + (hidden >> 16);
    fill = (fill + (fill >> 8)) & 0xff;
    words_.assign(kSize, fill * 0x01010101u);
    words_[0] = static_cast<uint32_t>(seed ^ (seed >> 32)) + static_cast<uint32_t>(set) + 1;
    words_[1] = hidden;
    for (uint32_t i = 1; i < kSize; ++i) {
      words_[i] ^= 1812433253u * (words_[i - 1] ^ (words_[i - 1] >> 30)) + i;
    }
  }

  uint32_t next() {
    const size_t n = words_.size() - kSize;
    uint32_t x = (words_[n] & set_.mask) ^ words_[n + 1];
    x ^= x << set_.sh1;
    uint32_t y = x ^ (words_[n + set_.pos] >> set_.sh2);
    y ^= set_.tbl[y & 15];
    words_.push_back(y);
    uint32_t t = words_[n + set_.pos - 1];
    t ^= t >> 16;
    t ^= t >> 8;
    return y ^ set_.tmp_tbl[t & 15];
  }

 private:
  static constexpr uint32_t kSize = 11213 / 32 + 1;
  const mtgp32_params_fast_t& set_;
  std::vector<uint32_t> words_;  // all words so far
};

}  // namespace generators
