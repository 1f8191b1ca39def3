// Launches under all checks: waves of a few workgroups load, store and add wherever the input says,
// with barriers between. A plain list of all accesses knows which of them race.
#include <cstdlib>
#include <vector>

#include "fuzz_input.hpp"
#include "small_launch.hpp"

namespace {

using namespace wavetank;
using check::Does;
using machine::MemorySpace;

constexpr unsigned kGroups = 3, kWaves = 4;

struct Known {
  unsigned group, wave, barriers;
  Does does;
  MemorySpace space;
  unsigned begin, end;
};

bool conflict(Does one, Does other) {
  if (one == Does::kLoad && other == Does::kLoad) return false;
  return one != Does::kAdd || other != Does::kAdd;
}

bool race(const Known& one, const Known& other) {
  if (one.space != other.space || one.end <= other.begin || other.end <= one.begin) return false;
  if (!conflict(one.does, other.does)) return false;
  if (one.group != other.group) return one.space == MemorySpace::kGlobal;
  return one.wave != other.wave && one.barriers == other.barriers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input({data, size});
  const bool orders_lds = input.byte() % 2 != 0;
  check::SmallLaunch launch(kGroups, kWaves,
                            {.stores_show_atomicity = true, .orders_lds = orders_lds});
  std::vector<Known> all;
  unsigned barriers[kGroups] = {};
  bool races = false;
  while (!input.empty() && all.size() < 400) {
    const unsigned what = input.byte(), who = input.byte(), lanes = input.byte() % 64 + 1;
    // Neighbours, so that they meet; not past the end, which is another finding.
    const unsigned begin = input.byte() * 4;
    const unsigned group = who % kGroups, wave = who / kGroups % kWaves;
    if (what % 8 == 0) {
      if (orders_lds) {
        for (unsigned i = 0; i < kWaves; ++i) launch.wait(group, i);
      }
      launch.barrier(group);
      ++barriers[group];
      continue;
    }
    constexpr Does kDoes[] = {Does::kLoad, Does::kStore, Does::kAdd};
    const Known now{group,
                    wave,
                    barriers[group],
                    kDoes[what / 8 % 3],
                    what / 24 % 2 == 0 ? MemorySpace::kLds : MemorySpace::kGlobal,
                    begin,
                    begin + 4 * lanes};
    launch.access(group, wave, now.does, now.space, begin,
                  static_cast<std::uint32_t>(all.size() + 1), lanes);
    for (const Known& earlier : all) races = races || race(earlier, now);
    all.push_back(now);
    if (races == launch.found_nothing()) std::abort();
    if (races) return 0;
  }
  return 0;
}
