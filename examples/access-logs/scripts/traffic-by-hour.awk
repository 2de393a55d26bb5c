# Traffic by hour of the day, and where the errors were: awk -v folder=FOLDER -f traffic-by-hour.awk LOG
#
# Writes by-hour.tsv (hour, requests, bytes) and error-hours.tsv (day, hour, server errors; in the order of the log)
# into FOLDER, and prints the sums as properties.

BEGIN { FS = "\"" }

{
    # 192.0.2.7 - - [09/Nov/2026:00:00:03 +0000]
    if (!match($1, /\[[0-9][0-9]\/[A-Z][a-z][a-z]\/[0-9][0-9][0-9][0-9]:[0-9][0-9]:/)) next
    day = substr($1, RSTART + 1, 11)
    hour = substr($1, RSTART + 13, 2)
    split($3, answer, " ")

    requests[hour]++
    bytes[hour] += answer[2]
    total += answer[2]
    if (day != last_day) { days++; last_day = day }
    if (first_day == "") first_day = day
    if (answer[1] ~ /^5/) {
        if (!((day, hour) in errors)) { n_error_hours++; error_hour[n_error_hours] = day "\t" hour }
        errors[day, hour]++
    }
}

END {
    by_hour = folder "/by-hour.tsv"
    error_hours = folder "/error-hours.tsv"
    busiest = quietest = "00"
    # Both files exist even if there is nothing to write into them.
    printf "" > by_hour
    printf "" > error_hours
    for (h = 0; h < 24; h++) {
        hour = sprintf("%02d", h)
        # Not %d: some awks end at 2^31 there.
        if (days > 0) printf "%s\t%.0f\t%.0f\n", hour, requests[hour], bytes[hour] > by_hour
        if (requests[hour] + 0 > requests[busiest] + 0) busiest = hour
        if (requests[hour] + 0 < requests[quietest] + 0) quietest = hour
    }
    for (e = 1; e <= n_error_hours; e++) {
        split(error_hour[e], place, "\t")
        print error_hour[e] "\t" errors[place[1], place[2]] > error_hours
    }
    close(by_hour)
    close(error_hours)

    print "first_day=" first_day
    print "last_day=" last_day
    print "days=" days + 0
    printf "bytes=%.0f\n", total
    print "busiest_hour=" busiest
    print "quietest_hour=" quietest
    print "file=" by_hour
}
