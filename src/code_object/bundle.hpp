// Offload bundles (clang-offload-bundler), plain and compressed (CCOB versions 1 to 3, zlib and
// zstd), and the choice of the right code object for a device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "code_object/target_id.hpp"

namespace wavetank::code_object {

/// What an offload bundle begins with (clang, "Offload Bundler").
inline constexpr std::string_view kBundleMagic = "__CLANG_OFFLOAD_BUNDLE__";

/// One image of a bundle.
struct BundleEntry {
  std::string id;  ///< as written: "hipv4-amdgcn-amd-amdhsa--gfx90a"
  bool is_host = false;
  TargetId target;  ///< empty for the host and for targets that are no AMD processor (SPIR-V)
  std::span<const std::byte> image;
};

/// A bundle. The images refer to `storage` (the decompressed bytes or the mapped file) if there is
/// one, else to the bytes that the caller gave.
struct Bundle {
  std::vector<BundleEntry> entries;
  std::shared_ptr<const void> storage;
  /// How many bytes the bundle takes where it was read, compressed if it is.
  std::uint64_t size_bytes = 0;
};

/// Reads a bundle that starts at bytes[0]. The span may reach beyond its end (a program's
/// .hip_fatbin has no size in the ABI). A raw ELF gives one entry. Errors: kBadBundle, kBadElf.
Result<Bundle> read_bundle(std::span<const std::byte> bytes);

/// The entry that runs on `device`. Errors: kNoMatchingCodeObject, with the list of what there is.
Result<const BundleEntry*> select_entry(const Bundle& bundle, const TargetId& device);

/// Every code object in a file of any kind: host executable, object or library (.hip_fatbin
/// section, which may hold several bundles), bundle, .hsaco. The file is mapped, not copied.
/// Errors: kFileUnreadable, kBadBundle (also when the file holds no device code), kBadElf.
Result<std::vector<Bundle>> read_bundles_of_file(const std::string& path);

}  // namespace wavetank::code_object
