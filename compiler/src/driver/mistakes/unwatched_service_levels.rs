use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Spanned,
};

pub(crate) static LINT: Lint = Lint {
    name: "unwatched_service_levels",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unwatched_service_levels.md"),
};

/// The SLA block of a coordinator, which the executable leaves alone.
pub(crate) struct UnwatchedServiceLevels {
    pub(crate) name: Spanned<String>,
}

impl IntoDiagnostic for UnwatchedServiceLevels {
    fn into_diagnostic(self) -> Diagnostic {
        let UnwatchedServiceLevels { name } = self;
        Diagnostic::new(
            &LINT,
            name.span,
            format!(
                "the executable does not watch the SLA block `{}`",
                name.value
            ),
        )
        .label(name.span, "nobody is told when these times are missed")
        .note("everything else of the coordinator runs")
    }
}
