# shellcheck shell=bash
# High availability, and what else clusters of many users have: two name nodes and two resource managers, of which one is active, two
# nodes, one with a label, queues that not all may use, and preemption. A cluster with the file `ha` is so from its beginning, and stays so.

# A name for the two name nodes, and one for the two resource managers.
name_service=two-of-each

prepare_ha() {
    is_doubled || {
        [[ ! -d $folder/conf ]] || {
            REPLY="another folder: $folder has systems without it"
            return 1
        }
        configure_ha
    }
}

# The ports of those that are there twice.
configure_ha() {
    local name
    for name in rpc http rm scheduler tracker admin rm_web nm localizer nm_web collector; do
        free_port
        echo "$name=$REPLY"
    done >"$folder/ha.$$"
    mv "$folder/ha.$$" "$folder/ha"
}

# The port of the second one.
second() {
    sed -n "s,^$1=,,p" "$folder/ha"
}

# Properties of hdfs-site.xml.
doubled_hdfs() {
    tell "WEBHDFS2=webhdfs://$host:$(second http)"
    cat <<END
dfs.nameservices $name_service
dfs.ha.namenodes.$name_service nn1,nn2
dfs.namenode.rpc-address.$name_service.nn1 $host:$rpc
dfs.namenode.rpc-address.$name_service.nn2 $host:$(second rpc)
dfs.namenode.http-address.$name_service.nn1 $host:$http
dfs.namenode.http-address.$name_service.nn2 $host:$(second http)
dfs.client.failover.proxy.provider.$name_service org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider
dfs.namenode.shared.edits.dir file://$folder/data/dfs/shared
dfs.ha.automatic-failover.enabled false
dfs.ha.fencing.methods shell(/bin/true)
dfs.ha.tail-edits.period 1
END
}

