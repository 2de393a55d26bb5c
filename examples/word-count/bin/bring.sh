#!/bin/sh
# Puts the text where the job looks for it: bring.sh FOLDER
set -e
hdfs dfs -mkdir -p "$1"
hdfs dfs -put -f rhyme.txt "$1"
