#!/bin/sh
# Removes all but the newest archives of a folder: remove-old.sh ARCHIVES PREFIX KEEP
set -eu

archives=$1
prefix=$2
keep=$3

ls -1t "$archives/$prefix"-*.tar.gz | tail -n "+$((keep + 1))" > old
while IFS= read -r archive; do
    rm -- "$archive"
done < old
echo "removed=$(wc -l < old)"
