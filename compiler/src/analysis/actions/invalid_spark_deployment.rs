use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0604",
    name: "invalid_spark_deployment",
    level: Level::Error,
    oozie: &["JA018"],
    explanation: include_str!("invalid_spark_deployment.md"),
};

/// A `spark` action that `spark-submit` refuses to run anywhere.
pub(super) struct InvalidSparkDeployment {
    pub(super) fault: SparkFault,
    /// The text at fault.
    pub(super) value: String,
    pub(super) place: Span,
}

/// What is wrong.
pub(super) enum SparkFault {
    /// There is no such master.
    Master,
    /// There is no such mode.
    Mode,
    /// This master does not have the mode.
    Pair(String),
}

impl IntoDiagnostic for InvalidSparkDeployment {
    fn into_diagnostic(self) -> Diagnostic {
        let InvalidSparkDeployment {
            fault,
            value,
            place,
        } = self;
        match fault {
            SparkFault::Master => Diagnostic::new(
                &CODE,
                place,
                format!("unknown Spark master `{value}`"),
            )
            .label(place, "`spark-submit` refuses it")
            .note("there are `yarn`, `local[...]`, `spark://...`, `k8s://...`, and `mesos://...`"),
            SparkFault::Mode => {
                Diagnostic::new(&CODE, place, format!("unknown Spark mode `{value}`"))
                    .label(place, "expected `client` or `cluster`")
            }
            SparkFault::Pair(master) => Diagnostic::new(
                &CODE,
                place,
                format!("mode `{value}` does not go with master `{master}`"),
            )
            .label(place, "`spark-submit` refuses the pair"),
        }
    }
}
