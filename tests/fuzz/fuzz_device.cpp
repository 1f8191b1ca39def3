// Any text as a device description, or built-in ones of which numbers are changed: what loads keeps
// its promises, and the cycle model refuses it or divides by nothing of it that is 0.
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/parameter_rows.hpp"
#include "target/peaks.hpp"
#include "timing/spec_reader.hpp"

namespace {

using namespace wavetank;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Every number that is not only shown has its row's unit and range.
void check(const target::Device& device) {
  for (const auto& [name, parameter] : device.parameters) {
    if (target::is_quoted(name)) continue;
    const target::ParameterRow* row = target::find_row(name);
    require(row != nullptr && target::problem_with(*row, parameter).empty());
  }
  for (const target::PeakRate& rate : target::peak_rates(device)) {
    require(rate.flop_per_second > 0);
    for (const target::PeakBandwidth& level : target::peak_bandwidths(device)) {
      require(target::ridge_point(rate, level) > 0);
    }
  }
}

/// What the model divides by.
void check(const timing::TimingSpec& s) {
  require(s.l2.channels != 0 && s.l2.interleave_bytes != 0 && s.l2.line_bytes != 0);
  require(s.hbm.channels != 0 && s.hbm.banks != 0 && s.hbm.page_bytes != 0);
  require(s.lds.bytes_per_cycle_per_pair != 0 && s.vmem.bytes_per_cycle != 0);
  require(s.mall.slices != 0 || !s.atomic.at_memory);
  require(s.hbm.peak_bytes_per_cycle > 0 && s.fabric_read_bytes_per_cycle > 0);
  require(s.compute_units / s.xcds != 0 && s.shader_engines / s.xcds != 0);
}

void try_text(std::string_view text) {
  const auto device = target::parse_device(text, "fuzz.toml");
  if (!device) return require(!device.error().message.empty());
  check(*device);
  if (const auto spec = timing::read_spec(*device)) check(*spec);
}

/// A value at, beside or between the ends of a row's range, or a power of two.
double value_for(const target::ParameterRow& row, std::uint8_t choice) {
  switch (choice % 8) {
    case 0: return row.lowest;
    case 1: return row.highest;
    case 2: return row.lowest - 1;
    case 3: return row.highest + 1;
    case 4: return choice / 8;
    case 5: return (row.lowest + row.highest) / 2;
    default: return std::exp2(choice / 8);
  }
}

/// A built-in device with other numbers; each takes a byte for its row and one for its value.
std::string changed_device(const std::uint8_t* data, std::size_t size) {
  const auto names = target::builtin_device_names();
  std::map<std::string, std::map<std::string, std::string>> sections;
  const auto rows = target::parameter_rows();
  for (std::size_t i = 1; i + 1 < size; i += 2) {
    const target::ParameterRow& row = rows[data[i] % rows.size()];
    const std::size_t dot = row.name.find('.');
    sections[std::string(row.name.substr(0, dot))][std::string(row.name.substr(dot + 1))] =
        fmt::format("{{ value = {}, unit = \"{}\", kind = \"assumed\", source = \"me\" }}",
                    value_for(row, data[i + 1]), row.unit);
  }
  std::string text = fmt::format("name = \"mine\"\nbase = \"{}\"\n", names[data[0] % names.size()]);
  for (const auto& [section, numbers] : sections) {
    text += fmt::format("[{}]\n", section);
    for (const auto& [key, number] : numbers) text += fmt::format("{} = {}\n", key, number);
  }
  return text;
}

}  // namespace

/// No text begins with a byte from 128 on: what does is a list of changes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size != 0 && data[0] >= 128) {
    try_text(changed_device(data, size));
  } else {
    try_text({reinterpret_cast<const char*>(data), size});
  }
  return 0;
}
