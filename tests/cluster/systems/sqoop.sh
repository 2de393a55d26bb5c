# shellcheck shell=bash
# The command `sqoop`.

prepare_sqoop() {
    jars_of sqoop
}
