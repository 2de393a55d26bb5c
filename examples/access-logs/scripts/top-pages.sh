#!/bin/sh
# The pages that people look at most: top-pages.sh LOG FOLDER HOW_MANY
#
# Writes FOLDER/top-pages.tsv (views, visitors, path; most viewed first) and prints the first as properties.
# A view is a GET that was answered with 200 or 304; crawlers, assets and query strings do not count.
set -eu
export LC_ALL=C

log=$1
folder=$2
how_many=$3
pages=$folder/pages.tsv
top=$folder/top-pages.tsv

awk -F '"' '
    tolower($6) ~ /bot|spider|crawler|zgrope|uptime-check/ { next }
    {
        split($1, client, " "); split($2, request, " "); split($3, answer, " ")
        if (request[1] != "GET" || (answer[1] != 200 && answer[1] != 304)) next
        path = request[2]
        sub(/\?.*/, "", path)
        if (path ~ /^\/static\// || path == "/favicon.ico" || path == "/robots.txt") next
        views[path]++
        if (!((path, client[1]) in seen)) { seen[path, client[1]] = 1; visitors[path]++ }
    }
    END { for (path in views) print views[path] "\t" visitors[path] "\t" path }
' "$log" | sort -k1,1nr -k3,3 > "$pages"
head -n "$how_many" "$pages" > "$top"

awk -F '\t' '
    NR == 1 { print "top_page=" $3; print "top_page_views=" $1 }
    { views += $1 }
    END { print "pages=" NR; print "views=" views + 0 }
' "$pages"
echo "file=$top"
