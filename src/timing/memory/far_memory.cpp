#include "timing/memory/far_memory.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::timing {
namespace {

HbmChannel::Spec channel_of(const HbmSpec& hbm) {
  return {hbm.peak_bytes_per_cycle / hbm.channels,
          hbm.read_efficiency,
          hbm.write_efficiency,
          hbm.turnaround,
          hbm.banks,
          hbm.row_cycles};
}

}  // namespace

FarMemory::FarMemory(const TimingSpec& spec, const AddressMap& map)
    : spec_(spec),
      map_(map),
      of_slices_(has_mall() ? spec.mall.slices : 0),
      of_channels_(spec.hbm.channels) {
  hbm_.reserve(spec.hbm.channels);
  while (hbm_.size() < spec.hbm.channels) hbm_.emplace_back(channel_of(spec.hbm));
  if (!has_mall()) return;
  slices_.reserve(spec.mall.slices);
  for (std::uint32_t i = 0; i < spec.mall.slices; ++i) slices_.emplace_back(spec, map);
}

void FarMemory::start_launch(const std::vector<AddressRange>& arrays) {
  for (MallSlice& slice : slices_) slice.start_launch();
  for (HbmChannel& channel : hbm_) channel.start_launch(arrays);
}

void FarMemory::take_contents(FarMemory&& other) {
  for (std::size_t i = 0; i < std::min(slices_.size(), other.slices_.size()); ++i) {
    slices_[i].take(std::move(other.slices_[i]));
  }
  for (std::size_t i = 0; i < std::min(hbm_.size(), other.hbm_.size()); ++i) {
    hbm_[i].take_rows(other.hbm_[i]);
  }
}

void FarMemory::pass_unseen(double bytes) {
  if (bytes <= static_cast<double>(spec_.mall.bytes)) return;
  for (MallSlice& slice : slices_) slice.invalidate();
}

void FarMemory::take(FabricRequest& request) {
  if (has_mall()) {
    taken_.push_back(&request);
    of_slices_.add(map_.mall_slice(request.address), &request);
  } else {
    of_channels_.add(map_.hbm_channel(request.address), &request);
  }
}

void FarMemory::serve_slice(MallSlice& slice, std::span<FabricRequest* const> requests) const {
  constexpr std::size_t kSetAhead = 8, kLineAhead = 4;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i + kSetAhead < requests.size()) slice.prefetch(requests[i + kSetAhead]->address);
    if (i + kLineAhead < requests.size()) slice.prefetch_line(requests[i + kLineAhead]->address);
    slice.serve(*requests[i]);
  }
}

void FarMemory::serve_channel(HbmChannel& channel, std::span<FabricRequest* const> requests) const {
  constexpr std::size_t kBankAhead = 4;
  const auto place = [&](std::size_t i) { return map_.place_in_hbm_channel(requests[i]->address); };
  for (std::size_t i = 0; i < requests.size(); ++i) {
    if (i + kBankAhead < requests.size()) channel.prefetch(place(i + kBankAhead));
    channel.serve(*requests[i], place(i));
  }
}

void FarMemory::serve(WindowCrew& crew) {
  of_slices_.for_each(
      crew, [&](std::uint32_t slice, auto requests) { serve_slice(slices_[slice], requests); });
  of_slices_.clear();
  for (FabricRequest* request : taken_) {
    if (!request->answered) of_channels_.add(map_.hbm_channel(request->address), request);
  }
  taken_.clear();
  of_channels_.for_each(
      crew, [&](std::uint32_t channel, auto requests) { serve_channel(hbm_[channel], requests); });
  of_channels_.clear();
}

void FarMemory::look(std::uint64_t time) {
  for (HbmChannel& channel : hbm_) channel.look(time);
}

FarMemory::Traffic FarMemory::traffic() const {
  Traffic sum;
  for (const MallSlice& slice : slices_) {
    sum.mall_requests += slice.reads();
    sum.mall_hits += slice.hits();
  }
  for (const HbmChannel& channel : hbm_) {
    sum.hbm_read += channel.bytes_read();
    sum.hbm_written += channel.bytes_written();
  }
  return sum;
}

std::vector<double> FarMemory::mall_busy_cycles() const {
  std::vector<double> busy;
  for (const MallSlice& slice : slices_) busy.push_back(slice.busy_cycles());
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
