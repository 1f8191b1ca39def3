#include <algorithm>
#include <string_view>
#include <utility>

#include "base/file.hpp"
#include "code_object/bundle.hpp"
#include "code_object/byte_view.hpp"
#include "code_object/compressed_bundle.hpp"
#include "code_object/elf.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::string_view kFatBinarySection = ".hip_fatbin";
// clang aligns every fat binary to a page (HipCodeObjectAlign).
constexpr std::uint64_t kBundleAlignBytes = 4096;

bool starts_bundle(ByteView bytes, std::uint64_t offset) {
  const auto rest = bytes.bytes().subspan(offset);
  return ByteView(rest).text(0, kBundleMagic.size()) == kBundleMagic || is_compressed_bundle(rest);
}

/// Where the next bundle starts at or after `offset`: behind zero padding, else at a page boundary.
/// The magic alone is not searched for, since it occurs inside compressed streams.
std::uint64_t next_bundle(ByteView bytes, std::uint64_t offset) {
  const auto content = bytes.bytes();
  const auto behind_padding = static_cast<std::uint64_t>(
      std::find_if(content.begin() + static_cast<std::ptrdiff_t>(offset), content.end(),
                   [](std::byte value) { return value != std::byte{0}; }) -
      content.begin());
  if (behind_padding == bytes.size() || starts_bundle(bytes, behind_padding)) {
    return behind_padding;
  }
  std::uint64_t at = (offset + kBundleAlignBytes - 1) / kBundleAlignBytes * kBundleAlignBytes;
  while (at < bytes.size() && !starts_bundle(bytes, at)) at += kBundleAlignBytes;
  return std::min(at, bytes.size());
}

/// Reads bundles that follow each other. Errors: kBadBundle, kBadElf.
Result<std::vector<Bundle>> read_bundles(std::span<const std::byte> bytes) {
  std::vector<Bundle> bundles;
  const ByteView view(bytes);
  for (std::uint64_t at = next_bundle(view, 0); at < view.size();) {
    auto bundle = read_bundle(bytes.subspan(at));
    if (!bundle) return tl::unexpected(bundle.error());
    const std::uint64_t end = at + bundle->size_bytes;
    bundles.push_back(std::move(*bundle));
    at = next_bundle(view, end);
  }
  return bundles;
}

/// The sections of a relocatable object that clang-offload-bundler made are one bundle: each is
/// named by the magic and the entry's id.
Bundle bundle_of_sections(const std::vector<Section>& sections) {
  Bundle bundle;
  for (const Section& section : sections) {
    if (!section.name.starts_with(kBundleMagic)) continue;
    const std::string_view id = section.name.substr(kBundleMagic.size());
    BundleEntry entry;
    entry.id = std::string(id);
    entry.is_host = id.starts_with("host-");
    entry.image = section.content;
    if (!entry.is_host) {
      if (auto target = parse_target_id(id)) entry.target = std::move(*target);
    }
    bundle.size_bytes += section.content.size();
    bundle.entries.push_back(std::move(entry));
  }
  return bundle;
}

Result<std::vector<Bundle>> read_bundles_of_host_elf(ByteView file, const ElfHeader& header) {
  auto sections = read_sections(file, header);
  if (!sections) return tl::unexpected(sections.error());
  std::vector<Bundle> bundles;
  for (const Section& section : *sections) {
    if (section.name != kFatBinarySection) continue;
    auto found = read_bundles(section.content);
    if (!found) return found;
    std::move(found->begin(), found->end(), std::back_inserter(bundles));
  }
  Bundle bundle = bundle_of_sections(*sections);
  if (!bundle.entries.empty()) bundles.push_back(std::move(bundle));
  return bundles;
}

Result<std::vector<Bundle>> read_bundles_of_bytes(std::span<const std::byte> bytes) {
  if (is_elf(bytes)) {
    auto header = read_elf_header(ByteView(bytes));
    if (!header) return tl::unexpected(header.error());
    if (header->machine != kElfMachineAmdgpu) {
      return read_bundles_of_host_elf(ByteView(bytes), *header);
    }
    auto bundle = read_bundle(bytes);
    if (!bundle) return tl::unexpected(bundle.error());
    std::vector<Bundle> bundles;
    bundles.push_back(std::move(*bundle));
    return bundles;
  }
  if (!starts_bundle(ByteView(bytes), 0)) return std::vector<Bundle>();
  return read_bundles(bytes);
}

}  // namespace

Result<std::vector<Bundle>> read_bundles_of_file(const std::string& path) {
  auto file = MappedFile::open(path);
  if (!file) return tl::unexpected(file.error());
  auto bundles = read_bundles_of_bytes((*file)->bytes());
  if (!bundles) {
    Error error = bundles.error();
    error.where = path;
    return tl::unexpected(error);
  }
  if (bundles->empty()) {
    return fail(ErrorCode::kBadBundle, "the file holds no device code", path,
                "compile it as HIP, for example with clang++ -x hip --offload-arch=gfx90a");
  }
  for (Bundle& bundle : *bundles) {
    if (bundle.storage == nullptr) bundle.storage = *file;
  }
  return bundles;
}

}  // namespace wavetank::code_object
