// The pages of docs/explain, compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/embedded_file.hpp"

namespace wavetank::cli {

/// All pages, named "E0103" or "occupancy".
std::span<const EmbeddedFile> explain_pages();

/// The page of that name; nullptr if there is none.
const EmbeddedFile* explain_page(std::string_view name);

/// The page's first line without "# ".
std::string title_of(const EmbeddedFile& page);

}  // namespace wavetank::cli
