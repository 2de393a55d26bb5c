#!/bin/sh
# Prints the word that comes most often, as properties: show.sh FOLDER
hdfs dfs -cat "$1/part-*" | sort -k2,2nr -k1,1 | awk 'NR == 1 { print "word=" $1; print "times=" $2 }'
