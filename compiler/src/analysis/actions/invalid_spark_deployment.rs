use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0604", invalid_spark_deployment, ["JA018"]);

/// A `spark` action whose master or mode `spark-submit` rejects.
pub(super) struct InvalidSparkDeployment {
    pub(super) fault: SparkFault,
    /// The invalid text.
    pub(super) value: String,
    pub(super) place: Span,
}

/// What is wrong.
pub(super) enum SparkFault {
    /// Unknown master.
    Master,
    /// Unknown mode.
    Mode,
    /// The given master, which does not support the mode.
    Pair(String),
}

message!(InvalidSparkDeployment, |fault, value, place| {
    match fault {
        SparkFault::Master => {
            Diagnostic::new(&CODE, place, format!("unknown Spark master `{value}`"))
                .label(place, "`spark-submit` refuses it")
                .note(
                    "there are `yarn`, `local[...]`, `spark://...`, `k8s://...`, and `mesos://...`",
                )
        }
        SparkFault::Mode => Diagnostic::new(&CODE, place, format!("unknown Spark mode `{value}`"))
            .label(place, "expected `client` or `cluster`"),
        SparkFault::Pair(master) => Diagnostic::new(
            &CODE,
            place,
            format!("mode `{value}` does not go with master `{master}`"),
        )
        .label(place, "`spark-submit` refuses the pair"),
    }
});
