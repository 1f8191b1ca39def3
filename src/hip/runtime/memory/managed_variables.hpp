// The memory of the program's __managed__ variables. Start-up code registers them before main, and
// the host's side uses them before any HIP call; device code loaded later gets the same memory.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace wavetank::hip {

/// A device variable's place.
struct VariablePlace {
  std::byte* address = nullptr;
  std::size_t size_bytes = 0;
};

/// Makes a variable's memory, whole pages that are never freed, with the initial value in it.
std::byte* add_managed_variable(std::string_view name, const void* initial_value,
                                std::size_t size_bytes);
/// The variable's memory, or nullptr.
std::byte* managed_memory(std::string_view name);
/// True for an address inside a managed variable.
bool is_managed(const void* address);
/// Where all of them are, as whole pages.
std::vector<VariablePlace> managed_ranges();

}  // namespace wavetank::hip
