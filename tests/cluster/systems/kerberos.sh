# shellcheck shell=bash
# Kerberos: a KDC with a realm of its own, keytabs of users and services, and the properties that secure HDFS and YARN. A cluster with
# the folder `kerberos` is secured from its beginning, and stays so.

realm=TEST.HPDL
users=(alice bob)
# `oozie` may act for users.
services=(nn dn rm nm jhs HTTP oozie)

prepare_kerberos() {
    local it
    for it in krb5kdc:krb5-kdc kdb5_util:krb5-kdc kadmin.local:krb5-admin-server kinit:krb5-user javac:default-jdk-headless; do
        PATH=$PATH:/usr/sbin command -v "${it%:*}" >/dev/null || {
            REPLY="a program \`${it%:*}\` (Debian: ${it#*:})"
            return 1
        }
    done
    [[ $(curl --version 2>/dev/null) == *SPNEGO* ]] || {
        REPLY="a program \`curl\` with SPNEGO (Debian: curl)"
        return 1
    }
    jars_of hadoop || return 1
    if ! is_secured; then
        [[ ! -d $folder/conf ]] || {
            REPLY="another folder: $folder has systems without it"
            return 1
        }
        configure_kerberos
    fi
}

configure_kerberos() {
    local port name
    free_port && port=$REPLY
    rm -rf "$folder/kerberos" "$folder/keytabs"
    mkdir -p "$folder/kerberos" "$folder/keytabs"
    chmod 700 "$folder/kerberos" "$folder/keytabs"
    # With a limit of 1 messages are sent by TCP alone, whose failures are noticed at once.
    cat >"$folder/kerberos/krb5.conf" <<END
[libdefaults]
  default_realm = $realm
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  forwardable = true
  udp_preference_limit = 1
[realms]
  $realm = {
    kdc = 127.0.0.1:$port
  }
[domain_realm]
  localhost = $realm
END
    cat >"$folder/kerberos/kdc.conf" <<END
[kdcdefaults]
  kdc_listen = 127.0.0.1:$port
  kdc_tcp_listen = 127.0.0.1:$port
[realms]
  $realm = {
    database_name = $folder/kerberos/principal
    key_stash_file = $folder/kerberos/stash
    acl_file = $folder/kerberos/acl
    max_life = 1d
    max_renewable_life = 7d
  }
[logging]
  kdc = STDERR
  admin_server = STDERR
END
    {
        of_kerberos kdb5_util create -s -r "$realm" -P master
        for name in "${users[@]}"; do
            add_principal "$name" "$name"
        done
        for name in "${services[@]}"; do
            add_principal "$name" "$name/localhost"
        done
    } >"$folder/kerberos/create.log" 2>&1 </dev/null || {
        printf 'error: the database of Kerberos could not be made\n  = note: see %s\n' "$folder/kerberos/create.log" >&2
        exit 1
    }
    javac -cp "$folder/lib/hadoop/*" -d "$folder/lib/secured" "$here/systems/SecureIOUtils.java"
    tell "KRB5_CONFIG=$folder/kerberos/krb5.conf" "KEYTABS=$folder/keytabs" "REALM=$realm" "KDC=127.0.0.1:$port"
    # Last: with it the cluster is secured.
    head -c 32 /dev/urandom | base64 >"$folder/kerberos/secret"
}

# Runs a program with the configuration of this KDC.
of_kerberos() {
    env "PATH=$PATH:/usr/sbin" "KRB5_CONFIG=$folder/kerberos/krb5.conf" "KRB5_KDC_PROFILE=$folder/kerberos/kdc.conf" "$@"
}

# A principal, and the keytab NAME.keytab with its key.
add_principal() {
    of_kerberos kadmin.local -r "$realm" -q "addprinc -randkey $2" &&
        of_kerberos kadmin.local -r "$realm" -q "ktadd -k $folder/keytabs/$1.keytab $2"
}

