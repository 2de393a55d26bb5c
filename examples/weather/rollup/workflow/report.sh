#!/bin/sh
# Writes a table of the coldest, the mean and the warmest of each station, from folders with commas between.
set -eu
title=$1 folders=$2 to=${3#file://}

mkdir -p "$to"
echo "$folders" | tr , '\n' | while read -r folder; do
    cat "${folder#file://}/readings.csv"
done | sort | awk -F, -v title="$title" '
    function row() { if (n) printf "| %s | %d | %.1f | %.1f | %.1f |\n", station, n, low, sum / n, high }
    BEGIN {
        printf "# %s\n\n", title
        print "| station | readings | coldest | mean | warmest |"
        print "|---|---:|---:|---:|---:|"
    }
    $1 != station { row(); station = $1; n = sum = 0; low = high = $2 + 0 }
    { n++; sum += $2; if ($2 + 0 < low) low = $2 + 0; if ($2 + 0 > high) high = $2 + 0 }
    END { row() }
' > "$to/.report.md"
mv "$to/.report.md" "$to/report.md"
