use crate::{
    diagnostics::{Applicability, Diagnostic, IntoDiagnostic, code},
    source::Span,
};

code!("H0007", invalid_settings);

/// An `hpdl.toml` that cannot be parsed, or an invalid value in it.
pub(crate) enum InvalidSettings {
    /// It is not TOML; the message says why.
    Notation { place: Span, message: String },
    /// A value of the wrong type.
    Type {
        place: Span,
        /// With an article.
        expected: &'static str,
        found: &'static str,
    },
    /// A mapping with an empty URI or folder; the place is the empty text.
    Empty { place: Span },
    /// A mapping in an archive that leads out of it; the place is the folder.
    Outside { place: Span },
    /// An unknown lint level.
    Level {
        /// The value with its quotes.
        place: Span,
        level: String,
        similar: Option<&'static str>,
    },
}

impl IntoDiagnostic for InvalidSettings {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
        InvalidSettings::Notation { place, message } => {
            Diagnostic::new(&CODE, place, "`hpdl.toml` cannot be read")
                .label(place, message)
                .help("write it as TOML: `[lints]` and `[map]`, and below them lines such as `name = \"value\"`")
        }
        InvalidSettings::Type {
            place,
            expected,
            found,
        } => Diagnostic::new(&CODE, place, "a setting has the wrong type")
            .label(place, format!("expected {expected}, found {found}"))
            .help("a lint is given a level: `unreachable_nodes = \"allow\"`; a URI is given a folder: `\"hdfs://nn/apps\" = \"../apps\"`"),
        InvalidSettings::Empty { place } => {
            Diagnostic::new(&CODE, place, "a mapping in `hpdl.toml` is empty")
                .label(place, "needs a text")
                .help("write a URI and its folder: `\"hdfs://nn/apps\" = \"../apps\"`")
        }
        InvalidSettings::Outside { place } => {
            Diagnostic::new(&CODE, place, "a mapping leads out of the archive")
                .label(place, "not in the archive")
                .help("the `hpdl.toml` of an archive maps to folders in it; map to others with `--map`, or in a file beside the archive")
        }
        InvalidSettings::Level {
            place,
            level,
            similar,
        } => {
            let diagnostic =
                Diagnostic::new(&CODE, place, format!("unknown level `{level}` for a lint"))
                    .label(place, "not a level")
                    .note("the levels are `\"allow\"`, `\"warn\"`, and `\"deny\"`");
            match similar {
                Some(similar) => diagnostic.suggest(
                    place,
                    "there is a level with a similar name",
                    format!("\"{similar}\""),
                    Applicability::MaybeIncorrect,
                ),
                None => diagnostic,
            }
        }
    }
    }
}
