# shellcheck shell=bash
# What `up`, `down` and the systems share. `folder` is the cluster's, `target` contains downloads.

# Whether the daemon of a pid file runs, and is not another process that has got the same process id since.
is_running() {
    local folder=$1 name=$2 pid
    [[ -r $folder/$name.pid ]] || return 1
    pid=$(<"$folder/$name.pid")
    [[ -r /proc/$pid/cmdline ]] && tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "$folder"
}

# The systems, and the daemons of each, in the order of their dependencies. The first two change those of Hadoop and are none of
# `all`; the last three are commands only.
systems=(kerberos ha hdfs yarn hive postgres ssh mail pig sqoop spark)
declare -A daemons_of=(
    [kerberos]='kdc'
    [ha]=''
    [hdfs]='namenode datanode'
    [yarn]='resourcemanager nodemanager historyserver'
    [hive]='metastore hiveserver2'
    [postgres]='postgres'
    [ssh]='sshd'
    [mail]='smtpd'
    [pig]='' [sqoop]='' [spark]=''
)

# The system with this name, or of this daemon.
system_of() {
    local system
    for system in "${systems[@]}"; do
        if [[ $system == "$1" || " ${daemons_of[$system]} " == *" $1 "* ]]; then
            REPLY=$system
            return
        fi
    done
    return 1
}

# Whether clients of HDFS and YARN need a ticket of Kerberos.
is_secured() {
    [[ -e $folder/kerberos/secret ]]
}

# Whether HDFS and YARN have two of each daemon that may fail.
is_doubled() {
    [[ -e $folder/ha ]]
}

# An unused port.
free_port() {
    local port
    while :; do
        port=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
        if ! grep -qsw "$port" "$folder/ports" && ! (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then
            echo "$port" >>"$folder/ports"
            REPLY=$port
            return
        fi
    done
}

# Whether a process listens at the port.
listens() {
    (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

# The value of a line NAME=VALUE of the file of addresses.
address() {
    sed -n "s,^$1=,,p" "$folder/addresses"
}

# The port in it: the last number after a colon.
port_of() {
    address "$1" | sed 's,.*:\([0-9][0-9]*\).*,\1,'
}

# Adds such lines.
tell() {
    printf '%s\n' "$@" >>"$folder/addresses"
}

property() {
    printf '  <property><name>%s</name><value>%s</value></property>\n' "$1" "$2"
}

# A Hadoop configuration of the lines NAME VALUE on standard input.
configuration() {
    local name value
    echo '<configuration>'
    while read -r name value; do
        [[ -z $name ]] || property "$name" "$value"
    done
    echo '</configuration>'
}

# Runs Maven in the cluster's folder: some artifacts name repositories relative to the working directory, and create them.
maven() {
    (cd "$folder" && exec mvn -q -B "$@" </dev/null)
}

# Links the jars of `maven/NAME.xml` into the cluster's `lib/NAME`. Maven is run again when the file changes, or when one
# of the jars is missing. If it finds none, `REPLY` says what is missing.
jars_of() {
    local name=$1 list=$target/cluster-$1.classpath jar artifact hadoop=
    if [[ ! -s $list || $list -ot $here/maven/$name.xml ]] || ! all_readable "$list"; then
        command -v mvn >/dev/null || {
            REPLY="a program \`mvn\` (Debian: maven)"
            return 1
        }
        if ! maven -f "$here/maven/$name.xml" dependency:build-classpath -Dmdep.includeScope=runtime \
            -Dmdep.outputFile="$list.$$" >"$folder/maven-$name.log" 2>&1; then
            REPLY="artifacts that Maven did not find; $folder/maven-$name.log says why"
            return 1
        fi
        {
            tr ':' '\n' <"$list.$$"
            echo
        } >"$list.lines.$$"
        rm "$list.$$"
        mv "$list.lines.$$" "$list"
    fi
    [[ ! $folder/lib/$name -nt $list ]] || return 0
    rm -rf "$folder/lib/$name"
    mkdir -p "$folder/lib/$name"
    [[ $name == hadoop ]] || hadoop=$(<"$target/cluster-hadoop.classpath")
    while read -r jar; do
        # If Hadoop already has an artifact, another version is only used if the list names it.
        artifact=${jar%/*/*}
        if [[ $name == hadoop || $hadoop != *"$artifact"/* ]] || grep -q ">${artifact##*/}<" "$here/maven/$name.xml"; then
            ln -sf "$jar" "$folder/lib/$name/"
        fi
    done <"$list"
}

all_readable() {
    local jar
    while read -r jar; do
        [[ -r $jar ]] || return 1
    done <"$1"
}

# `curl` of a REST interface, in a secured cluster as the superuser of HDFS.
call() {
    if is_secured; then
        KRB5_CONFIG=$folder/kerberos/krb5.conf KRB5CCNAME=FILE:$folder/kerberos/superuser curl -s --negotiate -u : "$@"
    else
        curl -s "$@"
    fi
}

# Starts a daemon that writes NAME.pid and NAME.log, in its own session: the cluster outlives the terminal.
begin() {
    local name=$1
    shift
    setsid "$@" >>"$folder/$name.log" 2>&1 </dev/null &
    echo $! >"$folder/$name.pid"
}

# The JVM options for a main class of Hadoop: small, quick to start, and with the packages opened that Java 17 closes.
java_words() {
    local megabytes=$1 package
    words=(java "-Xmx${megabytes}m" -XX:+UseSerialGC -XX:TieredStopAtLevel=1)
    # Most of these processes live for seconds, and a sixth of that would be the verification of Hadoop's classes.
    words+=(-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote)
    for package in lang lang.invoke lang.reflect util util.concurrent util.concurrent.atomic util.regex nio net io math text time; do
        words+=(--add-opens "java.base/java.$package=ALL-UNNAMED")
    done
    # Java does not read the variable KRB5_CONFIG.
    ! is_secured || words+=("-Djava.security.krb5.conf=$folder/kerberos/krb5.conf")
}

# Writes the properties of the running systems for jobs and executables.
write_properties() {
    local name value property
    {
        echo "# Written by tests/cluster/up."
        while IFS== read -r name value; do
            case $name in
                HDFS) property=nameNode ;;
                RESOURCE_MANAGER) property=resourceManager ;;
                HIVE_SERVER) property=hiveUrl ;;
                METASTORE) property=metastore ;;
                POSTGRES)
                    property=database
                    value="jdbc:postgresql://$value/shop"
                    ;;
                *) continue ;;
            esac
            echo "$property=$value"
        done <"$folder/addresses"
    } >"$folder/job.properties"
    configuration >"$folder/hpdl-site.xml" <<END
hpdl.ssh.config $(address SSH_CONFIG)
oozie.email.smtp.host 127.0.0.1
oozie.email.smtp.port $(port_of SMTP)
oozie.email.from.address workflows@localhost
END
    # A setting without a value is removed.
    sed -i '/<value><\/value>/d' "$folder/hpdl-site.xml"
}
