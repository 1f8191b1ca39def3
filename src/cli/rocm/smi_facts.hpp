// What librocm_smi64 says of a card, in the words of AMD's rocm-smi.
// Source: ROCm/rocm_smi_lib, python_smi_tools/rocm_smi.py.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "smi/abi/types.hpp"

namespace wavetank::cli::smi_text {

using smi::abi::Status;

/// A line about a card: "Device ID", "0x740f". A heading of lines has no value.
struct Fact {
  std::string name;
  std::optional<std::string> value;
};

/// An option that shows some lines of each card.
struct Show {
  std::string_view option, short_option;
  const char* title;
  std::vector<Fact> (*facts)(std::uint32_t card);
};

/// In the order of the help.
std::span<const Show> shows();

/// What a function writes into one variable; nothing if it gives an error.
template <class T, class... Arguments>
std::optional<T> ask(Status (*function)(std::uint32_t, Arguments..., T*), std::uint32_t card,
                     Arguments... arguments) {
  T value{};
  if (function(card, arguments..., &value) != Status::kSuccess) return std::nullopt;
  return value;
}

/// The text that a function writes; "N/A" if it gives an error.
template <class Length>
std::string ask_text(Status (*function)(std::uint32_t, char*, Length), std::uint32_t card) {
  std::array<char, 256> text{};
  if (function(card, text.data(), text.size()) != Status::kSuccess) return "N/A";
  return text.data();
}

// Cells of the table without options; "N/A" for what the card does not say.
std::string clock_text(std::uint32_t card, smi::abi::Clock clock);          ///< "800Mhz"
std::string power_text(std::uint32_t card);                                 ///< "40.0", watts
std::string cap_text(std::uint32_t card);                                   ///< "300.0", watts
std::string temperature_text(std::uint32_t card, smi::abi::Sensor sensor);  ///< "35.0", deg C
std::string hex_text(std::optional<std::uint16_t> id);                      ///< "0x740f"
unsigned percent_used(std::uint32_t card);                                  ///< of the memory

}  // namespace wavetank::cli::smi_text
