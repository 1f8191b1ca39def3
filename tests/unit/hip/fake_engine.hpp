// An Engine for tests of the runtime: kernels do what the test says.
#pragma once

#include <functional>
#include <mutex>

#include "dispatch/engine.hpp"

namespace wavetank::test {

class FakeEngine {
 public:
  /// What every launch does from now on.
  void set_body(std::function<Result<void>(const dispatch::Launch&)> body);
  Result<void> run(const dispatch::Launch& launch);

 private:
  std::mutex mutex_;
  std::function<Result<void>(const dispatch::Launch&)> body_;
};

/// The engine behind every dispatch::Engine of the test program.
FakeEngine& fake_engine();

}  // namespace wavetank::test
