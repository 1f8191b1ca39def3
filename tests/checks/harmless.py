"""Why a wait, barrier or fence may as well be away, from the machine code and from what runs of it.

Each reason is one that holds on the device: results arrive in order (CDNA3 ISA guide, "Data
Dependency Resolution"), a workgroup's accesses to global memory go through one L1 in their order
(LLVM AMDGPUUsage, "Memory Model gfx90a", "gfx942"). `Run` says what a run of the program comes to.
"""
import re

from code_flow import FENCE, registers


def why(code, i, run):
    """The reason why nobody misses instruction i, or None if none can be stated."""
    name = code.code[i].name
    if not run.reaches([code.code[i]]):
        return "does not run"
    if name == "s_waitcnt":
        return why_wait(code, i, run)
    if name == "s_barrier":
        return why_barrier(code, i)
    return why_write_back(code, i) if "wbl2" in name else why_invalidate(code, i, run)


# ---- s_waitcnt -----------------------------------------------------------------------------------

def why_wait(code, i, run):
    issued = [(counter, limit, one, came) for counter, limit in code.limits(i).items()
              for one, came in code.waited_for(i, counter, limit).items()]
    if not issued:
        return "nothing under way"
    if not any(run.reaches([code.code[one]]) for _, _, one, _ in issued):
        return "nothing under way in this run"
    users, orders, results = set(), False, False
    for counter, _, one, came in issued:
        needed, ordered = needs(code, i, one, counter, came)
        users |= needed
        orders = orders or ordered
        results = results or bool(code.result(one))
    if not orders and not users:
        return ("another wait comes before its result is needed" if results else
                "nobody learns of its stores before another wait or the end")
    if not orders and not run.reaches([code.code[user] for user in users]):
        return "its result is not used in this run"
    ways = [code.branches_to(i, counter, limit) for counter, limit in code.limits(i).items()]
    if None not in ways and not run.takes([branch for way in ways for branch in way]):
        return "nothing under way in this run"
    return None


def hands_on(code):
    """True if another workgroup may learn in the launch what this one did."""
    return any(FENCE.match(one.name) or ("atomic" in one.name and code.result(i)) or
               one.name == "ds_gws_barrier" for i, one in enumerate(code.code))


def needs(code, wait, issued, counter, came):
    """The instructions that come too early for a result without the wait, and whether an order of
    accesses could depend on it."""
    result, users, orders = code.result(issued), set(), []
    kinds = {what for what, _ in code.touches(issued)}
    stores = any(stores for _, stores in code.touches(issued))
    handed_on = "global" in kinds and hands_on(code)

    def visit(i, past_barrier):
        if result & registers(code.code[i].text.partition(" ")[2]):
            users.add(i)
            return False
        if "lds" in kinds and past_barrier:
            orders.extend(i for what, later in code.touches(i)
                          if what == "lds" and (later or stores))
        if handed_on and stores and (past_barrier or ("global", True) in code.touches(i)):
            orders.append(i)
        if handed_on and code.bypasses_caches(issued) and FENCE.match(code.code[i].name):
            orders.append(i)
        return True

    code.before_next_wait(wait, counter, came, visit)
    return users, bool(orders)


# ---- barriers and fences -------------------------------------------------------------------------

def found(code, start, neighbours, wanted, end):
    """Places for which wanted(i), on all paths from beside `start` until end(i)."""
    places = set()

    def visit(i, state):
        if wanted(i):
            places.add(i)
        return None if end(i) else state

    code.walk(start, neighbours, visit, 0)
    return sorted(places)


def why_barrier(code, barrier):
    sides = []
    for neighbours in (code.before, code.after):
        places = found(code, barrier, neighbours, code.touches,
                       lambda i: code.code[i].name == "s_barrier")
        sides.append({touch for i in places for touch in code.touches(i)})
    for what in ("lds", "global"):
        before, after = ({stores for kind, stores in side if kind == what} for side in sides)
        if before and after and True in before | after:
            return None
    return "no store meets another access up to the barriers beside it"


def why_invalidate(code, fence, run):
    def is_cached_load(i):
        return (re.match(r"(global|flat|buffer)_load", code.code[i].name) is not None and
                not code.bypasses_caches(i) and not code.is_private(i))

    def is_barrier(i):
        return code.code[i].name == "s_barrier"

    def invalidates(i):
        return re.match(r"buffer_(inv|wbinvl1)", code.code[i].name) is not None

    loads = found(code, fence, code.after, is_cached_load, invalidates)
    if not loads:
        return "no load through the cache comes after it"
    if not run.reaches([code.code[i] for i in loads]):
        return "no load through the cache runs after it"
    # All workgroups have to come to their fence before any goes on.
    met = {i for i, one in enumerate(code.code) if one.name == "ds_gws_barrier"}
    met |= {behind for i in met for behind in found(code, i, code.after, is_barrier, is_barrier)}
    earlier = found(code, fence, code.before, is_cached_load, lambda i: False)
    later = found(code, fence, code.after, is_cached_load, lambda i: i in met)
    if not earlier and not later:
        return "no load through the cache comes before all workgroups have met"
    return None


def why_write_back(code, fence):
    def stores(i):
        return ("global", True) in code.touches(i)

    def is_written_back_later(i):
        return stores(i) and "atomic" not in code.code[i].name and " sc1" not in code.code[i].text

    def writes_back(i):
        return "wbl2" in code.code[i].name

    if not found(code, fence, code.before, is_written_back_later, writes_back):
        return "nothing to write back"
    if not found(code, fence, code.after,
                 lambda i: stores(i) or code.code[i].name == "s_barrier", writes_back):
        return "nothing is handed on after it"
    return None
