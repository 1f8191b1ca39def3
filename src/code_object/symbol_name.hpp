// Names of kernels and functions as their programmers wrote them.
#pragma once

#include <string>

namespace wavetank::code_object {

/// "transpose(float*, int)" for "_Z9transposePfi"; a name that is not mangled stays as it is.
std::string demangled(const std::string& symbol);

}  // namespace wavetank::code_object
