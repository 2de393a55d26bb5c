//! The lines after the last diagnostic.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Level};

/// `1 error`, `2 errors`.
pub fn counted(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// `` `bad`: 6 errors, 1 warning ``; `None` if nothing was reported. `prevented` is what errors keep the command from, such
/// as `nothing was built`.
pub fn summary(path: &str, prevented: Option<&str>, diagnostics: &[Diagnostic]) -> Option<String> {
    let errors = n_of(diagnostics, Level::Error);
    let counts: Vec<String> = [
        (errors, "error"),
        (n_of(diagnostics, Level::Warning), "warning"),
    ]
    .into_iter()
    .filter(|(n, _)| *n > 0)
    .map(|(n, what)| counted(n, what))
    .collect();
    if counts.is_empty() {
        return None;
    }
    let prevented = match prevented {
        Some(prevented) if errors > 0 => format!("; {prevented}"),
        Some(_) | None => String::new(),
    };
    Some(format!("`{path}`: {}{prevented}", counts.join(", ")))
}

/// `377 documents: 12 errors in 5 files, 1 warning`, after a tree of documents was checked.
pub fn tree(n_documents: usize, diagnostics: &[Diagnostic]) -> String {
    let counted = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        n => counted(n, what),
    };
    let n_errors = n_of(diagnostics, Level::Error);
    let mut line = format!(
        "{}: {}",
        counted(n_documents, "document"),
        counted(n_errors, "error")
    );
    let wrong_files: BTreeSet<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .filter_map(Diagnostic::file)
        .collect();
    if n_errors > 1 && !wrong_files.is_empty() {
        line.push_str(&format!(" in {}", counted(wrong_files.len(), "file")));
    }
    line.push_str(&format!(
        ", {}",
        counted(n_of(diagnostics, Level::Warning), "warning")
    ));
    line
}

fn n_of(diagnostics: &[Diagnostic], level: Level) -> usize {
    diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == level)
        .count()
}

/// How to get the explanations of the errors, in rustc's words; `None` without errors.
pub fn explanations(diagnostics: &[Diagnostic]) -> Option<String> {
    const SHOWN: usize = 5;
    let ids: BTreeSet<&str> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.level == Level::Error)
        .map(|diagnostic| diagnostic.rule.id())
        .collect();
    let shown: Vec<&str> = ids.iter().copied().take(SHOWN).collect();
    let list = match (shown.as_slice(), ids.len() - shown.len()) {
        ([], _) => return None,
        ([only], _) => {
            return Some(format!(
                "`hpdlc explain {only}` tells more about this error"
            ));
        }
        ([first, second], _) => format!("{first} and {second}"),
        ([before @ .., last], 0) => format!("{}, and {last}", before.join(", ")),
        (all, n_more) => format!("{}, and {n_more} more", all.join(", ")),
    };
    Some(format!("`hpdlc explain CODE` tells more about {list}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostics::Code, rules::RULES};

    static CODE: Code = Code {
        id: "H9901",
        name: "made_for_the_test",
        level: Level::Error,
        oozie: &[],
        explanation: "",
    };

    #[track_caller]
    fn check(levels: &[Level], prevented: Option<&str>, expected: Option<&str>) {
        let diagnostics: Vec<Diagnostic> = levels
            .iter()
            .map(|level| {
                let mut diagnostic = Diagnostic::for_path(&CODE, "a.xml", "message");
                diagnostic.level = *level;
                diagnostic
            })
            .collect();
        assert_eq!(summary("bad", prevented, &diagnostics).as_deref(), expected);
    }

    #[test]
    fn errors_and_warnings_are_counted_in_words() {
        use Level::{Error, Note, Warning};
        let built = Some("nothing was built");
        check(&[], built, None);
        check(&[Note], None, None);
        check(&[Warning], built, Some("`bad`: 1 warning"));
        check(&[Warning, Note, Warning], None, Some("`bad`: 2 warnings"));
        check(&[Error], None, Some("`bad`: 1 error"));
        check(&[Error], built, Some("`bad`: 1 error; nothing was built"));
        check(
            &[Error, Warning, Error],
            None,
            Some("`bad`: 2 errors, 1 warning"),
        );
    }

    #[test]
    fn tree_is_counted_in_words() {
        use crate::source::FileId;
        let in_file = |file: u32| Diagnostic::for_file(&CODE, FileId(file), "message");
        let check = |n_documents: usize, diagnostics: &[Diagnostic], expected: &str| {
            assert_eq!(tree(n_documents, diagnostics), expected);
        };
        check(5, &[], "5 documents: no errors, no warnings");
        check(2, &[in_file(0)], "2 documents: 1 error, no warnings");
        let mut warning = in_file(3);
        warning.level = Level::Warning;
        check(
            377,
            &[in_file(0), in_file(0), warning.clone(), in_file(2)],
            "377 documents: 3 errors in 2 files, 1 warning",
        );
        check(
            2,
            &[warning.clone(), warning],
            "2 documents: no errors, 2 warnings",
        );
    }

    #[test]
    fn codes_of_errors_are_listed_once() {
        let check = |n_codes: usize, expected: Option<&str>| {
            let diagnostics: Vec<Diagnostic> = RULES
                .codes()
                .take(n_codes)
                .chain(RULES.codes().take(n_codes))
                .map(|code| Diagnostic::for_path(code, "a.xml", "message"))
                .collect();
            assert_eq!(explanations(&diagnostics).as_deref(), expected);
        };
        check(0, None);
        check(1, Some("`hpdlc explain H0001` tells more about this error"));
        check(
            2,
            Some("`hpdlc explain CODE` tells more about H0001 and H0002"),
        );
        check(
            3,
            Some("`hpdlc explain CODE` tells more about H0001, H0002, and H0003"),
        );
        check(
            7,
            Some(
                "`hpdlc explain CODE` tells more about H0001, H0002, H0003, H0004, H0005, and 2 more",
            ),
        );
    }
}
