#!/bin/sh
# Packs a folder: pack.sh FOLDER ARCHIVE
#
# Prints how many files it has seen, what the archives of this folder are called, and the name of this one.
set -eu

folder=$1
archive=$2
prefix=$(basename "$folder")

tar -czf "$archive" -C "$(dirname "$folder")" "$prefix"
echo "files=$(find "$folder" -type f | wc -l)"
echo "prefix=$prefix"
echo "name=$prefix-$(date -u +%Y-%m-%dT%H%M%S%3N).tar.gz"
