// HIP API: device, constant and managed variables by their host symbols.
#include "hip/api/entry.hpp"
#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::Status;

namespace {

Status place_of(const void* symbol, VirtualDevice& device, VariablePlace& place) {
  if (symbol == nullptr) return Status::kInvalidValue;
  const auto found = Registry::instance().variable(symbol, device);
  if (!found) return Status::kInvalidSymbol;
  place = *found;
  return Status::kSuccess;
}

/// A copy between `size_bytes` at `offset_bytes` of a symbol and other memory.
Status copy_symbol(const void* symbol, void* other, std::size_t size_bytes,
                   std::size_t offset_bytes, MemcpyKind kind, bool to_symbol, void* stream_handle,
                   Blocking blocking) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    VariablePlace place;
    const Status status = place_of(symbol, stream.device(), place);
    if (status != Status::kSuccess) return status;
    if (offset_bytes > place.size_bytes || size_bytes > place.size_bytes - offset_bytes) {
      return Status::kInvalidValue;
    }
    const PitchedBytes inside{place.address + offset_bytes, size_bytes, size_bytes};
    const PitchedBytes outside{static_cast<std::byte*>(other), size_bytes, size_bytes};
    const CopyOperation copy{.target = to_symbol ? inside : outside,
                             .source = to_symbol ? outside : inside,
                             .width_bytes = size_bytes};
    return submit_copy(stream, copy, kind, blocking);
  });
}

Status to_symbol(const void* symbol, const void* source, std::size_t size_bytes,
                 std::size_t offset_bytes, MemcpyKind kind, void* stream, Blocking blocking) {
  if (kind == MemcpyKind::kDeviceToHost) return api::remember(Status::kInvalidMemcpyDirection);
  return copy_symbol(symbol, const_cast<void*>(source), size_bytes, offset_bytes, kind, true,
                     stream, blocking);
}

Status from_symbol(void* target, const void* symbol, std::size_t size_bytes,
                   std::size_t offset_bytes, MemcpyKind kind, void* stream, Blocking blocking) {
  if (kind == MemcpyKind::kHostToDevice) return api::remember(Status::kInvalidMemcpyDirection);
  return copy_symbol(symbol, target, size_bytes, offset_bytes, kind, false, stream, blocking);
}

}  // namespace

WAVETANK_API Status hipGetSymbolAddress(void** address, const void* symbol) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (address == nullptr) return Status::kInvalidValue;
    VariablePlace place;
    const Status status = place_of(symbol, device, place);
    *address = place.address;
    return status;
  });
}

WAVETANK_API Status hipGetSymbolSize(std::size_t* size_bytes, const void* symbol) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (size_bytes == nullptr) return Status::kInvalidValue;
    VariablePlace place;
    const Status status = place_of(symbol, device, place);
    *size_bytes = place.size_bytes;
    return status;
  });
}

WAVETANK_API Status hipMemcpyToSymbol(const void* symbol, const void* source,
                                      std::size_t size_bytes, std::size_t offset_bytes,
                                      MemcpyKind kind) {
  return to_symbol(symbol, source, size_bytes, offset_bytes, kind, api::kNullStream,
                   Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyToSymbol_spt(const void* symbol, const void* source,
                                          std::size_t size_bytes, std::size_t offset_bytes,
                                          MemcpyKind kind) {
  return to_symbol(symbol, source, size_bytes, offset_bytes, kind, api::per_thread_handle(nullptr),
                   Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyToSymbolAsync(const void* symbol, const void* source,
                                           std::size_t size_bytes, std::size_t offset_bytes,
                                           MemcpyKind kind, void* stream) {
  return to_symbol(symbol, source, size_bytes, offset_bytes, kind, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyToSymbolAsync_spt(const void* symbol, const void* source,
                                               std::size_t size_bytes, std::size_t offset_bytes,
                                               MemcpyKind kind, void* stream) {
  return to_symbol(symbol, source, size_bytes, offset_bytes, kind, api::per_thread_handle(stream),
                   Blocking::kNo);
}

WAVETANK_API Status hipMemcpyFromSymbol(void* target, const void* symbol, std::size_t size_bytes,
                                        std::size_t offset_bytes, MemcpyKind kind) {
  return from_symbol(target, symbol, size_bytes, offset_bytes, kind, api::kNullStream,
                     Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyFromSymbol_spt(void* target, const void* symbol,
                                            std::size_t size_bytes, std::size_t offset_bytes,
                                            MemcpyKind kind) {
  return from_symbol(target, symbol, size_bytes, offset_bytes, kind,
                     api::per_thread_handle(nullptr), Blocking::kForHost);
}

WAVETANK_API Status hipMemcpyFromSymbolAsync(void* target, const void* symbol,
                                             std::size_t size_bytes, std::size_t offset_bytes,
                                             MemcpyKind kind, void* stream) {
  return from_symbol(target, symbol, size_bytes, offset_bytes, kind, stream, Blocking::kNo);
}

WAVETANK_API Status hipMemcpyFromSymbolAsync_spt(void* target, const void* symbol,
                                                 std::size_t size_bytes, std::size_t offset_bytes,
                                                 MemcpyKind kind, void* stream) {
  return from_symbol(target, symbol, size_bytes, offset_bytes, kind, api::per_thread_handle(stream),
                     Blocking::kNo);
}
