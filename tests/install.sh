#!/bin/sh
# Install a program that tests need by apt-get: install.sh PROGRAM FILE [OTHER NAME]...
# Where that fails, say why, and leave the reason in FILE, which the tests repeat; where CI is true, fail.
program=$1 reason=$2
rm -f "$reason"
for name in "$@"; do
    [ "$name" = "$reason" ] || ! command -v "$name" >/dev/null 2>&1 || exit 0
done
if ! command -v apt-get >/dev/null 2>&1; then
    why="there is no apt-get to install it with: install $program yourself"
elif [ "$(id -u)" != 0 ]; then
    why="installing it takes root: run apt-get install $program"
else
    echo "installing $program for the tests"
    said=$({ apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$program"; } 2>&1) && exit 0
    why="apt-get could not install it ($(printf '%s' "$said" | tail -n 1))"
fi
echo "$program is missing: $why" >&2
echo "$why" >"$reason"
[ "$(printf '%s' "${CI:-}" | tr 'A-Z' 'a-z')" != true ]
