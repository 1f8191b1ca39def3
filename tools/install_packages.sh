#!/bin/sh
# Installs the Debian packages of a list that are missing; does nothing when none is. A command of a
# package's name will do: whoever has a newer node than Debian's has its npm with it.
#   install_packages.sh [LIST]     LIST is a file beside this script, otherwise packages.txt
set -eu
list="$(dirname "$0")/${1:-packages.txt}"
missing=""
for package in $(cat "$list"); do
  command -v "$package" >/dev/null || dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
    missing="$missing $package"
done
[ -z "$missing" ] && exit 0
as_root=""
[ "$(id -u)" -eq 0 ] || as_root="sudo"
echo "installing:$missing" >&2
$as_root apt-get update -q >&2
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -q --no-install-recommends $missing >&2
