use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0614", invalid_extension_call);

/// A `rust` action that calls a function of an extension in a way that the extension does not have.
pub(super) struct InvalidExtensionCall {
    pub(super) function: String,
    pub(super) place: Span,
    pub(super) fault: CallFault,
}

pub(super) enum CallFault {
    /// The extension has no such function.
    Unknown {
        similar: Option<String>,
        /// It has an action type of that name.
        is_type: bool,
        known: Vec<String>,
    },
    Count {
        n_given: usize,
        /// The names of all arguments.
        wanted: Vec<String>,
    },
    /// The place is that of an argument.
    Value {
        argument: String,
        expected: &'static str,
    },
}

message!(InvalidExtensionCall, |function, place, fault| {
    let new = |message: String| Diagnostic::new(&CODE, place, message);
    match fault {
        CallFault::Unknown {
            similar,
            is_type,
            known,
        } => {
            let extension = function.split("::").next().unwrap_or_default();
            let diagnostic = new(format!(
                "extension `{extension}` has no function `{function}`"
            ))
            .label(place, "its manifest does not have it");
            match (similar, is_type) {
                (_, true) => {
                    diagnostic.help_xml("it is an action type: write its element instead of `rust`")
                }
                (Some(similar), _) => diagnostic.suggest(
                    place,
                    "there is a function with a similar name",
                    similar,
                    Applicability::MaybeIncorrect,
                ),
                (None, _) if known.is_empty() => {
                    diagnostic.note("it has no functions for `rust` actions")
                }
                (None, _) => diagnostic.note(format!("it has `{}`", known.join("`, `"))),
            }
        }
        CallFault::Count { n_given, wanted } => {
            let arguments = |n: usize| match n {
                1 => "1 argument".to_owned(),
                n => format!("{n} arguments"),
            };
            let diagnostic = new(format!(
                "function `{function}` takes {}, and gets {}",
                arguments(wanted.len()),
                arguments(n_given)
            ))
            .label(place, "called here");
            match wanted.as_slice() {
                [] => diagnostic,
                wanted => diagnostic.note(format!("its arguments are `{}`", wanted.join("`, `"))),
            }
        }
        CallFault::Value { argument, expected } => new(format!(
            "invalid value for argument `{argument}` of function `{function}`"
        ))
        .label(place, format!("expected {expected}")),
    }
});
