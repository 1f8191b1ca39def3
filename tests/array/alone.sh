#!/bin/sh
# alone.sh WAVETANK BUILD_FOLDER: installs the project into a new folder, takes everything away but the headers
# and CMake's files, and shows that wavetank::array is enough for a project elsewhere:
#   tests/array/consumer is configured by find_package(wavetank), built by clang and AMD's libamdhip64,
#   needs nothing of Wavetank's, and runs on the virtual GPU;
#   what is not installed is named at configure time, with its package;
#   every header compiles alone (headers.sh).
set -eu
wavetank=$1 build=$2
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/installed" > /dev/null
cd "$folder"
fail() { echo "$1"; exit 1; }

configure() {  # BUILD_FOLDER OPTION...
  into=$1; shift
  cmake -S "$here/consumer" -B "$into" -DCMAKE_PREFIX_PATH="$folder/installed" \
    -DCMAKE_CXX_COMPILER=clang++-19 "$@" > said 2>&1 || { cat said; exit 1; }
}

configure consumer -DDEVICE_LIBRARIES="$(dirname "$(find /usr/lib -name ocml.bc | head -1)")"
grep -q '^AMDHIP64:FILEPATH=/usr/lib' consumer/CMakeCache.txt || fail "it is not linked to AMD's library"
cmake --build consumer > said 2>&1 || { cat said; exit 1; }
! nm -D --undefined-only consumer/consumer | grep -i wavetank || fail "it needs a symbol of Wavetank's"
readelf -d consumer/consumer | grep NEEDED | tee needed
grep -q 'libamdhip64' needed || fail "it does not need AMD's runtime"
! grep -qi wavetank needed || fail "it needs a library of Wavetank's"
"$wavetank" run --device mi210 consumer/consumer

# As if none of AMD's libraries were there.
configure without -DONLY_CONFIGURE=1 -DCMAKE_IGNORE_PATH=/usr/include
for package in librocprim-dev librocrand-dev librocsparse-dev librocblas-dev librocfft-dev librocsolver-dev; do
  grep "^-- wavetank::array without .*: the package $package is not installed$" said ||
    fail "nobody says that $package is missing"
done
grep -q '^-- random numbers: FALSE$' said || fail "random numbers are said to be there"

"$here/headers.sh" "$folder/installed/include" /usr
