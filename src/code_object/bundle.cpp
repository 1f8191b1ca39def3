#include "code_object/bundle.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "code_object/bad_file.hpp"
#include "code_object/byte_view.hpp"
#include "code_object/code_object.hpp"
#include "code_object/compressed_bundle.hpp"
#include "code_object/elf.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::uint64_t kMaxEntries = 4096;
constexpr std::uint64_t kMaxIdBytes = 1024;

/// Reads the entry at offset `at` and moves it to the next one.
Result<BundleEntry> read_entry(ByteView bytes, std::uint64_t& at) {
  const auto offset = bytes.read<std::uint64_t>(at);
  const auto size_bytes = bytes.read<std::uint64_t>(at + 8);
  const auto id_bytes = bytes.read<std::uint64_t>(at + 16);
  if (!offset || !size_bytes || !id_bytes) return bad_bundle("an offload bundle is truncated");
  if (*id_bytes > kMaxIdBytes) return bad_bundle("an offload bundle has an impossibly long id");
  const auto id = bytes.text(at + 24, *id_bytes);
  if (!id) return bad_bundle("an offload bundle is truncated");
  const auto image = bytes.slice(*offset, *size_bytes);
  if (!image) {
    return bad_bundle("the image for " + std::string(*id) + " lies outside the offload bundle");
  }
  at += 24 + *id_bytes;
  BundleEntry entry;
  entry.id = std::string(*id);
  entry.image = *image;
  entry.is_host = id->starts_with("host-");
  if (!entry.is_host) {
    // What is no target id (SPIR-V, for example) is listed but never chosen.
    if (auto target = parse_target_id(*id)) entry.target = std::move(*target);
  }
  return entry;
}

Result<Bundle> read_plain_bundle(ByteView bytes) {
  const auto count = bytes.read<std::uint64_t>(kBundleMagic.size());
  if (!count) return bad_bundle("an offload bundle is truncated in its header");
  if (*count > kMaxEntries) {
    return bad_bundle("an offload bundle claims " + std::to_string(*count) + " entries");
  }
  Bundle bundle;
  std::uint64_t at = kBundleMagic.size() + sizeof(std::uint64_t);
  for (std::uint64_t i = 0; i < *count; ++i) {
    auto entry = read_entry(bytes, at);
    if (!entry) return tl::unexpected(entry.error());
    bundle.entries.push_back(std::move(*entry));
  }
  bundle.size_bytes = at;
  for (const BundleEntry& entry : bundle.entries) {
    const auto start = static_cast<std::uint64_t>(entry.image.data() - bytes.bytes().data());
    bundle.size_bytes = std::max(bundle.size_bytes, start + entry.image.size());
  }
  return bundle;
}

Result<Bundle> read_elf_as_bundle(std::span<const std::byte> bytes) {
  auto target = target_of_elf(bytes);
  if (!target) return tl::unexpected(target.error());
  auto extent = elf_extent_bytes(ByteView(bytes));
  if (!extent) return tl::unexpected(extent.error());
  Bundle bundle;
  bundle.size_bytes = *extent;
  bundle.entries.push_back(
      {"hipv4-amdgcn-amd-amdhsa--" + target->to_text(), false, *target, bytes.first(*extent)});
  return bundle;
}

Result<Bundle> read_compressed_bundle(ByteView bytes) {
  auto decompressed = decompress_bundle(bytes);
  if (!decompressed) return tl::unexpected(decompressed.error());
  auto content = std::make_shared<const std::vector<std::byte>>(std::move(decompressed->content));
  const ByteView view(*content);
  if (view.text(0, kBundleMagic.size()) != kBundleMagic) {
    return bad_bundle("a compressed bundle holds no offload bundle");
  }
  auto bundle = read_plain_bundle(view);
  if (!bundle) return bundle;
  bundle->storage = std::move(content);
  bundle->size_bytes = decompressed->compressed_size_bytes;
  return bundle;
}

int specificity(const TargetId& id) {
  return int{id.sramecc != Feature::kAny} + int{id.xnack != Feature::kAny};
}

}  // namespace

Result<Bundle> read_bundle(std::span<const std::byte> bytes) {
  const ByteView view(bytes);
  if (view.text(0, kBundleMagic.size()) == kBundleMagic) return read_plain_bundle(view);
  if (is_compressed_bundle(bytes)) return read_compressed_bundle(view);
  if (is_elf(bytes)) return read_elf_as_bundle(bytes);
  return bad_bundle("the bytes are neither an offload bundle nor an ELF code object");
}

Result<const BundleEntry*> select_entry(const Bundle& bundle, const TargetId& device) {
  const BundleEntry* best = nullptr;
  std::string held;
  for (const BundleEntry& entry : bundle.entries) {
    if (entry.is_host) continue;
    const std::string name = entry.target.processor.empty() ? entry.id : entry.target.to_text();
    held += (held.empty() ? "" : ", ") + name;
    if (!entry.target.runs_on(device)) continue;
    if (best == nullptr || specificity(entry.target) > specificity(best->target)) best = &entry;
  }
  if (best != nullptr) return best;
  return tl::unexpected<Error>(
      Error{ErrorCode::kNoMatchingCodeObject,
            "no code object for " + device.to_text(),
            {},
            held.empty() ? "there is no device code at all" : "there is code for " + held,
            "compile with --offload-arch=" + device.processor});
}

}  // namespace wavetank::code_object
