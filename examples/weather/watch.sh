#!/bin/sh
# Runs the bundle for two minutes while stations deliver: watch.sh [HPDLC...]
#
# The words are what hpdlc is called by; without any, the one of this checkout is compiled and used.
set -eu
cd "$(dirname "$0")"
root=/tmp/$(id -un)/weather
[ $# -gt 0 ] || set -- cargo run --release -p hpdlc --

# Compiled first, so that the stations do not wait for it.
mkdir -p "$root"
"$@" build . -c job.properties -o "$root/weather"
rm -rf "$root/incoming" "$root/clean" "$root/reports"

./stations.sh "$root" 2026-06-01T00:00Z 5 25 5 > "$root/stations.log" &
stations=$!
trap 'kill $stations 2> /dev/null || true' EXIT
"$root/weather" run -c job.properties -D "root=$root" --speed 60
cat "$root"/reports/*/report.md
