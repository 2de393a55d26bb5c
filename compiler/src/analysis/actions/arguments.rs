//! Command lines of tools: options that the launcher sets itself, and `NAME=VALUE`.

use hpdlc_core::tools::RefusedOptions;

use super::{
    literal, malformed_assignment::MalformedAssignment, refused_argument::RefusedArgument,
};
use crate::{diagnostics::Sink, model::Template};

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
pub(super) fn assignments(texts: &[Template], element: &'static str, sink: &mut Sink) {
    for text in texts {
        if let Some((beginning, is_all)) = text.beginning()
            // Without a `=` so far, an expression that follows may contain it.
            && match beginning.find('=') {
                Some(at) => at == 0,
                None => is_all,
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
pub(super) fn env_vars(texts: &[Template], sink: &mut Sink) {
    assignments(texts, "env-var", sink);
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
