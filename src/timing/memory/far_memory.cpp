#include "timing/memory/far_memory.hpp"

#include <algorithm>

namespace wavetank::timing {
namespace {

HbmChannel channel_of(const HbmSpec& hbm) {
  return HbmChannel({hbm.peak_bytes_per_cycle / hbm.channels, hbm.read_efficiency,
                     hbm.write_efficiency, hbm.turnaround, hbm.banks, hbm.row_cycles});
}

}  // namespace

FarMemory::FarMemory(const TimingSpec& spec, const AddressMap& map)
    : spec_(spec),
      map_(map),
      mall_extra_(has_mall() ? spec.hbm.latency - spec.mall.hit_latency : 0),
      hbm_(spec.hbm.channels, channel_of(spec.hbm)) {
  if (has_mall()) {
    const auto lines =
        static_cast<std::uint32_t>(spec.mall.bytes / spec.mall.slices / spec.l2.line_bytes);
    mall_tags_.reserve(spec.mall.slices);
    for (std::uint32_t i = 0; i < spec.mall.slices; ++i)
      mall_tags_.emplace_back(lines, spec.mall.ways);
    mall_ports_.assign(spec.mall.slices, Bandwidth(spec.mall.bytes_per_cycle));
  }
}

void FarMemory::start_launch(const std::vector<AddressRange>& arrays) {
  arrays_.start_launch(arrays);
  for (Bandwidth& port : mall_ports_) port.start_launch();
  for (HbmChannel& channel : hbm_) channel.start_launch();
  traffic_ = {};
}

void FarMemory::take_contents(const FarMemory& other) {
  for (std::size_t i = 0; i < std::min(mall_tags_.size(), other.mall_tags_.size()); ++i) {
    mall_tags_[i].take(other.mall_tags_[i]);
  }
  for (std::size_t i = 0; i < std::min(hbm_.size(), other.hbm_.size()); ++i) {
    hbm_[i].take_rows(other.hbm_[i]);
  }
}

void FarMemory::pass_unseen(double bytes) {
  if (bytes <= static_cast<double>(spec_.mall.bytes)) return;
  for (TagArray<BareLine>& slice : mall_tags_) slice.invalidate();
}

bool FarMemory::find_in_mall(unsigned slice, std::uint64_t address) {
  const std::uint64_t tag = map_.line(address), set = map_.mall_set(address);
  if (mall_tags_[slice].find(set, tag) != nullptr) return true;
  mall_tags_[slice].replace(set, tag);
  return false;
}

std::uint64_t FarMemory::read(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  if (has_mall()) {
    const unsigned slice = map_.mall_slice(address);
    ++traffic_.mall_requests;
    const std::uint64_t served = mall_ports_[slice].reserve(time, bytes);
    if (find_in_mall(slice, address)) {
      ++traffic_.mall_hits;
      return served;
    }
    time = served + mall_extra_;
  }
  traffic_.hbm_read += bytes;
  arrays_.read(address, bytes);
  return hbm_[map_.hbm_channel(address)].read(time, bytes, map_.place_in_hbm_channel(address));
}

std::uint64_t FarMemory::write(std::uint64_t address, unsigned bytes, std::uint64_t time) {
  if (has_mall()) {
    const unsigned slice = map_.mall_slice(address);
    time = mall_ports_[slice].reserve(time, bytes);
    find_in_mall(slice, address);
  }
  traffic_.hbm_written += bytes;
  arrays_.wrote(address, bytes);
  return hbm_[map_.hbm_channel(address)].write(time, bytes, map_.place_in_hbm_channel(address));
}

std::uint64_t FarMemory::atomic(std::uint64_t address, unsigned deepest, std::uint64_t time) {
  // One request is a few cycles of the slice; lanes that want the same address queue behind it.
  const double cycles =
      spec_.atomic.memory_side_request_cycles +
      static_cast<double>(deepest - 1) * spec_.atomic.memory_side_cycles_per_operation;
  return mall_ports_[map_.mall_slice(address)].reserve(time, cycles * spec_.mall.bytes_per_cycle);
}

void FarMemory::look(std::uint64_t time) {
  for (HbmChannel& channel : hbm_) channel.look(time);
}

std::vector<double> FarMemory::mall_busy_cycles() const {
  std::vector<double> busy;
  for (const Bandwidth& port : mall_ports_) busy.push_back(port.busy_cycles());
  return busy;
}

std::vector<double> FarMemory::hbm_busy_cycles() const {
  std::vector<double> busy;
  for (const HbmChannel& channel : hbm_) busy.push_back(channel.busy_cycles());
  return busy;
}

FarMemory::Rows FarMemory::rows() const {
  Rows rows;
  for (const HbmChannel& channel : hbm_) {
    rows.opened += channel.rows_opened();
    rows.bank_cycles += channel.bank_cycles() / spec_.hbm.channels;
    rows.bus_cycles += channel.bus_cycles() / spec_.hbm.channels;
  }
  return rows;
}

}  // namespace wavetank::timing
