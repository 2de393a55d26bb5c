//! Secrets that are written behind an option: `--password x`, in one argument or in two.

use hpdlc_core::secrets::is_secret_option;

use crate::{analysis::action_types::Outlet, lints::exposed_secrets::ExposedSecret, source::Span};

/// The secrets in the arguments of an action, whose texts are in the order of its command line.
pub(super) fn find(action: &str, outlets: &[Outlet<'_>]) -> Vec<ExposedSecret> {
    let mut found = Vec::new();
    let mut before: Option<(&str, Span, &str)> = None;
    for outlet in outlets {
        let text = &outlet.template.text;
        // Only command lines have a help, and a property has a name.
        if outlet.name.is_some() || outlet.template.is_invalid || text.is_empty() {
            before = None;
            continue;
        }
        let mut report = |option: &str, place: Span| {
            found.push(ExposedSecret {
                secret: option.to_owned(),
                written_in: Some(action.to_owned()),
                place,
                outlet: outlet.what,
                danger: outlet.danger,
                help: outlet.help,
                by_way_of: Vec::new(),
                origin: None,
            });
        };
        if let Some((option, place, what)) = before.take()
            && what == outlet.what
            && is_value(text.as_str())
        {
            report(option, place);
        }
        let mut at = 0;
        let mut option: Option<(&str, Span)> = None;
        // The words of a command, or the only one of an argument.
        for word in text.as_str().split(' ') {
            let place = |length: usize| text.span_of(at..at + length);
            if let Some((option, place)) = option.take()
                && is_value(word)
            {
                report(option, place);
            }
            if let Some((name, value)) = word.split_once('=') {
                if is_option(name) && is_value(value) {
                    report(name, place(name.len()));
                }
            } else if is_option(word) {
                option = Some((word, place(word.len())));
            }
            at += word.len() + 1;
        }
        before = option.map(|(option, place)| (option, place, outlet.what));
    }
    found
}

/// Whether what follows is a secret itself, and no name of a file, column or key.
fn is_option(word: &str) -> bool {
    let ends_with = |name: &str| {
        let at = word.len().checked_sub(name.len());
        let end = at.and_then(|at| word.get(at..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(name))
    };
    let mut names = ["password", "passwd", "passphrase", "secret", "token"].iter();
    word.starts_with('-') && names.any(|name| ends_with(name)) && is_secret_option(word)
}

/// Whether a text may be a secret: no expression, no other option, no path, no mask.
fn is_value(text: &str) -> bool {
    let text = text.trim_matches(['"', '\'']);
    !text.is_empty()
        && !text.contains("${")
        && !text.contains("://")
        && !text.starts_with(['-', '/', '$', '<', '{', '@', '%'])
        && !text.chars().all(|c| matches!(c, '*' | 'x' | 'X' | '.'))
}

#[cfg(test)]
mod tests {
    use super::{is_option, is_value};

    #[test]
    fn options_of_secrets() {
        for option in [
            "--password",
            "-password",
            "--db-password",
            "--client-secret",
            "--token",
        ] {
            assert!(is_option(option), "{option}");
        }
        for option in [
            "--password-file",
            "--password-alias",
            "-P",
            "-p",
            "password",
            "--key",
        ] {
            assert!(!is_option(option), "{option}");
        }
        assert!(is_value("Ada@123"));
        for text in [
            "",
            "${secret}",
            "--table",
            "/user/ada/password",
            "jceks://hdfs/a",
            "****",
        ] {
            assert!(!is_value(text), "{text}");
        }
    }
}