start_kdc() {
    # The option with the folder's name identifies the process.
    begin kdc env "PATH=$PATH:/usr/sbin" "KRB5_CONFIG=$folder/kerberos/krb5.conf" "KRB5_KDC_PROFILE=$folder/kerberos/kdc.conf" \
        krb5kdc -n -r "$realm" -P "$folder/kerberos/kdc.pid"
}

# It gives the ticket that `call` needs.
ready_kdc() {
    of_kerberos kinit -c "FILE:$folder/kerberos/superuser" -k -t "$folder/keytabs/nn.keytab" nn/localhost >/dev/null 2>&1
}

# The users' folders in HDFS.
make_homes() {
    local name
    make_folders /tmp
    for name in "${users[@]}"; do
        make_folders "/user/$name"
        change "/user/$name?op=SETOWNER&owner=$name"
        change "/user/$name?op=SETPERMISSION&permission=750"
    done
}

# Properties of core-site.xml. The users that daemons are in HDFS are not those of this machine.
secured_core() {
    cat <<END
hadoop.security.authentication kerberos
hadoop.security.authorization true
hadoop.security.auth_to_local RULE:[2:\$1@\$0]([nd]n@$realm)s/.*/hdfs/ RULE:[2:\$1@\$0]([rn]m@$realm)s/.*/yarn/ RULE:[2:\$1@\$0](jhs@$realm)s/.*/mapred/ DEFAULT
hadoop.user.group.static.mapping.overrides hdfs=supergroup;mapred=supergroup;yarn=hadoop;oozie=hadoop;alice=users;bob=users
hadoop.proxyuser.oozie.hosts *
hadoop.proxyuser.oozie.groups *
hadoop.http.filter.initializers org.apache.hadoop.security.AuthenticationFilterInitializer
hadoop.http.authentication.type kerberos
hadoop.http.authentication.simple.anonymous.allowed false
hadoop.http.authentication.signature.secret.file $folder/kerberos/secret
hadoop.http.authentication.kerberos.principal HTTP/_HOST@$realm
hadoop.http.authentication.kerberos.keytab $folder/keytabs/HTTP.keytab
END
}

# Servers that expect a certain client use the name that the client's address has on this machine: theirs are written out.
secured_hdfs() {
    cat <<END
dfs.namenode.kerberos.principal nn/_HOST@$realm
dfs.namenode.keytab.file $folder/keytabs/nn.keytab
dfs.datanode.kerberos.principal dn/localhost@$realm
dfs.datanode.keytab.file $folder/keytabs/dn.keytab
dfs.web.authentication.kerberos.principal HTTP/_HOST@$realm
dfs.web.authentication.kerberos.keytab $folder/keytabs/HTTP.keytab
dfs.block.access.token.enable true
dfs.data.transfer.protection authentication
ignore.secure.ports.for.testing true
END
}

secured_yarn() {
    cat <<END
yarn.acl.enable true
yarn.admin.acl yarn
yarn.resourcemanager.principal rm/_HOST@$realm
yarn.resourcemanager.keytab $folder/keytabs/rm.keytab
yarn.resourcemanager.webapp.spnego-principal HTTP/_HOST@$realm
yarn.resourcemanager.webapp.spnego-keytab-file $folder/keytabs/HTTP.keytab
yarn.nodemanager.principal nm/localhost@$realm
yarn.nodemanager.keytab $folder/keytabs/nm.keytab
yarn.nodemanager.webapp.spnego-principal HTTP/_HOST@$realm
yarn.nodemanager.webapp.spnego-keytab-file $folder/keytabs/HTTP.keytab
END
}

# Without it, every user may end the applications of others.
secured_scheduler() {
    echo yarn.scheduler.capacity.root.acl_administer_queue yarn
}

secured_mapred() {
    cat <<END
mapreduce.jobhistory.principal jhs/_HOST@$realm
mapreduce.jobhistory.keytab $folder/keytabs/jhs.keytab
mapreduce.jobhistory.webapp.spnego-principal HTTP/_HOST@$realm
mapreduce.jobhistory.webapp.spnego-keytab-file $folder/keytabs/HTTP.keytab
END
}
