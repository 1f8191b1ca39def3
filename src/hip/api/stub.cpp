#include "hip/api/stub.hpp"

#include <algorithm>
#include <cstdio>
#include <span>

#include "base/embedded_file.hpp"
#include "hip/api/entry.hpp"

namespace wavetank::hip {

/// abi/refused.txt.
std::span<const EmbeddedFile> refused_list();

std::string_view refusal_reason(std::string_view function) {
  std::string_view reason;
  for (std::string_view rest = refused_list().front().text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size() - 1);
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.starts_with("= ")) reason = line.substr(2);
    const bool checks_arguments = line.starts_with("*");
    if (line.substr(checks_arguments ? 1 : 0) == function) return reason;
  }
  return {};
}

int not_supported(const char* function, StubState& state) {
  if (!state.named.exchange(true)) {
    const std::string_view reason = refusal_reason(function);
    std::fprintf(stderr, "wavetank: %s is not supported (%.*s); it returns hipErrorNotSupported\n",
                 function, static_cast<int>(reason.size()), reason.data());
  }
  return static_cast<int>(api::remember(abi::Status::kNotSupported));
}

}  // namespace wavetank::hip
