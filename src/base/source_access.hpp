// The text of an access to memory in a line of C++ source.
#pragma once

#include <string>
#include <string_view>

namespace wavetank {

/// What is accessed at a column (from 1) of a source line, as its programmer wrote it: "a[i * n]".
/// The columns are those that clang gives to loads (the name before the brackets), to stores (the
/// operator of the assignment) and to calls that it inlines (the function, whose first argument it
/// is then, without an &). A long subscript becomes "...". Empty for what has no brackets and no *,
/// for what is no named array's, for a macro's arguments, and where the line does not hold all of
/// it.
std::string source_access(std::string_view line, unsigned column);

/// The name before the brackets of an access: "a".
std::string_view name_of_access(std::string_view access);

}  // namespace wavetank
