use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, migration_losses);

/// Something whose meaning changes or is lost in the migration.
pub(crate) struct Loss {
    /// In the document that is migrated.
    pub(crate) place: Span,
    /// What is lost, as a headline: "the user of an `hdfs` action".
    pub(crate) what: &'static str,
    /// What replaces it.
    pub(crate) instead: String,
    /// What to do about it.
    pub(crate) help: Option<String>,
}

message!(Loss, |place, what, instead, help| {
    let diagnostic =
        Diagnostic::new(&LINT, place, format!("{what} cannot be kept")).label(place, instead);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});
