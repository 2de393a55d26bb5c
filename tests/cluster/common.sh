# shellcheck shell=bash
# What `up` and `down` share.

# Whether the daemon of a pid file runs, and is not another process that has got its number since.
is_running() {
    local folder=$1 name=$2 pid
    [[ -r $folder/$name.pid ]] || return 1
    pid=$(<"$folder/$name.pid")
    [[ -r /proc/$pid/cmdline ]] && tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qF -- "$folder"
}
