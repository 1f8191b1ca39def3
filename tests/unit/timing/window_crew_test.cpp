// Threads that share the pieces of a window, and what they share by parts of the device.
#include "timing/window_crew.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <span>
#include <thread>
#include <vector>

#include "timing/window_parts.hpp"

namespace wavetank::timing::testing {
namespace {

/// A crew with helpers, which are dismissed at the end.
class Helped {
 public:
  explicit Helped(unsigned helpers) {
    for (unsigned i = 0; i < helpers; ++i) threads_.emplace_back([this] { crew_.help(); });
  }
  ~Helped() {
    crew_.dismiss();
    for (std::thread& thread : threads_) thread.join();
  }
  WindowCrew& crew() { return crew_; }

 private:
  WindowCrew crew_;
  std::vector<std::thread> threads_;
};

TEST(WindowCrew, EachPieceIsDoneOnceInEachOfManyRounds) {
  constexpr std::uint32_t kMostPieces = 9, kRounds = 5000;
  Helped helped(3);
  std::vector<std::uint32_t> times(kMostPieces);  // a piece is one thread's at a time
  std::vector<std::uint32_t> expected(kMostPieces);
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    const std::uint32_t pieces = 1 + round % kMostPieces;
    helped.crew().share(pieces, [&](std::uint32_t piece, std::uint32_t) { ++times[piece]; });
    for (std::uint32_t piece = 0; piece < pieces; ++piece) ++expected[piece];
    ASSERT_EQ(times, expected) << "round " << round;
  }
}

TEST(WindowCrew, WhoSharesIsWorkerZeroAndNoTwoHelpersHaveOneNumber) {
  Helped helped(3);
  std::vector<std::atomic<std::thread::id>> owners(WindowCrew::kMostWorkers);
  std::atomic<bool> mixed = false;
  for (unsigned round = 0; round < 2000; ++round) {
    helped.crew().share(8, [&](std::uint32_t, std::uint32_t worker) {
      std::thread::id nobody;
      const std::thread::id me = std::this_thread::get_id();
      if (!owners[worker].compare_exchange_strong(nobody, me) && nobody != me) mixed = true;
    });
  }
  EXPECT_FALSE(mixed);
  EXPECT_TRUE(owners[0].load() == std::this_thread::get_id() ||
              owners[0].load() == std::thread::id());
}

TEST(WindowCrew, WorksAlone) {
  WindowCrew crew;
  unsigned done = 0;
  crew.share(5, [&](std::uint32_t, std::uint32_t worker) { done += worker == 0 ? 1 : 100; });
  EXPECT_EQ(done, 5u);
}

TEST(WindowParts, EachPartGetsItsItemsInTheirOrderAndOnlyThose) {
  constexpr std::uint32_t kParts = 11;
  Helped helped(2);
  WindowParts<std::uint32_t> parts(kParts);
  for (const std::uint32_t items : {3u, 1000u, 7u}) {  // some windows are too short to share
    std::vector<std::vector<std::uint32_t>> expected(kParts), seen(kParts);
    for (std::uint32_t item = 0; item < items; ++item) {
      const std::uint32_t part = item * item % kParts;
      parts.add(part, item);
      expected[part].push_back(item);
    }
    for (unsigned round = 0; round < 2; ++round) {
      parts.for_each(helped.crew(), [&](std::uint32_t part, std::span<const std::uint32_t> own) {
        seen[part].assign(own.begin(), own.end());
      });
      EXPECT_EQ(seen, expected) << items << " items, round " << round;
    }
    parts.clear();
  }
  parts.for_each(helped.crew(), [](std::uint32_t, std::span<const std::uint32_t>) {
    ADD_FAILURE() << "nothing is left";
  });
}

}  // namespace
}  // namespace wavetank::timing::testing
