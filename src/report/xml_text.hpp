// Text inside of XML.
#pragma once

#include <string>
#include <string_view>

namespace wavetank::report {

/// The text of an element or attribute: &, <, > and quotes as entities. Control characters but line
/// breaks and tabulators are left out: XML 1.0 has no way to write them.
std::string escaped(std::string_view text);

}  // namespace wavetank::report
