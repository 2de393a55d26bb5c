#!/bin/sh
# Counts the lines that are no orders, and says why: check.sh ORDERS PROBLEMS
#
# An order is: number, customer, date, article, quantity (whole, more than 0), price of one (at most two decimals).
set -eu
export LC_ALL=C

orders=$1
problems=$2

awk -F , -v problems="$problems" '
    function report(text) { print "line " NR ": " text > problems; bad++ }
    BEGIN { printf "" > problems }
    NR == 1 { next }
    NF != 6 { report("has " NF " fields instead of 6"); next }
    $3 !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]$/ { report("`" $3 "` is no date"); next }
    $5 !~ /^[1-9][0-9]*$/ { report("`" $5 "` is no quantity"); next }
    $6 !~ /^[0-9]+(\.[0-9][0-9]?)?$/ { report("`" $6 "` is no price"); next }
    END {
        print "lines=" (NR > 1 ? NR - 1 : 0)
        print "bad=" bad + 0
    }
' "$orders"
