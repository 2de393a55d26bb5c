#!/bin/sh
# Keeps the lines `station,degrees` of a delivery that are whole, and says how many there were.
set -eu
from=${1#file://} to=${2#file://}

mkdir -p "$to"
awk -F, '
    NF == 2 && $1 ~ /^[a-z]+$/ && $2 ~ /^-?[0-9]+(\.[0-9]+)?$/ { print; kept++; next }
    { dropped++ }
    END { printf "kept=%d\ndropped=%d\n", kept, dropped > "/dev/stderr" }
' "$from/readings.csv" 2> counts > "$to/readings.csv"
touch "$to/_SUCCESS"
cat counts
