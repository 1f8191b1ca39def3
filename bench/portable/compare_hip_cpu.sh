#!/bin/sh
# Compares Wavetank with HIP-CPU on the tests of portable_bench, two threads each, in one run.
#
#   compare_hip_cpu.sh ON_HIP_CPU ON_WAVETANK [WAVETANK]
#
# Both programs are portable_bench.hip.cpp, built beforehand with -O3: ON_HIP_CPU for the host with
# HIP-CPU's headers, ON_WAVETANK by `wavetank cc` for DEVICE's target. WAVETANK is the wavetank
# command (default: the one on PATH). The environment may set REPEATS (launches, default 5), ROUNDS
# (programs of each side, in turn, default 3) and DEVICE (default mi210). The figures are medians
# over the rounds of each round's best launch. The machine should have nothing else to do.
# Exit code 0 when Wavetank is faster on every test, 1 when it is not, 2 when something failed.
set -eu

if [ $# -lt 2 ] || [ ! -x "$1" ] || [ ! -x "$2" ]; then
  echo "usage: compare_hip_cpu.sh ON_HIP_CPU ON_WAVETANK [WAVETANK]   (two finished programs)" >&2
  exit 2
fi
on_hip_cpu=$1
on_wavetank=$2
wavetank=${3:-wavetank}
repeats=${REPEATS:-5}
rounds=${ROUNDS:-3}
device=${DEVICE:-mi210}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Two threads for both: TBB takes its number of threads from the CPUs it may run on.
best_ms() { sed -n 's/.*best= *\([0-9.]*\) ms.* OK$/\1/p'; }
median() { sort -n | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'; }
slower=0
printf '%-10s %10s %14s %14s %8s\n' test N 'HIP-CPU ms' 'Wavetank ms' ratio
for line in "vadd 16777216" "transpose 2048" "reduce 16777216" "sgemm 512" "nbody 8192" \
    "tiled 512" "stencil 256" "radix 1048576" "plain 512"; do
  set -- $line
  : > "$work/theirs"
  : > "$work/ours"
  for _ in $(seq "$rounds"); do
    taskset -c 0,1 "$on_hip_cpu" "$1" "$2" "$repeats" | best_ms >> "$work/theirs"
    WAVETANK_THREADS=2 taskset -c 0,1 "$wavetank" run --device "$device" \
      "$on_wavetank" "$1" "$2" "$repeats" | best_ms >> "$work/ours"
  done
  theirs=$(median < "$work/theirs")
  ours=$(median < "$work/ours")
  if [ "$(wc -l < "$work/theirs")" -ne "$rounds" ] ||
    [ "$(wc -l < "$work/ours")" -ne "$rounds" ]; then
    echo "$1 $2: failed or gave a wrong result (HIP-CPU: ${theirs:-no}, Wavetank: ${ours:-no})" >&2
    exit 2
  fi
  ratio=$(awk "BEGIN { printf \"%.2f\", $theirs / $ours }")
  printf '%-10s %10s %14s %14s %7sx\n' "$1" "$2" "$theirs" "$ours" "$ratio"
  awk "BEGIN { exit !($ours >= $theirs) }" && slower=1
done
echo "ratio: time of HIP-CPU / time of Wavetank; above 1 Wavetank is faster."
echo "Medians of $rounds rounds, the best of $repeats launches in each."
exit $slower
