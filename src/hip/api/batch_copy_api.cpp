// HIP API: batches of copies. What is refused follows AMD's runtime (ROCm/clr, hip_memory.cpp).
#include <cstdint>
#include <optional>
#include <span>

#include "hip/abi/copy_types.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/memory/copy_description.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::SourceAccessOrder;
using abi::Status;

namespace {

constexpr std::size_t kNoIndex = SIZE_MAX;

/// The copies of hipMemcpyBatchAsync. Attributes number i hold from copy first_copies[i] on.
struct Batch {
  std::span<void* const> targets;
  std::span<void* const> sources;
  std::span<const std::size_t> sizes;
  std::span<const abi::MemcpyAttributes> attributes;
  std::span<const std::size_t> first_copies;
};

CopyOperation linear(const Batch& batch, std::size_t index) {
  const std::size_t size = batch.sizes[index];
  return {.target = {static_cast<std::byte*>(batch.targets[index]), size, size},
          .source = {static_cast<std::byte*>(batch.sources[index]), size, size},
          .width_bytes = size};
}

/// Pageable memory is read at once unless the program says that it stays as it is.
SourceAccess access_for(SourceAccessOrder order) {
  const bool later = order == SourceAccessOrder::kStream || order == SourceAccessOrder::kAny;
  return later ? SourceAccess::kInStreamOrder : SourceAccess::kDuringCall;
}

Status check_attributes(const Batch& batch) {
  constexpr std::uint32_t kIndirect = abi::kIndirectSource | abi::kIndirectTarget;
  std::uint32_t used = 0;
  for (std::size_t i = 0; i < batch.attributes.size(); ++i) {
    const std::size_t first = batch.first_copies[i];
    if (i == 0 ? first != 0 : first <= batch.first_copies[i - 1]) return Status::kInvalidValue;
    if (first >= batch.sizes.size()) return Status::kInvalidValue;
    const auto& [order, source_hint, target_hint, flags] = batch.attributes[i];
    if (order < SourceAccessOrder::kStream || order > SourceAccessOrder::kAny) {
      return Status::kInvalidValue;
    }
    if ((flags & abi::kSwap) != 0 && (flags & kIndirect) != 0) return Status::kInvalidValue;
    used |= flags;
  }
  // Only the copy engines of some devices swap, or follow pointers.
  return (used & (abi::kSwap | kIndirect)) != 0 ? Status::kNotSupported : Status::kSuccess;
}

/// Checks every copy before the first runs; `failed` becomes the copy that cannot be.
Status check_copies(VirtualDevice& device, const Batch& batch, std::size_t& failed) {
  for (std::size_t i = 0; i < batch.sizes.size(); ++i) {
    failed = i;
    if (batch.sizes[i] == 0) return Status::kInvalidValue;
    const Status status = check_copy(device.memory(), linear(batch, i), MemcpyKind::kDefault);
    if (status != Status::kSuccess) return status;
  }
  failed = kNoIndex;
  return Status::kSuccess;
}

Status submit_batch(Stream& stream, const Batch& batch) {
  std::size_t next = 0;
  SourceAccess access = SourceAccess::kDuringCall;
  for (std::size_t i = 0; i < batch.sizes.size(); ++i) {
    if (next < batch.attributes.size() && batch.first_copies[next] == i) {
      access = access_for(batch.attributes[next++].source_access_order);
    }
    const Status status =
        submit_copy(stream, linear(batch, i), MemcpyKind::kDefault, Blocking::kNo, access);
    if (status != Status::kSuccess) return status;
  }
  return Status::kSuccess;
}

/// The element that the lengths of a copy count: the array's, or a byte. Nothing for a bad operand.
std::optional<std::size_t> element_bytes_of(const abi::BatchCopy3d& wanted) {
  std::size_t bytes = 1;
  for (const abi::CopyOperand* operand : {&wanted.target, &wanted.source}) {
    if (operand->type == abi::CopyOperandType::kPointer) continue;
    if (operand->type != abi::CopyOperandType::kArray) return {};
    if (!is_array(operand->array.array)) return {};
    bytes = element_bytes(*operand->array.array);
  }
  return bytes;
}

abi::PitchedPointer pitched(const abi::CopyOperand& operand, const abi::Extent& extent,
                            std::size_t unit) {
  const auto& [address, row_length, layer_height, hint] = operand.pointer;
  const std::size_t row = row_length != 0 ? row_length : extent.width;
  return {address, row * unit, row, layer_height != 0 ? layer_height : extent.height};
}

std::optional<abi::Memcpy3d> to_memcpy_3d(const abi::BatchCopy3d& wanted) {
  const auto unit = element_bytes_of(wanted);
  if (!unit) return {};
  abi::Memcpy3d copy{};
  copy.extent = wanted.extent;
  copy.kind = MemcpyKind::kDefault;
  if (wanted.source.type == abi::CopyOperandType::kPointer) {
    copy.source = pitched(wanted.source, wanted.extent, *unit);
  } else {
    copy.source_array = wanted.source.array.array;
    copy.source_position = wanted.source.array.offset;
  }
  if (wanted.target.type == abi::CopyOperandType::kPointer) {
    copy.target = pitched(wanted.target, wanted.extent, *unit);
  } else {
    copy.target_array = wanted.target.array.array;
    copy.target_position = wanted.target.array.offset;
  }
  return copy;
}

Status submit_3d(Stream& stream, const abi::BatchCopy3d& wanted) {
  const auto described = to_memcpy_3d(wanted);
  if (!described) return Status::kInvalidValue;
  CopyOperation copy;
  const Status status = describe_copy(*described, copy);
  if (status != Status::kSuccess) return status;
  return submit_copy(stream, copy, described->kind, Blocking::kNo,
                     access_for(wanted.source_access_order));
}

}  // namespace

WAVETANK_API Status hipMemcpyBatchAsync(void** targets, void** sources, std::size_t* sizes,
                                        std::size_t count, abi::MemcpyAttributes* attributes,
                                        std::size_t* first_copies, std::size_t attribute_count,
                                        std::size_t* failed_copy, void* handle) {
  return api::call_with_valid_stream(handle, [&](Stream& stream) {
    if (targets == nullptr || sources == nullptr || sizes == nullptr || count == 0) {
      return Status::kInvalidValue;
    }
    const bool missing = attributes == nullptr || first_copies == nullptr;
    if (attribute_count > 0 && (missing || attribute_count > count)) return Status::kInvalidValue;
    const Batch batch{{targets, count},
                      {sources, count},
                      {sizes, count},
                      {attributes, attribute_count},
                      {first_copies, attribute_count}};
    std::size_t failed = kNoIndex;
    Status status = check_attributes(batch);
    if (status == Status::kSuccess) status = check_copies(stream.device(), batch, failed);
    if (failed_copy != nullptr) *failed_copy = failed;
    return status == Status::kSuccess ? submit_batch(stream, batch) : status;
  });
}

WAVETANK_API Status hipMemcpy3DBatchAsync(std::size_t count, abi::BatchCopy3d* copies,
                                          std::size_t* failed_copy, unsigned long long flags,
                                          void* handle) {
  return api::call_with_valid_stream(handle, [&](Stream& stream) {
    if (copies == nullptr || count == 0 || flags != 0) return Status::kInvalidValue;
    std::size_t failed = kNoIndex;
    Status status = Status::kSuccess;
    for (std::size_t i = 0; i < count && status == Status::kSuccess; ++i) {
      status = submit_3d(stream, copies[i]);
      if (status != Status::kSuccess) failed = i;
    }
    if (failed_copy != nullptr) *failed_copy = failed;
    return status;
  });
}
