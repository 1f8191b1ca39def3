// What `wavetank inspect` looks at: a file of any kind, brought to parsed code objects.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/compile/compile.hpp"
#include "code_object/bundle.hpp"
#include "code_object/code_object.hpp"
#include "toolchain/temporary_folder.hpp"

namespace wavetank::cli {

/// Code objects and everything that their bytes lie in.
struct InspectInput {
  std::vector<code_object::Bundle> bundles;
  std::vector<code_object::CodeObject> objects;  ///< in the order of the file
  std::vector<Error> unreadable;                 ///< entries that could not be parsed
};

/// Reads an executable, object, library, bundle or code object; assembles a compiler's .s; compiles
/// a HIP source with `options`. Errors: kFileUnreadable, kUsage, kBadBundle, kBadElf.
Result<InspectInput> read_inspect_input(const std::string& path, const CompileOptions& options);

}  // namespace wavetank::cli
