#include "hip/rtc/linker.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/file.hpp"
#include "code_object/bundle.hpp"
#include "hip/rtc/current_device.hpp"

namespace wavetank::hip::rtc {
namespace {

using Bytes = std::span<const std::byte>;

/// Reads the options; false where a value is missing.
bool read_options(unsigned count, const int* options, void** values, LinkState& state) {
  const char* const* ir_options = nullptr;
  std::size_t ir_option_count = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto number = reinterpret_cast<std::uintptr_t>(values[i]);
    switch (static_cast<LinkOption>(options[i])) {
      case LinkOption::kInfoLogBuffer: state.info_log = static_cast<char*>(values[i]); break;
      case LinkOption::kInfoLogBufferBytes: state.info_log_bytes = number; break;
      case LinkOption::kErrorLogBuffer: state.error_log = static_cast<char*>(values[i]); break;
      case LinkOption::kErrorLogBufferBytes: state.error_log_bytes = number; break;
      case LinkOption::kOptimizationLevel:
        state.options.push_back(fmt::format("-O{}", number & 3));
        break;
      case LinkOption::kIrToIsaOptions:
        ir_options = static_cast<const char* const*>(values[i]);
        if (ir_options == nullptr) return false;
        break;
      case LinkOption::kIrToIsaOptionCount: ir_option_count = number; break;
      default: break;
    }
  }
  for (std::size_t i = 0; ir_options != nullptr && i < ir_option_count; ++i) {
    state.options.emplace_back(ir_options[i]);
  }
  return true;
}

/// The module for the current device in a bundle.
std::optional<Bitcode> unbundle(Bytes bytes) {
  const auto target = current_target_id();
  if (!target) return std::nullopt;
  const auto id = code_object::parse_target_id(*target);
  const auto bundle = code_object::read_bundle(bytes);
  if (!id || !bundle) return std::nullopt;
  const auto entry = code_object::select_entry(*bundle, *id);
  if (!entry) return std::nullopt;
  return Bitcode((*entry)->image.begin(), (*entry)->image.end());
}

/// The members of an archive (ar(5)) that are bundles with a module for the current device.
std::optional<std::vector<Bitcode>> unbundle_archive(Bytes bytes) {
  constexpr std::string_view kArchiveMagic = "!<arch>\n";
  constexpr std::size_t kHeaderBytes = 60;
  constexpr std::size_t kSizeOffset = 48;
  constexpr std::size_t kSizeDigits = 10;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.substr(0, kArchiveMagic.size()) != kArchiveMagic) return std::nullopt;
  std::vector<Bitcode> modules;
  for (std::size_t at = kArchiveMagic.size(); at + kHeaderBytes <= text.size();) {
    std::size_t size_bytes = 0;
    const char* digits = text.data() + at + kSizeOffset;
    const auto parsed = std::from_chars(digits, digits + kSizeDigits, size_bytes);
    if (parsed.ec != std::errc{} || size_bytes > text.size() - at - kHeaderBytes) {
      return std::nullopt;
    }
    if (auto module = unbundle(bytes.subspan(at + kHeaderBytes, size_bytes))) {
      modules.push_back(std::move(*module));
    }
    at += kHeaderBytes + size_bytes + size_bytes % 2;
  }
  return modules;
}

/// True if a module was found.
bool add_modules(LinkState& state, InputType type, Bytes bytes) {
  const std::lock_guard lock(state.mutex);
  if (type == InputType::kBitcode) {
    state.modules.emplace_back(bytes.begin(), bytes.end());
    return true;
  }
  if (type == InputType::kBundledBitcode) {
    auto module = unbundle(bytes);
    if (module) state.modules.push_back(std::move(*module));
    return module.has_value();
  }
  auto modules = unbundle_archive(bytes);
  if (!modules) return false;
  std::move(modules->begin(), modules->end(), std::back_inserter(state.modules));
  return true;
}

bool is_bitcode_type(int type) {
  return type >= static_cast<int>(InputType::kBitcode) &&
         type <= static_cast<int>(InputType::kArchiveOfBundledBitcode);
}

/// Fills a log buffer of the program, cut to its size.
void give_log(const std::string& log, char* buffer, std::size_t size_bytes) {
  if (buffer == nullptr || size_bytes == 0) return;
  const std::size_t length = std::min(log.size(), size_bytes - 1);
  std::memcpy(buffer, log.data(), length);
  buffer[length] = '\0';
}

}  // namespace

RtcStatus link_create(unsigned option_count, const int* options, void** values,
                      LinkState** handle) {
  if (handle == nullptr) return RtcStatus::kInvalidInput;
  if (option_count != 0 && (options == nullptr || values == nullptr)) {
    return RtcStatus::kInvalidInput;
  }
  auto state = std::make_shared<LinkState>();
  if (!read_options(option_count, options, values, *state)) return RtcStatus::kInvalidOption;
  *handle = link_states().add(std::move(state));
  return RtcStatus::kSuccess;
}

RtcStatus link_add_file(LinkState* handle, int type, const char* path) {
  const auto state = link_states().find(handle);
  if (state == nullptr || path == nullptr || !is_bitcode_type(type)) {
    return RtcStatus::kInvalidInput;
  }
  const auto content = read_file(path);
  if (!content || !add_modules(*state, static_cast<InputType>(type), *content)) {
    return RtcStatus::kProgramCreationFailure;
  }
  return RtcStatus::kSuccess;
}

RtcStatus link_add_data(LinkState* handle, int type, const void* image, std::size_t size_bytes) {
  const auto state = link_states().find(handle);
  if (state == nullptr || image == nullptr || size_bytes == 0 || !is_bitcode_type(type)) {
    return RtcStatus::kInvalidInput;
  }
  const Bytes bytes(static_cast<const std::byte*>(image), size_bytes);
  return add_modules(*state, static_cast<InputType>(type), bytes)
             ? RtcStatus::kSuccess
             : RtcStatus::kProgramCreationFailure;
}

RtcStatus link_complete(LinkState* handle, void** code, std::size_t* size_bytes) {
  const auto state = link_states().find(handle);
  if (state == nullptr || code == nullptr || size_bytes == nullptr) {
    return RtcStatus::kInvalidInput;
  }
  const std::lock_guard lock(state->mutex);
  const auto target = current_target_id();
  if (!target) return RtcStatus::kLinking;
  state->linked = link(state->modules, *target, state->options);
  give_log(state->linked.log, state->info_log, state->info_log_bytes);
  if (!state->linked.succeeded) {
    give_log(state->linked.log, state->error_log, state->error_log_bytes);
    return RtcStatus::kLinking;
  }
  *code = state->linked.code.data();
  *size_bytes = state->linked.code.size();
  return RtcStatus::kSuccess;
}

RtcStatus link_destroy(LinkState* handle) {
  return link_states().remove(handle) ? RtcStatus::kSuccess : RtcStatus::kInvalidInput;
}

}  // namespace wavetank::hip::rtc
