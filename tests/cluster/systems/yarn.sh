# shellcheck shell=bash
# YARN: a resource manager that persists its applications, a node manager, and the history server of MapReduce jobs.

prepare_yarn() {
    [[ -e $folder/conf/yarn-site.xml ]] || configure_yarn
    wait_for namenode
    make_folders /tmp /tmp/hadoop-yarn/staging /user "/user/$(id -un)" /history /history/intermediate
}

configure_yarn() {
    local -A port=()
    local name class_path opens manager
    for name in rm scheduler tracker admin rm_web nm localizer nm_web shuffle history history_admin history_web collector; do
        free_port && port[$name]=$REPLY
    done
    class_path="$folder/conf,$folder/lib/secured,$folder/lib/hadoop/*"
    java_words 256
    # Without memory and garbage collector options: Pig sets them too, and Java refuses two.
    opens="${words[*]:3}"
    # A container waits for two or three heartbeats before it starts, which are a second by default.
    configuration >"$folder/conf/mapred-site.xml" <<END
mapreduce.framework.name yarn
mapreduce.application.classpath $class_path
mapreduce.shuffle.port ${port[shuffle]}
mapreduce.jobhistory.address $host:${port[history]}
mapreduce.jobhistory.admin.address $host:${port[history_admin]}
mapreduce.jobhistory.webapp.address $host:${port[history_web]}
mapreduce.jobhistory.done-dir /history/done
mapreduce.jobhistory.intermediate-done-dir /history/intermediate
mapreduce.map.memory.mb 384
mapreduce.reduce.memory.mb 384
mapreduce.map.java.opts -Xmx256m $opens
mapreduce.reduce.java.opts -Xmx256m $opens
mapreduce.task.io.sort.mb 16
mapreduce.client.submit.file.replication 1
mapreduce.job.reduce.slowstart.completedmaps 1.0
yarn.app.mapreduce.am.resource.mb 512
yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms 200
mapreduce.client.progressmonitor.pollinterval 200
yarn.app.mapreduce.am.command-opts -Xmx320m $opens
yarn.app.mapreduce.am.staging-dir /tmp/hadoop-yarn/staging
$(! is_secured || secured_mapred)
END
    configuration >"$folder/conf/capacity-scheduler.xml" <<END
$(if is_doubled; then doubled_queues; else one_queue; fi)
yarn.scheduler.capacity.maximum-am-resource-percent 0.7
yarn.scheduler.capacity.resource-calculator org.apache.hadoop.yarn.util.resource.DefaultResourceCalculator
$(! is_secured || secured_scheduler)
END
    # Of several it is a name that means all of them.
    manager=$host:${port[rm]}
    ! is_doubled || manager=$name_service
    tell "RESOURCE_MANAGER=$manager" "RESOURCE_MANAGER_WEB=http://$host:${port[rm_web]}" \
        "HISTORY=$host:${port[history]}" "HISTORY_WEB=http://$host:${port[history_web]}"
    # Written last: it marks the configuration as complete. The node stays healthy however full the disk is.
    configuration >"$folder/conf/yarn-site.xml.$$" <<END
$(if is_doubled; then doubled_yarn; else one_manager; fi)
yarn.resourcemanager.recovery.enabled true
yarn.resourcemanager.store.class org.apache.hadoop.yarn.server.resourcemanager.recovery.FileSystemRMStateStore
yarn.resourcemanager.fs.state-store.uri file://$folder/data/resource-manager
yarn.resourcemanager.work-preserving-recovery.scheduling-wait-ms 0
yarn.resourcemanager.connect.retry-interval.ms 1000
yarn.resourcemanager.nodemanagers.heartbeat-interval-ms 200
yarn.nodemanager.address $host:${port[nm]}
yarn.nodemanager.localizer.address $host:${port[localizer]}
yarn.nodemanager.webapp.address $host:${port[nm_web]}
yarn.nodemanager.collector-service.address $host:${port[collector]}
yarn.nodemanager.aux-services mapreduce_shuffle
yarn.nodemanager.local-dirs $folder/data/containers
yarn.nodemanager.log-dirs $folder/containers
yarn.nodemanager.delete.debug-delay-sec 0
yarn.nodemanager.resource.cpu-vcores 8
yarn.nodemanager.pmem-check-enabled false
yarn.nodemanager.vmem-check-enabled false
yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage 100
yarn.nodemanager.env-whitelist JAVA_HOME,HADOOP_CONF_DIR,PATH,LANG,TZ
yarn.scheduler.minimum-allocation-mb 128
yarn.application.classpath $class_path
yarn.log.server.url http://$host:${port[history_web]}/jobhistory/logs
$(! is_secured || secured_yarn)
END
    mv "$folder/conf/yarn-site.xml.$$" "$folder/conf/yarn-site.xml"
}

one_manager() {
    cat <<END
yarn.resourcemanager.hostname $host
yarn.resourcemanager.address $host:${port[rm]}
yarn.resourcemanager.scheduler.address $host:${port[scheduler]}
yarn.resourcemanager.resource-tracker.address $host:${port[tracker]}
yarn.resourcemanager.admin.address $host:${port[admin]}
yarn.resourcemanager.webapp.address $host:${port[rm_web]}
yarn.nodemanager.resource.memory-mb 6144
END
}

one_queue() {
    cat <<'END'
yarn.scheduler.capacity.root.queues default
yarn.scheduler.capacity.root.default.capacity 100
END
}

yarn_words() {
    local java
    hadoop_words 320
    java=$(readlink -f "$(command -v java)")
    words=(env "JAVA_HOME=${java%/bin/java}" "HADOOP_CONF_DIR=$folder/conf" "${words[@]}")
}

# Of one resource manager; of several with the id of the first, or another one.
resource_manager_words() {
    yarn_words
    words+=(org.apache.hadoop.yarn.server.resourcemanager.ResourceManager)
    ! is_doubled || words+=("-Dyarn.resourcemanager.ha.id=${1:-rm1}")
}

start_resourcemanager() {
    resource_manager_words
    begin resourcemanager "${words[@]}"
}

start_nodemanager() {
    yarn_words
    begin nodemanager "${words[@]}" org.apache.hadoop.yarn.server.nodemanager.NodeManager
}

start_historyserver() {
    yarn_words
    begin historyserver "${words[@]}" org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer
}

ready_resourcemanager() {
    [[ $(call -m 5 "$(address RESOURCE_MANAGER_WEB)/ws/v1/cluster/info" 2>/dev/null) == *'"state":"STARTED"'* ]] &&
        { ! is_doubled || ready_resource_managers; }
}

# The resource manager, of several the active one, has registered it.
ready_nodemanager() {
    local manager
    is_doubled || is_running "$folder" resourcemanager || return 0
    manager=$(address RESOURCE_MANAGER_WEB)
    ! is_doubled || manager=$(active_resource_manager)
    [[ $(call -m 5 "$manager/ws/v1/cluster/nodes?states=RUNNING" 2>/dev/null) == *'"state":"RUNNING"'* ]]
}

ready_historyserver() {
    [[ $(call -m 5 "$(address HISTORY_WEB)/ws/v1/history/info" 2>/dev/null) == *startedOn* ]]
}
