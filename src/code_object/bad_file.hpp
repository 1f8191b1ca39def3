// What is said of files that are not what they should be.
#pragma once

#include <string>
#include <utility>

#include "base/error.hpp"

namespace wavetank::code_object {

/// A kBadElf that says what is wrong, and what to do if that is known.
inline tl::unexpected<Error> bad_elf(std::string message, std::string help = {}) {
  return fail(ErrorCode::kBadElf, std::move(message), {}, std::move(help));
}
/// A kBadBundle that says what is wrong.
inline tl::unexpected<Error> bad_bundle(std::string message) {
  return fail(ErrorCode::kBadBundle, std::move(message));
}

}  // namespace wavetank::code_object
