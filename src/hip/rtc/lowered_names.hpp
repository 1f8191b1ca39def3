// From what a source calls a kernel or variable to what the code object calls it
// (hiprtcAddNameExpression, hiprtcGetLoweredName). The compiler mangles: for each expression the
// source gets a marker, a constant with the expression's address, and the relocation of the marker
// leads to the symbol.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::hip::rtc {

/// An expression without the '&' that it may begin with: "&kernel<int>" means "kernel<int>".
std::string without_address_of(const std::string& expression);

/// The lines to append to a source: one marker for each expression.
std::string marker_text(const std::vector<std::string>& expressions);

/// Expression -> symbol, read from the symbols and relocations of an AMDGPU ELF file (code object
/// or relocatable object). Expressions whose marker leads to no symbol are absent. Errors: kBadElf.
Result<std::map<std::string, std::string>> lowered_names(
    std::span<const std::byte> elf, const std::vector<std::string>& expressions);

}  // namespace wavetank::hip::rtc
