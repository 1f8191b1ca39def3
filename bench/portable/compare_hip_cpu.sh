#!/bin/sh
# Compares Wavetank with HIP-CPU on the five tests of portable_bench, two threads each, in one run.
#
#   compare_hip_cpu.sh PATH_TO_HIP_CPU [WAVETANK]
#
# PATH_TO_HIP_CPU is a checkout of github.com/ROCm/HIP-CPU; WAVETANK is the wavetank command
# (default: the one on PATH). Needs g++ and libtbb-dev. The environment may set REPEATS (launches,
# default 5), ROUNDS (programs of each side, in turn, default 3) and DEVICE (default mi210). The
# figures are medians over the rounds of each round's best launch. The machine should have nothing
# else to do.
# Exit code 0 when Wavetank is faster on every test, 1 when it is not, 2 when something failed.
set -eu

if [ $# -lt 1 ] || [ ! -e "$1/include/hip/hip_runtime.h" ]; then
  echo "usage: compare_hip_cpu.sh PATH_TO_HIP_CPU [WAVETANK]" >&2
  exit 2
fi
hip_cpu=$1
wavetank=${2:-wavetank}
repeats=${REPEATS:-5}
rounds=${ROUNDS:-3}
device=${DEVICE:-mi210}
source=$(dirname "$0")/portable_bench.hip.cpp
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $device in
  mi300*) target=gfx942 ;;
  *) target=gfx90a ;;
esac
g++ -x c++ -std=c++17 -O3 -march=native -I"$hip_cpu/include" "$source" -o "$work/on_hip_cpu" \
  -ltbb -lpthread || exit 2
"$wavetank" cc --offload-arch=$target -O3 "$source" -o "$work/on_wavetank" || exit 2

# Two threads for both: TBB takes its number of threads from the CPUs it may run on.
best_ms() { sed -n 's/.*best= *\([0-9.]*\) ms.* OK$/\1/p'; }
median() { sort -n | awk '{ value[NR] = $1 } END { if (NR) print value[int((NR + 1) / 2)] }'; }
slower=0
printf '%-10s %10s %14s %14s %8s\n' test N 'HIP-CPU ms' 'Wavetank ms' ratio
for line in "vadd 16777216" "transpose 2048" "reduce 16777216" "sgemm 512" "nbody 8192"; do
  set -- $line
  : > "$work/theirs"
  : > "$work/ours"
  for _ in $(seq "$rounds"); do
    taskset -c 0,1 "$work/on_hip_cpu" "$1" "$2" "$repeats" | best_ms >> "$work/theirs"
    WAVETANK_THREADS=2 taskset -c 0,1 "$wavetank" run --device "$device" \
      "$work/on_wavetank" "$1" "$2" "$repeats" | best_ms >> "$work/ours"
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
