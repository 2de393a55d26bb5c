use hpdlc_core::el::functions::Dialect;

use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!(
    "H0411",
    undefined_function,
    ["EL_ERROR", "E0703", "E0803", "E1004"]
);

/// A call of a function that no workflow provides.
pub(super) struct UndefinedFunction {
    /// With its prefix.
    pub(super) name: String,
    pub(super) place: Span,
    pub(super) similar: Option<String>,
    /// Its prefix is `coord`.
    pub(super) is_of_coordinator: bool,
    /// That of the document.
    pub(super) dialect: Dialect,
    /// Only documents in the other dialect have it.
    pub(super) is_of_other_dialect: bool,
    /// Its prefix is none that Oozie has: programs and extensions have functions with such ones.
    pub(super) has_own_prefix: bool,
    /// The equivalent function in the document's dialect, and whether it takes as many arguments.
    pub(super) counterpart: Option<(&'static str, bool)>,
}

message!(
    UndefinedFunction,
    |name,
     place,
     similar,
     is_of_coordinator,
     dialect,
     is_of_other_dialect,
     has_own_prefix,
     counterpart| {
        let diagnostic = Diagnostic::new(&CODE, place, format!("undefined function `{name}`"));
        if is_of_coordinator {
            return diagnostic
                .label(place, "not a function of workflows")
                .note("a coordinator evaluates its `coord` functions before the workflow starts")
                .help_xml(
                    "call it in the coordinator's `configuration`, and read the property here",
                );
        }
        if let (Dialect::Oozie, Some(help)) = (dialect, instead(&name)) {
            return diagnostic
                .label(place, "no function of Oozie has this name")
                .help(help);
        }
        if is_of_other_dialect {
            let (other, own) = match dialect {
                Dialect::Oozie => ("the dialect of 2009", "Oozie"),
                Dialect::Proposal => ("Oozie", "the dialect of 2009"),
            };
            let diagnostic = diagnostic.label(place, format!("a function of {other}"));
            return match counterpart {
                // The arguments and the result may differ.
                Some((counterpart, false)) => {
                    diagnostic.help(format!("{own} has `{counterpart}`, with other arguments"))
                }
                Some((counterpart, true)) => diagnostic.suggest(
                    place,
                    format!("{own} has `{counterpart}`"),
                    counterpart,
                    Applicability::MaybeIncorrect,
                ),
                None => diagnostic.note(format!("{own} has no such function")),
            };
        }
        let diagnostic = diagnostic.label(place, "no function has this name");
        match similar {
            Some(similar) => diagnostic.suggest(
                place,
                "there is a function with a similar name",
                similar,
                Applicability::MaybeIncorrect,
            ),
            None if has_own_prefix => diagnostic
                .note("Oozie has no functions with this prefix, and no extension that `hpdl.toml` names has this one")
                .help(
                    "put the Rust function into an extension (`#[function]`, listed in `functions` of `extension!`), \
                     and name the extension in `[extensions]` of `hpdl.toml`",
                ),
            None => diagnostic,
        }
    }
);

/// What there is in place of functions that people expect, where a similar name would mislead them.
fn instead(name: &str) -> Option<&'static str> {
    Some(match name {
        "wf:nodeStatus" | "wf:actionStatus" | "wf:status" | "wf:actionExitCode" => {
            "no function tells how a node ended: `wf:errorCode('NODE')` is empty for an action that ended OK, and `wf:transition('NODE')` is where it went"
        }
        "wf:date" | "wf:now" | "now" | "wf:timestamp" | "currentTime" => {
            "`timestamp()` is the time of the evaluation; the time that an action is for comes from a coordinator, by `coord:nominalTime()`"
        }
        "wf:output" | "wf:actionOutput" | "wf:capturedOutput" => {
            "`wf:actionData('NODE')['KEY']` is what an action with `capture-output` has printed as `KEY=VALUE`"
        }
        "contains" | "fn:contains" | "wf:contains" => {
            "there is no `contains`: `replaceAll(TEXT, '.*PART.*', '') == ''` is true for a text of one line that contains PART"
        }
        _ => return None,
    })
}
