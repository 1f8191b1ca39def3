// Operations on a stream of one's own, and memory that goes from array to array there.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/stream.hpp>

#include "judge.hpp"

int main() {
  hipStream_t stream;
  wt::check(hipStreamCreate(&stream), "creating a stream");
  {
    const wt::stream_scope here(stream);
    judge::check(wt::current_stream() == stream, "a scope has its stream");
    wt::array<int> a = wt::iota<int>(1000);
    for (int i = 0; i < 10; ++i) a = a + wt::ones<int>(1000);  // one memory block for all ten
    judge::same("operations follow each other on a stream", a, wt::iota<int>(1000, 10).to_vector());
    judge::check(wt::memory_used().bytes_at_most < 5 * 4096, "what was freed is used again");
  }
  judge::check(wt::current_stream() == nullptr, "the scope ends");
  wt::check(hipStreamDestroy(stream), "ending a stream");
  judge::throws<wt::device_error>(
      "errors of the runtime say what was tried",
      "asking for nothing: ", [] { wt::check(hipErrorInvalidValue, "asking for nothing"); });
  return judge::verdict();
}
