# shellcheck shell=bash
# A mail server that stores what it receives: one file per mail in `mail`.

prepare_mail() {
    command -v python3 >/dev/null || {
        REPLY="a program \`python3\` (Debian: python3)"
        return 1
    }
    mkdir -p "$folder/mail"
    if [[ -z $(address SMTP) ]]; then
        free_port
        tell "SMTP=127.0.0.1:$REPLY"
    fi
}

start_smtpd() {
    begin smtpd python3 "$here/systems/smtpd.py" "$(port_of SMTP)" "$folder/mail"
}

ready_smtpd() {
    listens "$(port_of SMTP)"
}
