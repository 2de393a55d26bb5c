# shellcheck shell=bash
# HDFS: a name node with WebHDFS, and a data node. The classes and the configuration are Hadoop's; the other systems of
# Hadoop add theirs.

prepare_hdfs() {
    local jar
    command -v java >/dev/null || {
        REPLY="a program \`java\` (Debian: default-jdk-headless)"
        return 1
    }
    command -v curl >/dev/null || {
        REPLY="a program \`curl\` (Debian: curl)"
        return 1
    }
    jars_of hadoop || return 1
    ln -sf "$here"/bin/* "$folder/bin/"
    # Where a HADOOP_HOME has them: tasks on the cluster get them from the job, or not at all.
    mkdir -p "$folder"/share/hadoop/{tools/lib,mapreduce}
    for jar in "$folder"/lib/hadoop/hadoop-{streaming,distcp}-*.jar; do
        [[ ! -e $jar ]] || mv -f "$jar" "$folder/share/hadoop/tools/lib/"
    done
    for jar in "$folder"/lib/hadoop/hadoop-mapreduce-examples-*.jar; do
        [[ ! -e $jar ]] || mv -f "$jar" "$folder/share/hadoop/mapreduce/"
    done
    # The artifacts lack the folders with the web pages of the servers, which the servers require.
    mkdir -p "$folder"/lib/pages/webapps/{hdfs,datanode,static}
    [[ -d $folder/conf ]] || configure_hdfs
    ! is_secured || wait_for kdc
    if [[ ! -d $folder/data/dfs/name/current ]]; then
        name_node_words
        "${words[@]}" -format -nonInteractive >"$folder/format.log" 2>&1 </dev/null || {
            printf 'error: the name node could not be formatted\n  = note: see %s\n' "$folder/format.log" >&2
            exit 1
        }
        ! is_doubled || cp -r "$folder/data/dfs/name" "$folder/data/dfs/name2"
    fi
}

configure_hdfs() {
    local conf=$folder/conf.$$ name rpc http data data_http data_ipc
    free_port && rpc=$REPLY
    free_port && http=$REPLY
    free_port && data=$REPLY
    free_port && data_http=$REPLY
    free_port && data_ipc=$REPLY
    mkdir -p "$conf"
    name=hdfs://$host:$rpc
    ! is_doubled || name=hdfs://$name_service
    # After a server was unavailable, its clients retry each second.
    configuration >"$conf/core-site.xml" <<END
fs.defaultFS $name
fs.trash.interval 60
hadoop.tmp.dir $folder/data
ipc.client.connect.max.retries 0
ipc.client.connect.max.retries.on.timeouts 0
hadoop.rpc.protection ${HPDL_CLUSTER_PROTECTION:-authentication}
hadoop.proxyuser.$(id -un).hosts *
hadoop.proxyuser.$(id -un).groups *
$(! is_secured || secured_core)
END
    configuration >"$conf/hdfs-site.xml" <<END
dfs.replication 1
dfs.namenode.http-address $host:$http
dfs.datanode.address $host:$data
dfs.datanode.http.address $host:$data_http
dfs.datanode.ipc.address $host:$data_ipc
dfs.datanode.hostname $host
dfs.namenode.datanode.registration.ip-hostname-check false
dfs.namenode.safemode.extension 0
dfs.heartbeat.interval 1
dfs.namenode.fs-limits.min-block-size 1024
$(! is_secured || secured_hdfs)
$(! is_doubled || doubled_hdfs)
END
    cat >"$conf/log4j.properties" <<'END'
log4j.rootLogger=INFO,A
log4j.appender.A=org.apache.log4j.ConsoleAppender
log4j.appender.A.target=System.err
log4j.appender.A.layout=org.apache.log4j.PatternLayout
log4j.appender.A.layout.ConversionPattern=%d{ISO8601} %p %c: %m%n
END
    tell "HADOOP_CONF_DIR=$folder/conf" "HADOOP_HOME=$folder" "HDFS=$name" "WEBHDFS=webhdfs://$host:$http"
    mv "$conf" "$folder/conf"
}

# The JVM options for a main class of Hadoop with this many megabytes.
hadoop_words() {
    java_words "$1"
    words+=(-cp "$folder/conf:$folder/lib/pages:$folder/lib/secured:$folder/lib/hadoop/*")
}

# Of one name node; of several with the id of the first, or another one.
name_node_words() {
    hadoop_words 256
    words+=(org.apache.hadoop.hdfs.server.namenode.NameNode)
    ! is_doubled || words+=("-Ddfs.ha.namenode.id=${1:-nn1}")
}

start_namenode() {
    name_node_words
    begin namenode "${words[@]}"
}

start_datanode() {
    hadoop_words 256
    begin datanode "${words[@]}" org.apache.hadoop.hdfs.server.datanode.DataNode
}

# The web server of the name node, of several the active one's.
name_node() {
    if is_doubled; then
        active_name_node
    else
        address WEBHDFS | sed 's/^webhdfs/http/'
    fi
}

name_node_info() {
    call -m 2 "$(name_node)/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo" 2>/dev/null
}

# It answers, and has left safe mode.
ready_namenode() {
    ! is_doubled || ready_name_nodes || return 1
    [[ $(name_node_info) == *'"Safemode" : ""'* ]]
}

# The name node has registered it.
ready_datanode() {
    [[ $(name_node_info) == *'\"lastContact\"'* ]]
}

# Creates folders in HDFS that all users can write to.
make_folders() {
    local path
    for path in "$@"; do
        change "$path?op=MKDIRS&permission=1777"
    done
}

# Changes something in HDFS as its superuser.
change() {
    local user=
    # Kerberos says who it is.
    is_secured || user="&user.name=$(id -un)"
    call -f -m 20 -o /dev/null -X PUT "$(name_node)/webhdfs/v1$1$user"
}
