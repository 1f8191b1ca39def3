// What every exported function shares: the card of an index, and how results are written.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "smi/abi/types.hpp"
#include "smi/api/functions.hpp"
#include "smi/machine.hpp"
#include "target/board.hpp"

namespace wavetank::smi::api {

using abi::Status;

/// Runs body(const Card&); RSMI_STATUS_INVALID_ARGS for an index that is none, which before
/// rsmi_init every one is.
template <class Body>
Status on_card(std::uint32_t index, Body body) {
  const Card* card = Machine::instance().card(index);
  return card == nullptr ? Status::kInvalidArgs : body(*card);
}

/// Writes `value`, where the caller asked for one.
template <class To, class From>
Status give(To* to, From value) {
  if (to == nullptr) return Status::kInvalidArgs;
  *to = static_cast<To>(value);
  return Status::kSuccess;
}

/// The same for a number that not every card has, times `scale`; RSMI_STATUS_NOT_SUPPORTED, as a
/// card without that sensor answers.
template <class To>
Status give(To* to, std::optional<double> value, double scale = 1) {
  if (!value) return Status::kNotSupported;
  return give(to, *value * scale);
}

/// Writes a text of at most `length` bytes with its zero; RSMI_STATUS_INSUFFICIENT_SIZE when it was
/// cut.
inline Status give_text(char* to, std::size_t length, std::string_view text) {
  if (to == nullptr || length == 0) return Status::kInvalidArgs;
  const std::size_t fits = std::min(text.size(), length - 1);
  std::memcpy(to, text.data(), fits);
  to[fits] = '\0';
  return fits == text.size() ? Status::kSuccess : Status::kInsufficientSize;
}

/// A number of the card's description, if that has it.
inline std::optional<double> number(const Card& card, std::string_view name) {
  const target::Parameter* const found = card.device.find(name);
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

}  // namespace wavetank::smi::api
