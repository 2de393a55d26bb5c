# shellcheck shell=bash
# An OpenSSH server on the loopback interface, for the user who starts it, with its own keys. The cluster's `ssh` and `scp` use its
# port and its keys.

prepare_ssh() {
    sshd_program=$(PATH=$PATH:/usr/sbin command -v sshd) || {
        REPLY="a program \`sshd\` (Debian: openssh-server)"
        return 1
    }
    mkdir -p "$folder/bin"
    ln -sf "$here"/bin/{ssh,scp} "$folder/bin/"
    # If root starts it, it requires this folder.
    [[ $(id -u) -ne 0 ]] || mkdir -p /run/sshd
    [[ -e $folder/ssh/sshd_config ]] || configure_ssh
}

configure_ssh() {
    local port keys=$folder/ssh
    free_port && port=$REPLY
    mkdir -p "$keys"
    chmod 700 "$keys"
    for name in host client; do
        rm -f "$keys/$name"
        ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$keys/$name" </dev/null
    done
    cp "$keys/client.pub" "$keys/authorized_keys"
    echo "[127.0.0.1]:$port,[localhost]:$port $(<"$keys/host.pub")" >"$keys/known_hosts"
    cat >"$keys/config" <<END
Host *
    Port $port
    IdentityFile $keys/client
    IdentitiesOnly yes
    UserKnownHostsFile $keys/known_hosts
    StrictHostKeyChecking yes
END
    tell "SSH=127.0.0.1:$port" "SSH_CONFIG=$keys/config"
    cat >"$keys/sshd_config" <<END
ListenAddress 127.0.0.1:$port
HostKey $keys/host
AuthorizedKeysFile $keys/authorized_keys
PidFile none
PasswordAuthentication no
UsePAM no
StrictModes no
Subsystem sftp internal-sftp
END
}

start_sshd() {
    begin sshd "$sshd_program" -D -e -f "$folder/ssh/sshd_config"
}

ready_sshd() {
    listens "$(port_of SSH)"
}
