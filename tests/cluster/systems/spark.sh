# shellcheck shell=bash
# The command `spark-submit`: PySpark from PyPI, which has Spark's jars, in a virtual environment that clusters
# share.

spark_version=3.5.7

prepare_spark() {
    local python=$target/cluster-python home
    if [[ ! -e $python/.pyspark-$spark_version ]]; then
        command -v python3 >/dev/null || {
            REPLY="a program \`python3\` (Debian: python3)"
            return 1
        }
        # Created in place: it contains its own path.
        rm -rf "$python"
        if ! {
            python3 -m venv "$python" && "$python/bin/pip" install -q wheel setuptools &&
                "$python/bin/pip" install -q "pyspark==$spark_version"
        } >"$folder/pip.log" 2>&1 </dev/null; then
            REPLY="pyspark of PyPI (and Debian's python3-venv); $folder/pip.log says what is wrong"
            return 1
        fi
        touch "$python/.pyspark-$spark_version"
    fi
    home=$(compgen -G "$python/lib/python*/site-packages/pyspark" | sed -n 1p)
    ln -sfn "$home" "$folder/spark"
    ln -sfn "$python" "$folder/python"
    mkdir -p "$folder/spark-conf"
    cat >"$folder/spark-conf/spark-defaults.conf" <<END
spark.yarn.jars              local:$home/jars/*
spark.driver.memory          512m
spark.executor.memory        512m
spark.executor.instances     1
spark.ui.enabled             false
spark.driver.extraJavaOptions   -XX:TieredStopAtLevel=1
spark.executor.extraJavaOptions -XX:TieredStopAtLevel=1
spark.yarn.am.extraJavaOptions  -XX:TieredStopAtLevel=1
spark.yarn.appMasterEnv.PYSPARK_PYTHON $python/bin/python
spark.executorEnv.PYSPARK_PYTHON       $python/bin/python
END
    cp "$home/../pyspark/conf/log4j2.properties.template" "$folder/spark-conf/log4j2.properties" 2>/dev/null || :
}
