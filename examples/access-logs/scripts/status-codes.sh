#!/bin/sh
# Counts the answers of a web server by status code: status-codes.sh LOG FOLDER
#
# Writes FOLDER/status-codes.tsv (status, requests; most frequent first) and prints the sums as properties.
set -eu
export LC_ALL=C

log=$1
folder=$2
counts=$folder/status-codes.tsv

# Between quotation marks stand request, referrer and agent; status and size follow the request.
awk -F '"' '
    { split($3, answer, " ") }
    answer[1] ~ /^[1-5][0-9][0-9]$/ { count[answer[1]]++ }
    END { for (status in count) print status "\t" count[status] }
' "$log" | sort -k2,2nr -k1,1n > "$counts"

awk '
    { requests += $2; class[substr($1, 1, 1)] += $2 }
    END {
        print "requests=" requests + 0
        print "redirections=" class[3] + 0
        print "client_errors=" class[4] + 0
        print "server_errors=" class[5] + 0
    }
' "$counts"
echo "file=$counts"
