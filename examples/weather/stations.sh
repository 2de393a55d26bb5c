#!/bin/sh
# Stands for weather stations: stations.sh ROOT FIRST EVERY COUNT PAUSE
#
# Makes COUNT deliveries below ROOT/incoming, for times EVERY minutes apart from FIRST on (such as 2026-06-01T00:00Z), one each
# PAUSE seconds. The fourth of every dozen comes two deliveries late, and some lines are broken.
set -eu
root=$1 first=$2 every=$3 count=$4 pause=$5

# The folder of a delivery, by its number. Computed here, as `date` is not the same everywhere.
folder() {
    awk -v first="$first" -v minutes="$(($1 * every))" 'BEGIN {
        split(first, part, /[-T:Z]/)
        y = part[1] + 0; m = part[2] + 0; d = part[3] + 0
        minutes += part[4] * 60 + part[5]
        d += int(minutes / 1440); minutes %= 1440
        for (;;) {
            leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0)
            length_ = m == 2 ? 28 + leap : (m == 4 || m == 6 || m == 9 || m == 11) ? 30 : 31
            if (d <= length_) break
            d -= length_; if (++m > 12) { m = 1; y++ }
        }
        printf "%04d-%02d-%02d/%02d%02d\n", y, m, d, minutes / 60, minutes % 60
    }'
}

deliver() {
    to=$root/incoming/$(folder "$1")
    mkdir -p "$to"
    awk -v seed="$1" 'BEGIN {
        srand(seed + 1)
        n = split("airport harbour hilltop", stations, " ")
        for (i = 1; i <= n; i++)
            for (k = 0; k < 4; k++)
                printf "%s,%.1f\n", stations[i], 14 + 6 * sin(seed / 4) - 2 * i + 2 * rand()
        if (seed % 5 == 3) print "harbour,##.#"
    }' > "$to/readings.csv"
    # Whoever sees this file finds all of them.
    touch "$to/_SUCCESS"
    echo "delivered $to"
}

late=
number=0
while [ "$number" -lt "$count" ]; do
    if [ "$((number % 12))" -eq 3 ]; then
        late=$number
    else
        deliver "$number"
    fi
    if [ -n "$late" ] && [ "$number" -ge "$((late + 2))" ]; then
        deliver "$late"
        late=
    fi
    number=$((number + 1))
    sleep "$pause"
done
[ -z "$late" ] || deliver "$late"
