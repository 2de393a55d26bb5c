# shellcheck shell=bash
# PostgreSQL, with a database `shop` that its user `shop` owns. It does not run as root: in that case as Debian's user `postgres`,
# with the files in a folder that this user can access.

prepare_postgres() {
    local program
    postgres_programs=
    for program in $(compgen -G '/usr/lib/postgresql/*/bin/postgres' | sort -V) "$(command -v postgres)"; do
        [[ ! -x $program ]] || postgres_programs=$(dirname "$(readlink -f "$program")")
    done
    [[ -n $postgres_programs ]] || {
        REPLY="a program \`postgres\` (Debian: postgresql)"
        return 1
    }
    as_postgres=()
    if [[ $(id -u) -eq 0 ]]; then
        id postgres >/dev/null 2>&1 || {
            REPLY="a user \`postgres\`, because root may not run it"
            return 1
        }
        as_postgres=(setpriv --reuid postgres --regid postgres --clear-groups)
    fi
    [[ -e $folder/postgres/PG_VERSION ]] || configure_postgres
}

configure_postgres() {
    local port data
    free_port && port=$REPLY
    data=$(mktemp -d "${TMPDIR:-/tmp}/hpdlc-postgres.XXXXXX")
    ln -sfn "$data" "$folder/postgres"
    [[ $(id -u) -ne 0 ]] || chown postgres: "$data"
    echo shop >"$data/password"
    [[ $(id -u) -ne 0 ]] || chown postgres: "$data/password"
    (cd / && "${as_postgres[@]}" "$postgres_programs/initdb" --no-sync -U shop -A scram-sha-256 \
        --pwfile "$data/password" -D "$data/data") >"$folder/initdb.log" 2>&1 || {
        printf 'error: PostgreSQL could not make its files\n  = note: see %s\n' "$folder/initdb.log" >&2
        exit 1
    }
    rm "$data/password"
    tell "POSTGRES=127.0.0.1:$port"
    ln -sfn "$data/data/PG_VERSION" "$data/PG_VERSION"
}

start_postgres() {
    local data
    data=$(readlink -f "$folder/postgres")
    # The setting with the folder's name has no effect: it identifies the process.
    begin postgres env -C / "${as_postgres[@]}" "$postgres_programs/postgres" -D "$data/data" -c listen_addresses=127.0.0.1 \
        -c "port=$(port_of POSTGRES)" -c unix_socket_directories= -c fsync=off -c "cluster.folder=$folder"
}

ready_postgres() {
    PGPASSWORD=shop "$postgres_programs/psql" -h 127.0.0.1 -p "$(port_of POSTGRES)" -U shop -d postgres -w -q \
        -c 'create database shop' >/dev/null 2>&1
    PGPASSWORD=shop "$postgres_programs/psql" -h 127.0.0.1 -p "$(port_of POSTGRES)" -U shop -d shop -w -q -c 'select 1' \
        >/dev/null 2>&1
}
