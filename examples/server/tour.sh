#!/bin/sh
# Starts a server, and has it run the workflow of this folder by requests: tour.sh [HPDL...]
#
# The words are what hpdl is called by, with hpdlc beside it; without any, those of this checkout are compiled and used.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=/tmp/$(id -un)/server
if [ $# = 0 ]; then
    # The compiler, and the runtime that executables are linked with: minutes the first time.
    cargo run --release -p hpdlc -- setup
    set -- cargo run --release -p hpdl --
fi

rm -rf "$root"
mkdir -p "$root/app"
cp "$here/workflow.xml" "$here/greet.sh" "$root/app"
export HPDL_HOME="$root/jobs"

# Its port is in what it says first.
: > "$root/server.log"
"$@" serve --listen 127.0.0.1:0 2> "$root/server.log" &
server=$!
trap 'kill $server 2> /dev/null || true; wait $server || true' EXIT
until grep -q 'http://' "$root/server.log"; do
    kill -0 $server 2> /dev/null || { cat "$root/server.log" >&2; exit 1; }
    sleep 0.1
done
url=$(sed -n 's/.*\(http:[^ ]*\).*/\1/p' "$root/server.log" | head -n 1)

request() {
    curl --silent --show-error --header 'Content-Type: application/xml' "$@"
}

configuration() {
    echo '<configuration>'
    echo "<property><name>oozie.wf.application.path</name><value>file://$root/app</value></property>"
    echo "<property><name>name</name><value>$1</value></property>"
    echo '</configuration>'
}

# Submits and starts a job, and waits for its end.
run() {
    answer=$(configuration "$1" | request --data-binary @- "$url/v2/jobs?action=start&user.name=$(id -un)")
    id=$(echo "$answer" | sed -n 's/.*"id":"\([^"]*\)".*/\1/p')
    [ -n "$id" ] || { echo "$answer" >&2; exit 1; }
    status=RUNNING
    while [ "$status" = RUNNING ] || [ "$status" = PREP ]; do
        sleep 0.1
        status=$(request "$url/v2/job/$id?show=status" | sed 's/.*"status":"\([^"]*\)".*/\1/')
    done
    echo "$status: $(request "$url/v2/job/$id@greet?show=info" | sed 's/.*greeting=\([^\\"]*\).*/\1/')"
}

# Nobody has registered this folder: the server compiles it.
run world
run Ada

# A changed folder is compiled again.
sed 's/Hello/Good morning/' "$here/greet.sh" > "$root/app/greet.sh"
run Ada

# A mistake is answered with what the compiler says.
sed 's/ok to="end"/ok to="nowhere"/' "$here/workflow.xml" > "$root/app/workflow.xml"
configuration Ada | request --output /dev/null --dump-header - --data-binary @- "$url/v2/jobs?action=start&user.name=$(id -un)" | grep -i '^oozie-error'
