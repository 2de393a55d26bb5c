use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, Lint, LintLevel},
    source::Span,
};

pub(super) static LINT: Lint = Lint {
    name: "unset_properties",
    default_level: LintLevel::Warn,
    oozie: &[],
    explanation: include_str!("unset_properties.md"),
};

/// How many uses are labelled.
const MOST: usize = 5;

/// `wf:conf` is asked for a property that no job has.
pub(crate) struct UnsetProperty {
    pub(crate) name: String,
    /// The function, with its prefix.
    pub(crate) conf: &'static str,
    /// The names with their quotes, in order; at least one.
    pub(crate) places: Vec<Span>,
    /// A property that there is.
    pub(crate) similar: Option<String>,
}

impl IntoDiagnostic for UnsetProperty {
    fn into_diagnostic(self) -> Diagnostic {
        let UnsetProperty {
            name,
            conf,
            places,
            similar,
        } = self;
        let first = places[0];
        let mut diagnostic =
            Diagnostic::new(&LINT, first, format!("nothing defines property `{name}`"))
                .label(first, format!("`{conf}` gives nothing in every job"));
        for place in places.iter().skip(1).take(MOST - 1) {
            diagnostic = diagnostic.label(*place, "and here");
        }
        match similar {
            Some(similar) => diagnostic.suggest(
                first,
                "there is a property with a similar name",
                format!("'{similar}'"),
                Applicability::MaybeIncorrect,
            ),
            None => diagnostic.help(format!(
                "define `{name}` in a properties file given with `-c`, in `parameters`, or in `config-default.xml`; or ask with `empty`"
            )),
        }
    }
}
