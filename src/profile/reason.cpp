#include "profile/reason.hpp"

namespace wavetank::profile {
namespace {

struct Words {
  std::string_view key, text;
};

constexpr std::array<Words, kReasonCount> kWords = {{
    {"issue_valu", "vector instructions"},
    {"issue_matrix", "matrix instructions"},
    {"issue_scalar", "scalar instructions and branches"},
    {"issue_memory", "issuing vector memory"},
    {"issue_lds", "issuing LDS"},
    {"wait_vector_memory", "waiting for vector memory"},
    {"wait_lds", "waiting for LDS"},
    {"wait_scalar_memory", "waiting for scalar memory"},
    {"wait_barrier", "waiting at a barrier"},
    {"wait_valu", "waiting for a vector result"},
    {"wait_matrix", "waiting for a matrix result"},
    {"wait_fetch", "waiting for instructions"},
    {"wait_fence", "waiting for a cache write-back"},
    {"memory_queue_full", "vector memory pipeline full"},
    {"lds_queue_full", "LDS pipeline full"},
    {"not_picked", "ready, another wave is served"},
    {"sleep", "sleeping"},
    {"empty", "no wave in the slot"},
}};

}  // namespace

std::string_view text_of(Reason reason) { return kWords[static_cast<std::size_t>(reason)].text; }
std::string_view key_of(Reason reason) { return kWords[static_cast<std::size_t>(reason)].key; }

}  // namespace wavetank::profile
