#include "hip/runtime/memory/deallocation.hpp"

#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/checked/operation_name.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/allocation_notes.hpp"
#include "hip/runtime/memory/graph_memory.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/memory/pool_block.hpp"
#include "hip/runtime/memory/shared_memory.hpp"
#include "hip/runtime/runtime.hpp"
#include "hip/runtime/transfer.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

/// What a free does when its stream comes to it. A block that was handed out meanwhile, on this
/// stream or one behind it, is closed as well: that stream opens it next.
void pass_free(std::byte* address, std::uint64_t hand_outs) {
  const std::lock_guard lock(pool_mutex());
  PoolBlock* block = find_pool_block(address);
  if (block == nullptr) return;
  if (block->hand_outs == hand_outs) return block->pool->close(address, *block);
  close_pages(address, block->capacity_bytes);
}

Status free_block(std::byte* address, PoolBlock& block, Stream& stream) {
  if (!block.in_use) return Status::kInvalidValue;
  VirtualDevice& device = stream.device();
  const Status sticky = device.sticky_status();
  if (sticky != Status::kSuccess) return sticky;
  const Status status = check_legacy_stream(stream.kind(), false);
  if (status != Status::kSuccess) return status;
  block.pool->take_back(address, block);
  block.freed_on = &device;
  block.freed_by = stream.kind();
  // pass_free() waits for the mutex, so the block knows its free before that runs.
  block.freed = stream.submit(HostOperation{[address, hand_outs = block.hand_outs] {
                                              name_operation("hipFreeAsync");
                                              pass_free(address, hand_outs);
                                            },
                                            touched_block(address, block.size_bytes)});
  note_free(address);
  return Status::kSuccess;
}

}  // namespace

Status free_memory(void* address) {
  if (address == nullptr) return Status::kSuccess;
  Runtime& runtime = Runtime::instance();
  const auto allocation = find_allocation(runtime.memory(), address);
  if (!allocation || allocation->registered || allocation->address != address) {
    return Status::kInvalidValue;
  }
  // Streams of every device may still copy from or to it.
  runtime.synchronize();
  forget_allocation(*allocation);
  note_free(address);
  if (allocation->attached) return close_memory(address, OpenedBy::kPool);
  if (const auto of_graph = find_graph_memory(address)) {
    return free_graph_memory(*of_graph) ? Status::kSuccess : Status::kInvalidValue;
  }
  if (const auto of_pool = free_pool_block(address)) return *of_pool;
  if (runtime.checker() != nullptr) {
    runtime.checker()->on_defined_memory(address, allocation->size_bytes);
  }
  return runtime.memory().free(address) ? Status::kSuccess : Status::kInvalidValue;
}

Status free_in_stream(void* address, Stream& stream) {
  machine::DeviceMemory& memory = stream.device().memory();
  const auto allocation = find_allocation(memory, address);
  if (!allocation || allocation->registered || allocation->address != address) {
    return Status::kInvalidValue;
  }
  forget_allocation(*allocation);
  if (allocation->attached) {
    return submit_operation(
        stream, HostOperation{[address] { (void)close_memory(address, OpenedBy::kPool); }},
        Blocking::kNo);
  }
  if (const auto of_graph = find_graph_memory(address)) {
    if (!free_graph_memory(*of_graph)) return Status::kInvalidValue;
    // What the stream was given may still use the memory.
    return submit_operation(stream, HostOperation{[of_graph] {}}, Blocking::kNo);
  }
  {
    const std::lock_guard lock(pool_mutex());
    if (PoolBlock* block = find_pool_block(address)) {
      return free_block(static_cast<std::byte*>(address), *block, stream);
    }
  }
  note_free(address);
  return submit_operation(stream,
                          HostOperation{[address, &memory] {
                                          name_operation("hipFreeAsync");
                                          (void)memory.free(address);
                                        },
                                        touched_block(address, allocation->size_bytes)},
                          Blocking::kNo);
}

}  // namespace wavetank::hip
