#!/bin/sh
n=$(wc -l < "$1")
echo rosw=$n
echo "last_day=$2"
echo day=1