# Properties of yarn-site.xml.
doubled_yarn() {
    local name of
    tell "RESOURCE_MANAGER_WEB2=http://$host:$(second rm_web)"
    for name in :rm scheduler.:scheduler resource-tracker.:tracker admin.:admin webapp.:rm_web; do
        of=${name#*:}
        echo "yarn.resourcemanager.${name%:*}address.rm1 $host:${port[$of]}"
        echo "yarn.resourcemanager.${name%:*}address.rm2 $host:$(second "$of")"
    done
    # The first node has no label. What is preempted is ended half a second later.
    cat <<END
yarn.resourcemanager.ha.enabled true
yarn.resourcemanager.ha.rm-ids rm1,rm2
yarn.resourcemanager.ha.automatic-failover.enabled false
yarn.resourcemanager.cluster-id $name_service
yarn.resourcemanager.hostname.rm1 $host
yarn.resourcemanager.hostname.rm2 $host
yarn.client.failover-sleep-base-ms 100
yarn.client.failover-sleep-max-ms 500
yarn.nodemanager.resource.memory-mb 3072
yarn.acl.enable true
yarn.admin.acl $(id -un)
yarn.node-labels.enabled true
yarn.node-labels.fs-store.root-dir file://$folder/data/labels
yarn.cluster.max-application-priority 10
yarn.resourcemanager.scheduler.monitor.enable true
yarn.resourcemanager.monitor.capacity.preemption.monitoring_interval 500
yarn.resourcemanager.monitor.capacity.preemption.max_wait_before_kill 500
yarn.resourcemanager.monitor.capacity.preemption.total_preemption_per_round 1.0
yarn.resourcemanager.monitor.capacity.preemption.natural_termination_factor 1.0
yarn.resourcemanager.monitor.capacity.preemption.max_ignored_over_capacity 0.0
END
}

# Properties of capacity-scheduler.xml. `etl` has the node with a label; `closed` is carol's.
doubled_queues() {
    local queue
    cat <<'END'
yarn.scheduler.capacity.root.queues default,etl,small,closed
yarn.scheduler.capacity.root.acl_submit_applications nobody
yarn.scheduler.capacity.root.acl_administer_queue nobody
yarn.scheduler.capacity.root.accessible-node-labels gpu
yarn.scheduler.capacity.root.accessible-node-labels.gpu.capacity 100
yarn.scheduler.capacity.root.default.capacity 50
yarn.scheduler.capacity.root.etl.capacity 20
yarn.scheduler.capacity.root.etl.accessible-node-labels gpu
yarn.scheduler.capacity.root.etl.accessible-node-labels.gpu.capacity 100
yarn.scheduler.capacity.root.small.capacity 20
yarn.scheduler.capacity.root.closed.capacity 10
yarn.scheduler.capacity.root.closed.acl_submit_applications carol
END
    for queue in default etl small; do
        echo "yarn.scheduler.capacity.root.$queue.acl_submit_applications *"
        echo "yarn.scheduler.capacity.root.$queue.user-limit-factor 10"
    done
}

start_namenode2() {
    name_node_words nn2
    begin namenode2 "${words[@]}" "-Ddfs.namenode.name.dir=file://$folder/data/dfs/name2"
}

start_resourcemanager2() {
    resource_manager_words rm2
    begin resourcemanager2 "${words[@]}"
}

start_nodemanager2() {
    yarn_words
    words+=(org.apache.hadoop.yarn.server.nodemanager.NodeManager -Dyarn.nodemanager.aux-services=)
    words+=("-Dyarn.nodemanager.address=$host:$(second nm)" "-Dyarn.nodemanager.localizer.address=$host:$(second localizer)")
    words+=("-Dyarn.nodemanager.webapp.address=$host:$(second nm_web)" -Dyarn.nodemanager.resource.memory-mb=1024)
    words+=("-Dyarn.nodemanager.collector-service.address=$host:$(second collector)")
    begin nodemanager2 "${words[@]}" "-Dyarn.nodemanager.local-dirs=$folder/data/containers2" \
        "-Dyarn.nodemanager.log-dirs=$folder/containers2"
}

# The first of the addresses with this name whose answer to the request has these words.
first_that_says() {
    local name=$1 request=$2 words=$3 web
    while read -r web; do
        web=${web/#webhdfs/http}
        if [[ $(call -m 2 "$web$request" 2>/dev/null) == *"$words"* ]]; then
            echo "$web"
            return
        fi
    done < <(sed -n "s,^${name}2*=,,p" "$folder/addresses")
    return 1
}

# The web server of the active name node.
active_name_node() {
    first_that_says WEBHDFS "/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus" '"State" : "active"'
}

# The web server of the active resource manager.
active_resource_manager() {
    first_that_says RESOURCE_MANAGER_WEB /ws/v1/cluster/info '"haState":"ACTIVE"'
}

# One name node is active, or the first one becomes it.
ready_name_nodes() {
    active_name_node >/dev/null || {
        HADOOP_CONF_DIR=$folder/conf "$folder/bin/hdfs" haadmin -transitionToActive --forceactive nn1 >>"$folder/admin.log" 2>&1 </dev/null || return 1
    }
}

# One resource manager is active, or the first one becomes it.
ready_resource_managers() {
    active_resource_manager >/dev/null || {
        HADOOP_CONF_DIR=$folder/conf "$folder/bin/yarn" rmadmin -transitionToActive --forceactive rm1 >>"$folder/admin.log" 2>&1 </dev/null || return 1
    }
}

# A node gets a label that no other has, and that only those who ask for it get.
label() {
    local web=$1 node=$2
    admin "$web/ws/v1/cluster/add-node-labels" '{"nodeLabelInfo":[{"name":"gpu","exclusivity":true}]}' &&
        admin "$web/ws/v1/cluster/replace-node-to-labels" \
            "{\"nodeToLabels\":[{\"nodeId\":\"$node\",\"labels\":[\"gpu\"]}]}"
}

# Asks a resource manager for a change as its administrator.
admin() {
    call -f -m 20 -o /dev/null -X POST -H 'Content-Type: application/json' -d "$2" "$1?user.name=$(id -un)"
}

ready_namenode2() {
    [[ $(call -m 2 "$(address WEBHDFS2 | sed 's/^webhdfs/http/')/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus" 2>/dev/null) == *State* ]]
}

ready_resourcemanager2() {
    [[ $(call -m 5 "$(address RESOURCE_MANAGER_WEB2)/ws/v1/cluster/info" 2>/dev/null) == *'"state":"STARTED"'* ]] &&
        ready_resource_managers
}

# The active resource manager has registered it, under the name that this machine has, and with its label.
ready_nodemanager2() {
    local web node
    web=$(active_resource_manager) || return 1
    node=$(call -m 5 "$web/ws/v1/cluster/nodes?states=RUNNING" 2>/dev/null | grep -o "\"id\":\"[^\"]*:$(second nm)\"") || return 1
    node=${node#*:\"}
    node=${node%\"}
    [[ $(call -m 5 "$web/ws/v1/cluster/get-node-to-labels" 2>/dev/null) == *"\"key\":\"$node\""* ]] || label "$web" "$node"
}
