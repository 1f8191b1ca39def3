// The stream on which arrays work. All operations of a thread go to its current stream, which is
// the null stream unless a stream_scope says otherwise.
#pragma once

#include "error.hpp"

namespace wavetank {
namespace detail {
inline thread_local hipStream_t thread_stream = nullptr;
}

/// The stream to which this thread's array operations go.
inline hipStream_t current_stream() { return detail::thread_stream; }

/// Sends this thread's array operations to another stream until the end of the scope. Who uses an
/// array on several streams orders them, as with any memory of hipMallocAsync.
class stream_scope {
 public:
  explicit stream_scope(hipStream_t stream) : before_(detail::thread_stream) {
    detail::thread_stream = stream;
  }
  stream_scope(const stream_scope&) = delete;
  stream_scope& operator=(const stream_scope&) = delete;
  ~stream_scope() { detail::thread_stream = before_; }

 private:
  hipStream_t before_;
};

/// Waits for everything on the current stream; throws what went wrong there.
inline void synchronize() {
  check(hipStreamSynchronize(current_stream()), "waiting for the stream");
}

}  // namespace wavetank
