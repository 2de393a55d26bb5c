# shellcheck shell=bash
# What the commands in `bin` share. They replace the scripts that Maven's artifacts of Hadoop lack: they find the
# cluster's configuration and classes, and start the tool's own main class. A command is started by its link in the
# cluster's folder.

folder=$(cd "$(dirname "$0")/.." && pwd)
# shellcheck source=tests/cluster/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

if [[ ! -d $folder/lib ]]; then
    printf 'error: %s belongs to no cluster\n  = help: start one by tests/cluster/up, and take the command in its bin\n' "$0" >&2
    exit 2
fi
# Hadoop's scripts also have an option for another configuration.
if [[ ${1-} == --config ]]; then
    HADOOP_CONF_DIR=$2
    shift 2
fi
export HADOOP_CONF_DIR=${HADOOP_CONF_DIR:-$folder/conf}
class_path=$HADOOP_CONF_DIR:$folder/lib/secured:$folder/lib/hadoop/*

# Adds the classes and the configuration of another system, which take precedence.
needs() {
    local system=$1 conf=${1^^}_CONF_DIR
    if [[ ! -d $folder/lib/$system ]]; then
        printf "error: this cluster has no %s\n  = help: \`tests/cluster/up %s %s\` adds it\n" "$system" "$folder" "$system" >&2
        exit 2
    fi
    export "$conf=${!conf:-$HADOOP_CONF_DIR}"
    class_path=${!conf}:$folder/lib/$system/*:$class_path
}

# The jars of Hadoop's tools, as its scripts add them for a few commands.
tools() {
    class_path=$class_path:$folder/share/hadoop/tools/lib/*
}

unknown() {
    printf "error: no command \`%s\`\n  = help: there are %s\n" "$1" "$2" >&2
    exit 2
}

run() {
    if [[ -n ${HADOOP_CLASSPATH-} ]]; then
        if [[ -n ${HADOOP_USER_CLASSPATH_FIRST-} ]]; then
            class_path=$HADOOP_CLASSPATH:$class_path
        else
            class_path=$class_path:$HADOOP_CLASSPATH
        fi
    fi
    java_words "${HADOOP_HEAPSIZE:-512}"
    # shellcheck disable=SC2086 # Options, with blanks between them.
    exec "${words[@]}" ${HADOOP_OPTS-} ${HADOOP_CLIENT_OPTS-} \
        ${JAVA_LIBRARY_PATH:+"-Djava.library.path=$JAVA_LIBRARY_PATH"} \
        -cp "$class_path" "$@"
}
