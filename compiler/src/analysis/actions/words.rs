//! Arguments and variables of programs, which no shell reads: each is passed as it is written.

use crate::{
    analysis::{action_types::ArgumentList, known_values::KnownValues},
    diagnostics::Sink,
    lints::{
        joined_arguments::{JoinedArgument, JoinedProgram},
        quoted_arguments::QuotedArgument,
        shell_operators::ShellOperator,
        typographic_dashes::{self, TypographicDash},
    },
    model::{Template, action::Shell},
};

/// Reports arguments in quotes, and options that share an argument with their value.
pub(super) fn arguments(list: ArgumentList<'_>, is_shell: bool, sink: &mut Sink) {
    for template in list.texts.iter().filter(|text| !text.is_invalid) {
        let text = template.text.as_str();
        if let Some(start) = quoted_from(text) {
            quoted(template, start, false, sink);
        } else if typographic_dashes::begins(text) {
            dash(template, 0, sink);
        } else if let Some((start, end)) = blanks_after_option(text, is_shell) {
            sink.emit(JoinedArgument {
                place: template.span,
                element: list.element,
                written: text.to_owned(),
                blanks: template.text.span_of(start..end),
            });
        }
    }
}

/// Where the quoted part of `'a b'` or of `--name='a b'` begins, if it is all of the rest.
fn quoted_from(text: &str) -> Option<usize> {
    let start = if text.starts_with('-') {
        text.find('=')? + 1
    } else {
        0
    };
    is_quoted(&text[start..]).then_some(start)
}

/// Whether a text is one quoted text.
fn is_quoted(text: &str) -> bool {
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''));
    let inner = quote.and_then(|quote| Some((quote, text[1..].strip_suffix(quote)?)));
    inner.is_some_and(|(quote, inner)| !inner.contains(quote))
}

/// The range of the blanks between an option and its value in the same text. Shell commands often take the value of an option of
/// one letter in the same argument.
fn blanks_after_option(text: &str, is_shell: bool) -> Option<(usize, usize)> {
    let name = text.trim_start_matches('-');
    let n_signs = text.len() - name.len();
    if !matches!(n_signs, 1 | 2) || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let length = name.find(|c| !is_of_name(c))?;
    let value = name[length..].trim_start_matches([' ', '\t', '\n', '\r']);
    let n_blanks = name.len() - length - value.len();
    let is_short = n_signs == 1 && length == 1;
    // `-x y z` is rather a sentence, or the options of a program in turn.
    // Some programs read `-name = value`.
    let is_one_value = !value.is_empty()
        && !value.starts_with('=')
        && (value.contains("${") || !value.contains(' '));
    let start = n_signs + length;
    (n_blanks > 0 && is_one_value && !(is_shell && is_short)).then_some((start, start + n_blanks))
}

/// Reports values of variables in quotes.
pub(super) fn env_vars(texts: &[Template], sink: &mut Sink) {
    for template in texts.iter().filter(|text| !text.is_invalid) {
        let text = template.text.as_str();
        if let Some((name, value)) = text.split_once('=')
            && !name.is_empty()
            && is_quoted(value)
        {
            quoted(template, name.len() + 1, true, sink);
        }
    }
}

fn quoted(template: &Template, start: usize, is_variable: bool, sink: &mut Sink) {
    let text = template.text.as_str();
    let quote = |at: usize| template.text.span_of(at..at + 1);
    sink.emit(QuotedArgument {
        place: template.span,
        is_variable,
        written: text.to_owned(),
        quotes: [quote(start), quote(text.len() - 1)],
    });
}

/// Reports the dash at `at` of a text.
pub(super) fn dash(template: &Template, at: usize, sink: &mut Sink) {
    let rest = &template.text.as_str()[at..];
    let Some(dash) = rest.chars().next() else {
        return;
    };
    let end = rest.find(|c: char| c.is_whitespace() || c == '=');
    sink.emit(TypographicDash {
        dash,
        place: template.text.span_of(at..at + dash.len_utf8()),
        word: rest[..end.unwrap_or(rest.len())].to_owned(),
    });
}

