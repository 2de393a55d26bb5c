use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, code},
    source::Span,
};

code!("H0010", invalid_extension);

/// An extension of `hpdl.toml` without a valid manifest.
pub(crate) enum InvalidExtension {
    /// The place is its name in `hpdl.toml`.
    NoManifest {
        name: String,
        place: Span,
        /// The path of the manifest.
        manifest: String,
        /// The folder of the crate, if it is on this machine, and whether there is a crate.
        folder: Option<(String, bool)>,
    },
    /// It is not JSON, or lacks something.
    Notation { place: Span, message: String },
    /// It is of another version of hpdlc.
    Format { place: Span, found: String },
    /// A name in it.
    Entry {
        name: String,
        place: Span,
        fault: EntryFault,
    },
    /// Two extensions have the same element, namespace, or function of expressions.
    Shared {
        what: String,
        /// The names of the extensions in `hpdl.toml`.
        place: Span,
        name: String,
        other: String,
    },
}

/// What is wrong with a name in a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryFault {
    /// The manifest is of an extension with another name.
    OtherName,
    /// Not the name of an element.
    Element,
    /// A built-in action type, or another part of an action.
    TakenElement,
    /// Without a version at its end.
    Namespace,
    /// Of Oozie, or of hpdlc itself.
    TakenNamespace,
    /// Not the name of a function.
    Function,
    /// Not the prefix of a function of expressions, or one of Oozie's.
    Prefix,
    /// Two types, elements, namespaces or functions have this name.
    Twice(&'static str),
}

const STALE: &str =
    "correct it in the code of the extension; `hpdlc extension DIR` writes the manifest again";

impl IntoDiagnostic for InvalidExtension {
    fn into_diagnostic(self) -> Diagnostic {
        match self {
            InvalidExtension::NoManifest {
                name,
                place,
                manifest,
                folder,
            } => {
                let diagnostic =
                    Diagnostic::new(&CODE, place, format!("extension `{name}` has no manifest"))
                        .label(place, format!("there is no `{manifest}`"));
                match folder {
                    Some((folder, true)) => {
                        diagnostic.help(format!("`hpdlc extension {folder}` writes it"))
                    }
                    Some((folder, false)) => diagnostic.help(format!(
                        "correct the path: there is no crate in `{folder}`, which `hpdlc new extension {name}` begins"
                    )),
                    None => diagnostic.help(
                        "copy it from the crate's folder, or correct `manifest` in `hpdl.toml`",
                    ),
                }
            }
            InvalidExtension::Notation { place, message } => {
                Diagnostic::new(&CODE, place, "the manifest of an extension cannot be read")
                    .label(place, message)
                    .help("`hpdlc extension DIR` writes it again")
            }
            InvalidExtension::Format { place, found } => Diagnostic::new(
                &CODE,
                place,
                "the manifest of an extension has another format",
            )
            .label(place, format!("this version of hpdlc reads format 1, and this is {found}"))
            .help("use the version of hpdlc that the extension is written for, or have `hpdlc extension DIR` write it again"),
            InvalidExtension::Entry { name, place, fault } => entry(&name, place, fault),
            InvalidExtension::Shared {
                what,
                place,
                name,
                other,
            } => Diagnostic::new(
                &CODE,
                place,
                format!("extensions `{other}` and `{name}` both define `{what}`"),
            )
            .label(place, "so it is not certain which of them is meant")
            .help("rename it in one of them, or use them in different applications"),
        }
    }
}

fn entry(name: &str, place: Span, fault: EntryFault) -> Diagnostic {
    let (message, label) = match fault {
        EntryFault::OtherName => (
            format!("the manifest is of an extension called `{name}`"),
            "`hpdl.toml` has another name",
        ),
        EntryFault::Element => (
            format!("`{name}` cannot be the name of an element"),
            "letters, digits, `-`, `_` and `.` are allowed, a letter or `_` first",
        ),
        EntryFault::TakenElement => (
            format!("the element `{name}` is not free"),
            "an action of Oozie or hpdlc has it",
        ),
        EntryFault::Namespace => (
            format!("the namespace `{name}` has no version"),
            "expected a version at its end, as in `uri:acme:s3-copy:1.0`",
        ),
        EntryFault::TakenNamespace => (
            format!("the namespace `{name}` is not free"),
            "those of Oozie and hpdlc begin like this",
        ),
        EntryFault::Function => (
            format!("`{name}` cannot be the name of a function"),
            "expected a name of Rust",
        ),
        EntryFault::Prefix => (
            format!("`{name}` cannot be the prefix of a function"),
            "expected letters, digits and `_`, and no prefix of Oozie",
        ),
        EntryFault::Twice(what) => (
            format!("the {what} `{name}` is defined more than once"),
            "defined before",
        ),
    };
    let diagnostic = Diagnostic::new(&CODE, place, message).label(place, label);
    match fault {
        EntryFault::OtherName => diagnostic.help(format!(
            "write `{name} = {{ ... }}` in `hpdl.toml`, or name the folder of the extension that is meant"
        )),
        _ => diagnostic.help(STALE),
    }
}
