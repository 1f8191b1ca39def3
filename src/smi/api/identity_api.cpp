// rocm_smi.h: what identifies a card.
#include <fmt/format.h>

#include <unistd.h>

#include "smi/api/entry.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::smi {

using abi::Status;

namespace {

using target::known;

constexpr const char* kVendorName = "Advanced Micro Devices, Inc. [AMD/ATI]";  // pci.ids
// The host is node 0 of the machine, cards follow; /dev/dri/renderD128 is the first render node.
constexpr std::uint32_t kFirstNode = 1;
constexpr std::uint32_t kFirstRenderMinor = 128;
constexpr std::uint32_t kFirstGpuId = 1000;

std::optional<double> subsystem(const Card& card) {
  return api::number(card, known("board.pci_subsystem"));
}

}  // namespace

WAVETANK_SMI_API Status rsmi_dev_id_get(std::uint32_t index, std::uint16_t* id) {
  return api::on_card(index, [&](const Card& card) {
    return api::give(id, api::number(card, known("board.pci_device")));
  });
}

WAVETANK_SMI_API Status rsmi_dev_revision_get(std::uint32_t index, std::uint16_t* revision) {
  return api::on_card(index, [&](const Card&) { return api::give(revision, 0); });
}

WAVETANK_SMI_API Status rsmi_dev_vendor_id_get(std::uint32_t index, std::uint16_t* id) {
  return api::on_card(index, [&](const Card&) { return api::give(id, target::kPciVendor); });
}

WAVETANK_SMI_API Status rsmi_dev_subsystem_vendor_id_get(std::uint32_t index, std::uint16_t* id) {
  return api::on_card(index, [&](const Card&) { return api::give(id, target::kPciVendor); });
}

WAVETANK_SMI_API Status rsmi_dev_subsystem_id_get(std::uint32_t index, std::uint16_t* id) {
  return api::on_card(index, [&](const Card& card) { return api::give(id, subsystem(card)); });
}

WAVETANK_SMI_API Status rsmi_dev_name_get(std::uint32_t index, char* text, std::size_t length) {
  return api::on_card(index, [&](const Card& card) {
    return api::give_text(text, length, card.device.marketing_name);
  });
}

WAVETANK_SMI_API Status rsmi_dev_market_name_get(std::uint32_t index, char* text,
                                                 std::uint32_t length) {
  return rsmi_dev_name_get(index, text, length);
}

/// AMD's library gives the marketing name where a card has no brand of its own.
WAVETANK_SMI_API Status rsmi_dev_brand_get(std::uint32_t index, char* text, std::uint32_t length) {
  return rsmi_dev_name_get(index, text, length);
}

WAVETANK_SMI_API Status rsmi_dev_vendor_name_get(std::uint32_t index, char* text,
                                                 std::size_t length) {
  return api::on_card(index,
                      [&](const Card&) { return api::give_text(text, length, kVendorName); });
}

/// The number in hexadecimal, as AMD's library says a subsystem that pci.ids does not name.
WAVETANK_SMI_API Status rsmi_dev_subsystem_name_get(std::uint32_t index, char* text,
                                                    std::size_t length) {
  return api::on_card(index, [&](const Card& card) {
    const auto id = subsystem(card);
    if (!id) return Status::kNotSupported;
    return api::give_text(text, length, fmt::format("0x{:x}", static_cast<unsigned>(*id)));
  });
}

WAVETANK_SMI_API Status rsmi_dev_serial_number_get(std::uint32_t index, char* text,
                                                   std::uint32_t length) {
  return api::on_card(index, [&](const Card& card) {
    return api::give_text(text, length, target::unique_id_text(card.slot));
  });
}

WAVETANK_SMI_API Status rsmi_dev_unique_id_get(std::uint32_t index, std::uint64_t* id) {
  return api::on_card(
      index, [&](const Card& card) { return api::give(id, target::unique_id(card.slot)); });
}

WAVETANK_SMI_API Status rsmi_dev_drm_render_minor_get(std::uint32_t index, std::uint32_t* minor) {
  return api::on_card(
      index, [&](const Card& card) { return api::give(minor, kFirstRenderMinor + card.slot); });
}

WAVETANK_SMI_API Status rsmi_dev_guid_get(std::uint32_t index, std::uint64_t* guid) {
  return api::on_card(index,
                      [&](const Card& card) { return api::give(guid, kFirstGpuId + card.slot); });
}

WAVETANK_SMI_API Status rsmi_dev_node_id_get(std::uint32_t index, std::uint32_t* node) {
  return api::on_card(index,
                      [&](const Card& card) { return api::give(node, kFirstNode + card.slot); });
}

WAVETANK_SMI_API Status rsmi_dev_pci_id_get(std::uint32_t index, std::uint64_t* bdf) {
  return api::on_card(index, [&](const Card& card) { return api::give(bdf, card.bdf()); });
}

WAVETANK_SMI_API Status rsmi_dev_device_identifiers_get(std::uint32_t index,
                                                        abi::Identifiers* identifiers) {
  return api::on_card(index, [&](const Card& card) {
    abi::Identifiers all{};
    all.card_index = card.slot;
    all.drm_render_minor = kFirstRenderMinor + card.slot;
    all.bdfid = card.bdf();
    all.kfd_gpu_id = kFirstGpuId + card.slot;
    all.smi_device_id = card.slot;
    return api::give(identifiers, all);
  });
}

/// 942 for gfx942 but 9010 for gfx90a: AMD's library joins major, minor and stepping in decimal,
/// and a minor of 0 counts as two digits.
WAVETANK_SMI_API Status rsmi_dev_target_graphics_version_get(std::uint32_t index,
                                                             std::uint64_t* version) {
  return api::on_card(index, [&](const Card& card) {
    const std::uint32_t target = target::graphics_version(card.device);
    const std::uint32_t minor = target % 10000 / 100 * 10;
    const std::uint32_t major = target / 10000 * (minor == 0 ? 1000 : 100);
    return api::give(version, major + minor + target % 100);
  });
}

WAVETANK_SMI_API Status rsmi_dev_firmware_version_get(std::uint32_t index, abi::Firmware block,
                                                      std::uint64_t* version) {
  return api::on_card(index, [&](const Card& card) {
    if (block != abi::Firmware::kMec) return Status::kNotSupported;
    return api::give(version, api::number(card, known("board.mec_firmware")));
  });
}

WAVETANK_SMI_API Status rsmi_dev_partition_id_get(std::uint32_t index, std::uint32_t* partition) {
  return api::on_card(index, [&](const Card&) { return api::give(partition, 0); });
}

/// Cards of one die cannot be divided.
WAVETANK_SMI_API Status rsmi_dev_compute_partition_get(std::uint32_t index, char* text,
                                                       std::uint32_t length) {
  return api::on_card(index, [&](const Card& card) {
    if (card.device.xcds == 1) return Status::kNotSupported;
    return api::give_text(text, length, "SPX");
  });
}

WAVETANK_SMI_API Status rsmi_dev_memory_partition_get(std::uint32_t index, char* text,
                                                      std::uint32_t length) {
  return api::on_card(index, [&](const Card& card) {
    if (card.device.xcds == 1) return Status::kNotSupported;
    return api::give_text(text, length, "NPS1");
  });
}

}  // namespace wavetank::smi
