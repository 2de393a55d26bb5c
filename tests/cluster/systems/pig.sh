# shellcheck shell=bash
# The command `pig`, and the folder `lib/hcatalog` with its classes for Hive's tables.

prepare_pig() {
    local relocated=$target/cluster-pig-relocated
    jars_of pig || return 1
    if [[ ! -e $relocated.jar ]]; then
        if ! maven -f "$here/maven/pig-relocated.xml" "-Dout=$relocated.$$" package >"$folder/maven-pig-relocated.log" \
            2>&1; then
            REPLY="artifacts that Maven did not find; $folder/maven-pig-relocated.log says why"
            return 1
        fi
        mv "$relocated.$$/cluster-pig-relocated-1.jar" "$relocated.jar"
        rm -rf "$relocated.$$"
    fi
    ln -sf "$relocated.jar" "$folder/lib/pig/"
    jars_of hcatalog || return 1
}
