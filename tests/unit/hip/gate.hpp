// What holds a stream back while a test looks at it.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <future>

namespace wavetank::tests {

/// A host function that blocks its stream until it is opened.
class Gate {
 public:
  void put_on(hipStream_t stream) {
    ASSERT_EQ(hipLaunchHostFunc(stream, [](void* gate) { static_cast<Gate*>(gate)->wait(); }, this),
              hipSuccess);
  }
  void open() { promise_.set_value(); }

 private:
  void wait() { future_.wait(); }
  std::promise<void> promise_;
  std::shared_future<void> future_ = promise_.get_future().share();
};

}  // namespace wavetank::tests
