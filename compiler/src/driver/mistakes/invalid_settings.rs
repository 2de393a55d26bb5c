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
    /// The place is the name of an extension.
    Extension {
        name: String,
        place: Span,
        fault: ExtensionFault,
    },
    /// An unknown lint level.
    Level {
        /// The value with its quotes.
        place: Span,
        level: String,
        similar: Option<&'static str>,
    },
}

/// What is wrong with an extension in `hpdl.toml`.
pub(crate) enum ExtensionFault {
    /// Not the name of a crate, or one that is not free.
    Name,
    /// No crate is named; a key may be a misspelled one.
    NoSource { similar: Option<&'static str> },
    /// More than one crate is named.
    Sources,
    /// More than one state of a repository is named, or one without a repository.
    Revisions,
    /// The repository is named by a path, or as `ssh` names it.
    NoUrl,
    /// The crate is elsewhere, and its manifest unknown.
    NoManifest,
    /// The settings are in an archive, which nobody needs to trust: a build runs code of an extension.
    InArchive,
}

impl IntoDiagnostic for InvalidSettings {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
        InvalidSettings::Notation { place, message } => {
            Diagnostic::new(&CODE, place, "`hpdl.toml` cannot be read")
                .label(place, message)
                .help("write it as TOML: `[lints]`, `[map]` and `[extensions]`, and below them lines such as `name = \"value\"`")
        }
        InvalidSettings::Type {
            place,
            expected,
            found,
        } => Diagnostic::new(&CODE, place, "a setting has the wrong type")
            .label(place, format!("expected {expected}, found {found}"))
            .help("a lint is given a level: `unreachable_nodes = \"allow\"`; a URI is given a folder: `\"hdfs://nn/apps\" = \"../apps\"`; an extension is given its crate: `acme = { path = \"../acme\" }`"),
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
        InvalidSettings::Extension { name, place, fault } => extension(&name, place, &fault),
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

fn extension(name: &str, place: Span, fault: &ExtensionFault) -> Diagnostic {
    let new = |message: String| Diagnostic::new(&CODE, place, message);
    const PATH: &str = "write the folder of its crate: `acme = { path = \"../acme\" }`";
    match fault {
        ExtensionFault::Name => new(format!("an extension cannot be called `{name}`"))
            .label(place, "not the name of a crate, or not free")
            .help("it has the name of its crate: small letters, digits and `_`, and not a name of Rust, Oozie or hpdlc"),
        ExtensionFault::NoSource { similar } => {
            let label = match similar {
                Some(similar) => format!("there is no key `{similar}`, but one with a similar name"),
                None => "none of `path`, `git` and `version` is written".to_owned(),
            };
            new(format!("the crate of extension `{name}` is not named"))
                .label(place, label)
                .help(PATH)
        }
        ExtensionFault::Sources => new(format!("extension `{name}` has more than one crate"))
            .label(place, "more than one of `path`, `git` and `version` is written")
            .help("keep one of them; `branch`, `tag` and `rev` belong to `git`"),
        ExtensionFault::Revisions => new(format!("the crate of extension `{name}` is not certain"))
            .label(place, "one of `branch`, `tag` and `rev` belongs to `git`")
            .help("keep one of them, beside `git`"),
        ExtensionFault::NoUrl => new(format!("extension `{name}` has a repository that is no URL"))
            .label(place, "its `git` is no URL")
            .help("write `git = \"https://example.com/acme.git\"`, `\"ssh://git@example.com/acme.git\"` or `\"file:///srv/acme\"`; a crate on this machine is named by `path`"),
        ExtensionFault::InArchive => new(format!("extension `{name}` is named in an archive"))
            .label(place, "a build would run its code")
            .help("name it in an `hpdl.toml` beside the archive"),
        ExtensionFault::NoManifest => new(format!("extension `{name}` needs a `manifest`"))
            .label(place, "its crate is not on this machine")
            .help("copy its `hpdl-extension.json`, and name the copy: `manifest = \"acme.json\"`"),
    }
}
