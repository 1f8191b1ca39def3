// Compressed offload bundles: "CCOB", a version, a method and one zlib or zstd stream (clang's
// OffloadBundler.cpp, CompressedOffloadBundle, versions 1 to 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "code_object/byte_view.hpp"

namespace wavetank::code_object {

/// True if the bytes start as a compressed bundle does.
bool is_compressed_bundle(std::span<const std::byte> bytes);

/// What a compressed bundle holds.
struct DecompressedBundle {
  std::vector<std::byte> content;
  std::uint64_t compressed_size_bytes = 0;  ///< header and stream
};

/// Decompresses the bundle at the start of `bytes`, which may reach beyond its end. Memory grows
/// with what the stream really holds, never with what the header claims. Errors: kBadBundle.
Result<DecompressedBundle> decompress_bundle(ByteView bytes);

}  // namespace wavetank::code_object
