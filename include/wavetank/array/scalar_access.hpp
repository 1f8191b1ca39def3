// The guard against slow access: an element read or written from the host is a copy over the bus
// and a wait, so it is refused unless the program says that it means it.
#pragma once

#include <atomic>
#include <cstdint>

#include "stream.hpp"

namespace wavetank {
namespace detail {
inline thread_local int scalar_allowed = 0;
inline std::atomic<std::uint64_t> scalar_count{0};

/// Counts an access, or refuses it.
inline void admit_scalar_access() {
  if (scalar_allowed == 0)
    throw scalar_access_error(
        "an element of a device array was accessed from the host: each such access is a copy over "
        "the "
        "bus and a wait for the device, so a loop of them is very slow. Use an operation on the "
        "whole "
        "array, or copy_to the host first; where single elements are meant, put "
        "`wavetank::allow_scalar "
        "here;` into the scope");
  ++scalar_count;
}
}  // namespace detail

/// While one is alive, this thread may access single elements from the host.
class allow_scalar {
 public:
  allow_scalar() { ++detail::scalar_allowed; }
  allow_scalar(const allow_scalar&) = delete;
  allow_scalar& operator=(const allow_scalar&) = delete;
  ~allow_scalar() { --detail::scalar_allowed; }
};

/// How many single elements the host has read or written so far, over all threads.
inline std::uint64_t scalar_accesses() { return detail::scalar_count; }

/// An element of a device array on the host: reading and assigning copy it over the bus.
template <class T>
class element_reference {
 public:
  explicit element_reference(T* element) : element_(element) {}

  operator T() const {
    detail::admit_scalar_access();
    T value;
    check(hipMemcpyAsync(&value, element_, sizeof(T), hipMemcpyDeviceToHost, current_stream()),
          "reading an element");
    synchronize();
    return value;
  }
  element_reference& operator=(const T& value) {
    detail::admit_scalar_access();
    check(hipMemcpyAsync(element_, &value, sizeof(T), hipMemcpyHostToDevice, current_stream()),
          "writing an element");
    synchronize();
    return *this;
  }
  element_reference& operator=(const element_reference& other) {
    return *this = static_cast<T>(other);
  }
  element_reference(const element_reference&) = default;
  element_reference& operator+=(const T& value) { return *this = static_cast<T>(*this) + value; }
  element_reference& operator-=(const T& value) { return *this = static_cast<T>(*this) - value; }
  element_reference& operator*=(const T& value) { return *this = static_cast<T>(*this) * value; }
  element_reference& operator/=(const T& value) { return *this = static_cast<T>(*this) / value; }

 private:
  T* element_;
};

}  // namespace wavetank
