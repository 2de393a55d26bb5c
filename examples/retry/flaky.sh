#!/bin/sh
# Fails as often as it is told, then succeeds: flaky.sh STATE_FOLDER FAILURES
#
# An attempt knows nothing of the one before it, so the count is kept in STATE_FOLDER, which belongs to one job.
set -eu

state=$1
failures=$2

mkdir -p "$state"
attempt=1
if [ -f "$state/attempt" ]; then
    attempt=$(($(cat "$state/attempt") + 1))
fi
echo "$attempt" > "$state/attempt.new"
mv "$state/attempt.new" "$state/attempt"

if [ "$attempt" -le "$failures" ]; then
    echo "attempt $attempt: the service does not answer" >&2
    exit 75
fi
echo "attempts=$attempt"
