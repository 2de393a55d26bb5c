#!/bin/sh
# Writes a report in Markdown from what was counted: write-report.sh COUNTS_FOLDER REPORT_FILE
#
# Title and sums come by environment: TITLE, PERIOD, REQUESTS, VIEWS, BYTES, SERVER_ERRORS, BUSIEST_HOUR.
set -eu
export LC_ALL=C

counts=$1
report=$2

{
    printf '# %s\n\n%s\n\n' "$TITLE" "$PERIOD"

    awk -v requests="$REQUESTS" -v views="$VIEWS" -v bytes="$BYTES" -v errors="$SERVER_ERRORS" \
        -v hour="$BUSIEST_HOUR" 'BEGIN {
        print "| | |"
        print "|---|---:|"
        print "| requests | " requests " |"
        print "| page views by people | " views " |"
        printf "| sent | %.1f MB |\n", bytes / 1000000
        share = requests > 0 ? 100 * errors / requests : 0
        printf "| server errors | %s (%.2f %%) |\n", errors, share
        print "| busiest hour | " hour ":00 |"
    }'

    printf '\n## Top pages\n\n| views | visitors | page |\n|---:|---:|---|\n'
    awk -F '\t' '{ print "| " $1 " | " $2 " | `" $3 "` |" }' "$counts/top-pages.tsv"

    printf '\n## Answers\n\n| status | requests |\n|---|---:|\n'
    awk -F '\t' '{ print "| " $1 " | " $2 " |" }' "$counts/status-codes.tsv"

    # The file is read twice: first for the highest value, to which the bars are scaled.
    printf '\n## Requests by hour of the day\n\n```text\n'
    awk -F '\t' '
        NR == FNR { if ($2 > highest) highest = $2; next }
        {
            bar = ""
            for (i = 0; i < 50 * $2 / highest - 0.5; i++) bar = bar "#"
            printf "%s %6d %s\n", $1, $2, bar
        }
    ' "$counts/by-hour.tsv" "$counts/by-hour.tsv"
    printf '```\n'

    printf '\n## Hours with most server errors\n\n| day | hour | errors |\n|---|---|---:|\n'
    sort -s -t "$(printf '\t')" -k3,3nr "$counts/error-hours.tsv" | head -n 5 |
        awk -F '\t' '{ print "| " $1 " | " $2 ":00 | " $3 " |" }'
} > "$report.new"

# Who reads the report never sees half of it.
mv "$report.new" "$report"
