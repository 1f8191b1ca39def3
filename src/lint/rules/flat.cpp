// Flat accesses whose memory is known.
#include "lint/provenance.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {

void find_flat_access(const Subject& subject, Findings& findings) {
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    if (!subject.code.flow[step].facts.may_reach_lds) continue;
    const auto origin = pointer_origin(subject, step);
    if (!origin) continue;
    Finding finding;
    finding.step = step;
    finding.what = origin->lds
                       ? "a flat access to LDS: its pointer is one to a __shared__ variable"
                       : "a flat access to global memory: its pointer is an argument of the kernel";
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
