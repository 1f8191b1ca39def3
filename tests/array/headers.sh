#!/bin/sh
# headers.sh INCLUDE HIP_ROOT [PROGRAM.hip...]: compiles a program for each header of wavetank::array,
# which includes it alone and twice, and the PROGRAMs, with clang-19 and the headers of HIP_ROOT/include
# (/usr, or a package of another version of HIP, unpacked), for host and device, warnings as errors.
# A header whose library is missing must say so, and nothing else; a program that needs one is left out.
set -u
include=$1 root=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
version=$(sed -n 's/.*define HIP_VERSION_\(MAJOR\|MINOR\) *//p' "$root/include/hip/hip_version.h" | paste -sd.)
bitcode=$(dirname "$(find /usr/lib -name ocml.bc | head -1)")
flags="-x hip --rocm-path=$root --rocm-device-lib-path=$bitcode --offload-arch=gfx90a -std=c++20"
flags="$flags -Wall -Wextra -Werror -fsyntax-only -I$include"
[ "$root" = /usr ] || flags="$flags -isystem $root/include"

compiled=0 lacking=0 wrong=0
try() {  # FILE NAME
  if clang++-19 $flags "$1" > "$folder/said" 2>&1; then
    compiled=$((compiled + 1))
  elif grep 'error:' "$folder/said" | grep -q 'needs roc[A-Za-z]*: install'; then
    lacking=$((lacking + 1))
  else
    wrong=$((wrong + 1))
    echo "$2 does not compile:"
    grep -m 3 'error:' "$folder/said"
  fi
}
for header in "$include"/wavetank/array/*.hpp; do
  name=wavetank/array/$(basename "$header")
  printf '#include <%s>\n#include <%s>\nint main() {}\n' "$name" "$name" > "$folder/program.hip"
  try "$folder/program.hip" "$name"
done
for program in "$@"; do
  try "$program" "$(basename "$program")"
done
echo "HIP $version: $compiled compiled, $lacking lack a library, $wrong wrong"
[ $wrong = 0 ] && [ $compiled -gt 0 ]
