//! Where a `spark` action runs: pairs of `master` and `mode` that `spark-submit` rejects.

use super::{
    invalid_spark_deployment::{InvalidSparkDeployment, SparkFault},
    literal,
};
use crate::{diagnostics::Sink, model::action::Spark};

/// Reports an unknown master or mode, and a mode that the master does not support (`SparkSubmit`).
pub(super) fn check(spark: &Spark, sink: &mut Sink) {
    let master = literal(&spark.master);
    if let Some(master) = master
        && !is_master(master)
    {
        sink.emit(InvalidSparkDeployment {
            fault: SparkFault::Master,
            value: master.to_owned(),
            place: spark.master.span,
        });
    }
    let Some((mode, mode_text)) = spark
        .mode
        .as_ref()
        .and_then(|mode| Some((mode, literal(mode)?)))
    else {
        return;
    };
    let fault = match (mode_text, master) {
        ("client", Some("yarn-cluster")) => Some(SparkFault::Pair("yarn-cluster".to_owned())),
        ("cluster", Some(master)) if master == "yarn-client" || master.starts_with("local") => {
            Some(SparkFault::Pair(master.to_owned()))
        }
        ("client" | "cluster", _) => None,
        _ => Some(SparkFault::Mode),
    };
    if let Some(fault) = fault {
        sink.emit(InvalidSparkDeployment {
            fault,
            value: mode_text.to_owned(),
            place: mode.span,
        });
    }
}

fn is_master(master: &str) -> bool {
    matches!(master, "yarn" | "yarn-client" | "yarn-cluster")
        || ["spark", "mesos", "k8s", "local"]
            .iter()
            .any(|kind| master.starts_with(kind))
}
