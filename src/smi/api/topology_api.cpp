// rocm_smi.h: how cards are joined. All hang on one host node; those with Infinity Fabric links are
// joined to every other card of their kind, as in AMD's platforms of four and eight.
#include "smi/api/entry.hpp"

namespace wavetank::smi {

using abi::Link;
using abi::Status;

namespace {

// amdgpu_amdkfd: a hop of Infinity Fabric weighs 15, from a card to its host 20; one link carries
// 16 bits at 25 Gbit/s.
constexpr std::uint64_t kXgmiWeight = 15;
constexpr std::uint64_t kHostWeight = 20;
constexpr std::uint64_t kXgmiMegabytesPerSecond = 50000;
constexpr std::uint64_t kHive = 0x5741'5645'544b;

template <class Body>
Status on_pair(std::uint32_t from, std::uint32_t to, Body body) {
  return api::on_card(from, [&](const Card& a) {
    return api::on_card(to, [&](const Card& b) { return body(a, b); });
  });
}

}  // namespace

WAVETANK_SMI_API Status rsmi_topo_get_numa_node_number(std::uint32_t index, std::uint32_t* node) {
  return api::on_card(index, [&](const Card&) { return api::give(node, 0); });
}

WAVETANK_SMI_API Status rsmi_topo_numa_affinity_get(std::uint32_t index, std::int32_t* node) {
  return api::on_card(index, [&](const Card&) { return api::give(node, 0); });
}

WAVETANK_SMI_API Status rsmi_topo_get_link_weight(std::uint32_t from, std::uint32_t to,
                                                  std::uint64_t* weight) {
  return on_pair(from, to, [&](const Card& a, const Card& b) {
    return api::give(weight, joined_by_xgmi(a, b) ? kXgmiWeight : 2 * kHostWeight);
  });
}

WAVETANK_SMI_API Status rsmi_topo_get_link_type(std::uint32_t from, std::uint32_t to,
                                                std::uint64_t* hops, Link* link) {
  constexpr std::uint64_t kThroughHost = 2;
  if (hops == nullptr || link == nullptr) return Status::kInvalidArgs;
  const auto answer = [&](bool xgmi) {
    *hops = xgmi ? 1 : kThroughHost;
    *link = xgmi ? Link::kXgmi : Link::kPciExpress;
    return Status::kSuccess;
  };
  if (to == abi::kHostNode) return api::on_card(from, [&](const Card&) { return answer(false); });
  return on_pair(from, to,
                 [&](const Card& a, const Card& b) { return answer(joined_by_xgmi(a, b)); });
}

/// In MB/s, of one link of Infinity Fabric: one is all that joins two cards.
WAVETANK_SMI_API Status rsmi_minmax_bandwidth_get(std::uint32_t from, std::uint32_t to,
                                                  std::uint64_t* least, std::uint64_t* most) {
  return on_pair(from, to, [&](const Card& a, const Card& b) {
    if (least == nullptr || most == nullptr || from == to) return Status::kInvalidArgs;
    if (!joined_by_xgmi(a, b)) return Status::kNotSupported;
    *least = *most = kXgmiMegabytesPerSecond;
    return Status::kSuccess;
  });
}

/// All virtual devices of a process reach each other's memory.
WAVETANK_SMI_API Status rsmi_is_P2P_accessible(std::uint32_t from, std::uint32_t to,
                                               bool* accessible) {
  return on_pair(from, to, [&](const Card&, const Card&) { return api::give(accessible, true); });
}

WAVETANK_SMI_API Status rsmi_dev_xgmi_hive_id_get(std::uint32_t index, std::uint64_t* hive) {
  return api::on_card(index,
                      [&](const Card& card) { return api::give(hive, card.xgmi ? kHive : 0); });
}

WAVETANK_SMI_API Status rsmi_dev_xgmi_physical_id_get(std::uint32_t index, std::uint16_t* id) {
  return api::on_card(index, [&](const Card& card) {
    return card.xgmi ? api::give(id, card.slot) : Status::kNotSupported;
  });
}

}  // namespace wavetank::smi
