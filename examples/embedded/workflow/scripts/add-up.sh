#!/bin/sh
# What each customer has ordered, the largest sum first: add-up.sh ORDERS TOTALS
set -eu
export LC_ALL=C

orders=$1
totals=$2

awk -F , '
    NR > 1 && NF == 6 && $5 > 0 && $6 > 0 { sum[$2] += $5 * $6 }
    END { for (customer in sum) printf "%s\t%.2f\n", customer, sum[customer] }
' "$orders" | sort -t "$(printf '\t')" -k2,2nr -k1,1 > "$totals"

awk -F '\t' '{ sum += $2 } END { print "customers=" NR; printf "sum=%.2f\n", sum }' "$totals"
