#!/bin/sh
# Prints the best of the host vector units in src/execute/CMakeLists.txt that this machine has, with
# the instructions that its -march stands for.
set -eu
has() {
  for flag in "$@"; do
    grep -qw -m 1 "$flag" /proc/cpuinfo || return 1
  done
}
if has avx512f avx512bw avx512cd avx512dq avx512vl bmi2 fma; then
  echo avx512
elif has avx2 bmi2 fma; then
  echo avx2
else
  echo sse4
fi
