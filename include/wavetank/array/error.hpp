// The exceptions of wavetank::array. Each message says what was asked for, with shapes, and what to
// do.
#pragma once

#include <hip/hip_runtime_api.h>

#include <stdexcept>
#include <string>

namespace wavetank {

/// The base of every exception that an array throws.
class array_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Shapes that do not fit each other, or an index outside of a shape.
class shape_error : public array_error {
 public:
  using array_error::array_error;
};

/// An element was read or written from the host where that is not allowed (scalar_access.hpp).
class scalar_access_error : public array_error {
 public:
  using array_error::array_error;
};

/// A launch that the device cannot do; the message says which limit it breaks.
class launch_error : public array_error {
 public:
  using array_error::array_error;
};

/// A call of the HIP runtime, or of a library, that failed.
class device_error : public array_error {
 public:
  /// `call` is what was tried, in words.
  device_error(hipError_t code, const std::string& call)
      : array_error(call + ": " + hipGetErrorString(code)), code_(code) {}

  /// The runtime's own code.
  hipError_t code() const { return code_; }

 private:
  hipError_t code_;
};

/// A call of one of AMD's libraries that failed.
class library_error : public array_error {
 public:
  /// `status` is the library's own code.
  library_error(const std::string& library, int status, const std::string& call)
      : array_error(call + ": " + library + " gives status " + std::to_string(status) +
                    " (its header says what that is; a library may lack kernels for this device)"),
        status_(status) {}

  int status() const { return status_; }

 private:
  int status_;
};

/// Throws device_error unless `code` is hipSuccess; `call` says in words what was tried.
inline void check(hipError_t code, const char* call) {
  if (code != hipSuccess) throw device_error(code, call);
}

}  // namespace wavetank
