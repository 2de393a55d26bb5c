# Lines come in their order: `WORD TIMES` for each that is followed by another.
uniq -c | awk '{ print $2 "\t" $1 }'
