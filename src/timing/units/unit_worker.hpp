// What a host thread brings along to the CUs that it runs, so that it stays in the host's caches.
#pragma once

#include "timing/units/cycle_ledger.hpp"
#include "timing/units/issue_cost.hpp"
#include "timing/units/known_banks.hpp"
#include "timing/units/known_waits.hpp"
#include "timing/units/planned_accesses.hpp"

namespace wavetank::timing {

struct UnitWorker {
  CycleLedger ledger;
  IssueCosts costs;
  PlannedAccesses plans;
  KnownBanks banks;
  KnownWaits waits;
};

}  // namespace wavetank::timing
