# shellcheck shell=bash
# Hive: a metastore with a Derby database, and HiveServer2. Queries run as MapReduce jobs if they do more than read
# a file.

prepare_hive() {
    ! is_secured || {
        REPLY="a cluster without kerberos"
        return 1
    }
    jars_of hive || return 1
    jars_of beeline || return 1
    [[ -e $folder/conf/hive-site.xml ]] || configure_hive
    wait_for namenode
    make_folders /tmp /tmp/hive /user/hive/warehouse
}

configure_hive() {
    local metastore server
    free_port && metastore=$REPLY
    free_port && server=$REPLY
    tell "METASTORE=thrift://127.0.0.1:$metastore" "HIVE_SERVER=jdbc:hive2://127.0.0.1:$server/default"
    configuration >"$folder/conf/hive-site.xml.$$" <<END
hive.metastore.uris thrift://127.0.0.1:$metastore
hive.metastore.warehouse.dir $(address HDFS)/user/hive/warehouse
hive.metastore.warehouse.external.dir $(address HDFS)/user/hive/warehouse
hive.metastore.schema.verification false
hive.metastore.event.db.notification.api.auth false
datanucleus.schema.autoCreateAll true
javax.jdo.option.ConnectionURL jdbc:derby:;databaseName=$folder/data/metastore;create=true
hive.server2.thrift.bind.host 127.0.0.1
hive.server2.thrift.port $server
hive.server2.enable.doAs false
hive.server2.webui.port 0
hive.server2.tez.initialize.default.sessions false
hive.exec.scratchdir /tmp/hive
hive.exec.local.scratchdir $folder/data/hive
hive.downloaded.resources.dir $folder/data/hive/resources
hive.execution.engine mr
hive.support.concurrency false
hive.txn.manager org.apache.hadoop.hive.ql.lockmgr.DummyTxnManager
hive.stats.autogather false
hive.security.authorization.enabled false
END
    mv "$folder/conf/hive-site.xml.$$" "$folder/conf/hive-site.xml"
}

hive_words() {
    java_words "$1"
    words+=("-Dderby.stream.error.file=$folder/derby.log" "-Djava.io.tmpdir=$folder/data")
    words+=(-cp "$folder/conf:$folder/lib/hadoop/*:$folder/lib/hive/*")
    words=(env "HADOOP_CONF_DIR=$folder/conf" "PATH=$folder/bin:$PATH" "${words[@]}")
}

start_metastore() {
    hive_words 384
    begin metastore "${words[@]}" org.apache.hadoop.hive.metastore.HiveMetaStore -p "$(port_of METASTORE)"
}

start_hiveserver2() {
    wait_for metastore
    hive_words 512
    begin hiveserver2 "${words[@]}" org.apache.hive.service.server.HiveServer2
}

ready_metastore() {
    listens "$(port_of METASTORE)"
}

ready_hiveserver2() {
    listens "$(port_of HIVE_SERVER)"
}