/// Reports a command line where the name of a program should be.
pub(super) fn program(shell: &Shell, known: &KnownValues, sink: &mut Sink) {
    let exec = &shell.exec;
    let Some((beginning, is_all)) = exec.beginning() else {
        return;
    };
    // `file` may give a program a name with blanks.
    let has_blanks = |text: &str| text.trim().contains(char::is_whitespace);
    let is_line = has_blanks(beginning)
        || !is_all
            && (beginning.trim_start().contains(char::is_whitespace)
                || known
                    .certain_text(exec)
                    .is_some_and(|text| has_blanks(&text)));
    if !is_line
        || shell
            .files
            .iter()
            .any(|file| has_blanks(file.text.as_str()))
    {
        return;
    }
    let value = known.certain_text(exec);
    let text = value.as_deref().unwrap_or(exec.text.as_str()).trim();
    let program = text.split_whitespace().next().unwrap_or_default();
    if !program.contains("://") {
        sink.emit(JoinedProgram {
            place: exec.span,
            line: text.to_owned(),
        });
    }
}

/// Programs that read such arguments themselves, or start a shell.
const WITH_OPERATORS: [&str; 18] = [
    "awk", "bash", "dash", "env", "eval", "expr", "find", "ksh", "make", "mysql", "perl", "sh",
    "ssh", "su", "sudo", "test", "xargs", "zsh",
];

/// What stands behind a `|` of a command line.
const FILTERS: [&str; 12] = [
    "awk", "cut", "grep", "head", "sed", "sort", "tail", "tee", "tr", "uniq", "wc", "xargs",
];

/// Whether a text, or the value of an option in it, is the output of a command to a shell: `$(date)` or the same in backticks.
fn is_substitution(text: &str) -> bool {
    let value = match text.split_once('=') {
        Some((name, value)) if !name.contains(['$', '`']) => value,
        _ => text,
    };
    let inner = |start: &str, end: char| value.strip_prefix(start)?.strip_suffix(end);
    let inner = inner("$(", ')').or_else(|| inner("`", '`'));
    inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(['`', '(']))
}

/// Reports the first argument that is an operator of shells.
pub(super) fn operators(shell: &Shell, sink: &mut Sink) {
    let exec = shell.exec.text.as_str().trim();
    let program = exec.rsplit('/').next().unwrap_or(exec);
    if WITH_OPERATORS.contains(&program) {
        return;
    }
    let mut arguments = shell.arguments.iter().peekable();
    while let Some(argument) = arguments.next() {
        let next = arguments.peek().map(|next| next.text.as_str());
        let is_operator = match argument.text.as_str() {
            "&&" | "||" | ">>" | "2>&1" | "2>" | "&>" => true,
            // Otherwise rather a delimiter.
            "|" => next.is_some_and(|next| FILTERS.contains(&next)),
            ">" => next.is_some_and(|next| next.starts_with('/')),
            text => is_substitution(text),
        };
        if is_operator {
            sink.emit(ShellOperator {
                operator: argument.text.as_str().to_owned(),
                place: argument.span,
            });
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_in_quotes() {
        for (text, expected) in [
            ("'a b'", Some(0)),
            ("\"\"", Some(0)),
            ("--where=\"x = 1\"", Some(8)),
            ("'a','b'", None),
            ("it's", None),
            ("'", None),
            ("a='b'", None),
            ("x = 'y'", None),
        ] {
            assert_eq!(quoted_from(text), expected, "{text}");
        }
    }

    #[test]
    fn outputs_of_commands() {
        for (text, expected) in [
            ("$(date +%F)", true),
            ("`date`", true),
            ("--day=$(date)", true),
            ("day=`date`", true),
            ("$()", false),
            ("a $(date)", false),
            ("$1", false),
            ("${day}", false),
            ("select `a`, `b`", false),
            ("`a`, `b`", false),
        ] {
            assert_eq!(is_substitution(text), expected, "{text}");
        }
    }

    #[test]
    fn options_with_their_values() {
        for (text, is_shell, expected) in [
            ("--input /data", true, Some((7, 8))),
            ("--input  ${in}", true, Some((7, 9))),
            ("-input /data", false, Some((6, 7))),
            ("-f x", false, Some((2, 3))),
            ("-f x", true, None),
            ("-D a=b", false, Some((2, 3))),
            ("--input", false, None),
            ("--input=a b", false, None),
            ("- a", false, None),
            ("-1 day", false, None),
            ("--- a", false, None),
            ("--a b c", false, None),
            ("-input = ${in}", false, None),
            ("a -b", false, None),
        ] {
            assert_eq!(blanks_after_option(text, is_shell), expected, "{text}");
        }
    }
}
