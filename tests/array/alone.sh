#!/bin/sh
# alone.sh WAVETANK BUILD_FOLDER PROGRAM.hip: installs the headers of wavetank::array, parses each alone, and
# builds and links PROGRAM with clang and AMD's libamdhip64, without anything of Wavetank's but the headers.
# The program then runs on the virtual GPU, where it must say PASS.
set -eu
wavetank=$1 build=$2 source=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder" > /dev/null
cp "$source" "$(dirname "$source")/judge.hpp" "$folder"
cd "$folder"
rm -rf bin lib
bitcode=$(dirname "$(find /usr/lib -name ocml.bc | head -1)")
flags="-x hip --rocm-device-lib-path=$bitcode -std=c++20 -Wall -Wextra -Werror --offload-arch=gfx90a --rocm-path=/usr -Iinclude"
for header in include/wavetank/array/*.hpp; do
  # What needs a library that is not installed says so, and nothing else is wrong.
  clang++-19 $flags -Wno-pragma-once-outside-header --offload-host-only -fsyntax-only "$header" 2> said ||
    grep -q 'needs roc[A-Z]*: install' said || { cat said; echo "$header is not alone"; exit 1; }
done
clang++-19 $flags -O1 "$(basename "$source")" -o program --hip-link -lamdhip64
if nm -D --undefined-only program | grep wavetank; then
  echo "the program needs something of Wavetank's"
  exit 1
fi
readelf -d program | grep NEEDED
"$wavetank" run --device mi210 ./program
