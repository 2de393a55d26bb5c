//! Command lines of tools: options that the launcher sets itself, and `NAME=VALUE`.

use hpdlc_core::tools::RefusedOptions;

use super::{
    literal, malformed_assignment::MalformedAssignment, refused_argument::RefusedArgument,
};
use crate::{analysis::known_values::KnownValues, diagnostics::Sink, model::Template};

/// Reports arguments that the launcher rejects.
pub(super) fn refused(arguments: &[Template], refused: &RefusedOptions, sink: &mut Sink) {
    for argument in arguments {
        if let Some(option) = literal(argument)
            && refused.options.contains(&option)
        {
            sink.emit(RefusedArgument {
                option: option.to_owned(),
                tool: refused.tool,
                place: argument.span,
            });
        }
    }
}

/// Reports texts that are not `NAME=...`.
pub(super) fn assignments(
    texts: &[Template],
    element: &'static str,
    known: &KnownValues,
    sink: &mut Sink,
) {
    for text in texts {
        if let Some((beginning, is_all)) = text.beginning()
            && match beginning.find('=') {
                Some(at) => at == 0,
                None if is_all => true,
                // An expression that follows may contain the `=`, but hardly behind a name and a blank.
                None => {
                    beginning.trim_start().contains(char::is_whitespace)
                        || known
                            .certain_text(text)
                            .is_some_and(|value| !value.contains('='))
                }
            }
        {
            sink.emit(MalformedAssignment {
                element,
                text: text.text.as_str().to_owned(),
                is_without_value: false,
                place: text.span,
            });
        }
    }
}

/// Reports variables that are not `NAME=VALUE`; one without a value is rejected too (`ShellActionExecutor`).
pub(super) fn env_vars(texts: &[Template], known: &KnownValues, sink: &mut Sink) {
    assignments(texts, "env-var", known, sink);
    for text in texts {
        if let Some(written) = literal(text)
            && written
                .find('=')
                .is_some_and(|at| at > 0 && at + 1 == written.len())
        {
            sink.emit(MalformedAssignment {
                element: "env-var",
                text: written.to_owned(),
                is_without_value: true,
                place: text.span,
            });
        }
    }
}
