//! Command lines of tools: options that the launcher sets itself, and `NAME=VALUE`.

use hpdlc_core::tools::RefusedOptions;

use super::{
    literal, malformed_assignment::MalformedAssignment, refused_argument::RefusedArgument,
};
use crate::{
    analysis::known_values::KnownValues, diagnostics::Sink,
    lints::misread_assignments::MisreadAssignment, model::Template,
};

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

/// Reports names with blanks or options before or behind them.
pub(super) fn names(
    texts: &[Template],
    element: &'static str,
    keeps_blanks: bool,
    sink: &mut Sink,
) {
    for text in texts {
        let Some((beginning, _)) = text.beginning() else {
            continue;
        };
        let Some((name, _)) = beginning.split_once('=') else {
            continue;
        };
        let name = name.trim_start();
        let has_blank = keeps_blanks && name.ends_with(char::is_whitespace);
        let meant = option_value(name).unwrap_or(name).trim();
        if !meant.is_empty() && (has_blank || meant.len() < name.trim().len()) {
            sink.emit(MisreadAssignment {
                element,
                name: name.to_owned(),
                place: text.span,
                meant: meant.to_owned(),
            });
        }
    }
}

/// What stands behind an option that belongs on a command line: `-Dday`, `--hivevar day`, `export day`.
fn option_value(name: &str) -> Option<&str> {
    let define = name.strip_prefix("-D");
    let option = || {
        let (first, rest) = name.split_once(char::is_whitespace)?;
        (first.starts_with('-') || matches!(first, "export" | "set")).then_some(rest)
    };
    define.or_else(option)
}

#[cfg(test)]
mod tests {
    use super::option_value;

    #[test]
    fn options_before_names() {
        for (name, expected) in [
            ("-Dday", Some("day")),
            ("--hivevar day", Some("day")),
            ("-param day", Some("day")),
            ("export day", Some("day")),
            ("day", None),
            ("a b", None),
            ("-x", None),
        ] {
            assert_eq!(option_value(name), expected, "{name}");
        }
    }
}
