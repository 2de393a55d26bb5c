//! The lines after the last diagnostic.

use std::collections::BTreeSet;

use crate::diagnostics::{Diagnostic, Level};

/// `error: could not check workflow.xml due to 2 previous errors; 1 warning emitted`, in rustc's words; nothing where
/// nothing was reported. `task` is a verb and its object: `check workflow.xml`.
pub fn summary(task: &str, diagnostics: &[Diagnostic]) -> Option<String> {
    let count = |level: Level| {
        diagnostics
            .iter()
            .filter(|diagnostic| diagnostic.level == level)
            .count()
    };
    let warnings = match count(Level::Warning) {
        0 => None,
        1 => Some("1 warning emitted".to_owned()),
        n_warnings => Some(format!("{n_warnings} warnings emitted")),
    };
    let errors = match count(Level::Error) {
        0 => return warnings.map(|warnings| format!("warning: {warnings}")),
        1 => "1 previous error".to_owned(),
        n_errors => format!("{n_errors} previous errors"),
    };
    Some(match warnings {
        Some(warnings) => format!("error: could not {task} due to {errors}; {warnings}"),
        None => format!("error: could not {task} due to {errors}"),
    })
}

/// `377 documents: 12 errors in 5 files, 1 warning`, after a tree of documents was checked.
pub fn tree(n_documents: usize, diagnostics: &[Diagnostic]) -> String {
    let of_level = |level: Level| {
        diagnostics
            .iter()
            .filter(move |diagnostic| diagnostic.level == level)
    };
    let counted = |n: usize, what: &str| match n {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    };
    let n_errors = of_level(Level::Error).count();
    let mut line = format!(
        "{}: {}",
        counted(n_documents, "document"),
        counted(n_errors, "error")
    );
    let wrong_files: BTreeSet<_> = of_level(Level::Error)
        .filter_map(Diagnostic::file)
        .collect();
    if n_errors > 1 && !wrong_files.is_empty() {
        line.push_str(&format!(" in {}", counted(wrong_files.len(), "file")));
    }
    line.push_str(&format!(
        ", {}",
        counted(of_level(Level::Warning).count(), "warning")
    ));
    line
}

/// Where the explanations of the errors are, as rustc says it; nothing without errors.
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
    use crate::diagnostics::{Code, registry};

    static CODE: Code = Code {
        id: "H9901",
        name: "made_for_the_test",
        level: Level::Error,
        oozie: &[],
        explanation: "",
    };

    #[track_caller]
    fn check(levels: &[Level], expected: Option<&str>) {
        let diagnostics: Vec<Diagnostic> = levels
            .iter()
            .map(|level| {
                let mut diagnostic = Diagnostic::for_path(&CODE, "a.xml", "message");
                diagnostic.level = *level;
                diagnostic
            })
            .collect();
        assert_eq!(summary("check a.xml", &diagnostics).as_deref(), expected);
    }

    #[test]
    fn errors_and_warnings_are_counted_in_words() {
        use Level::{Error, Note, Warning};
        check(&[], None);
        check(&[Note], None);
        check(&[Warning], Some("warning: 1 warning emitted"));
        check(
            &[Warning, Note, Warning],
            Some("warning: 2 warnings emitted"),
        );
        check(
            &[Error],
            Some("error: could not check a.xml due to 1 previous error"),
        );
        check(
            &[Error, Warning, Error],
            Some("error: could not check a.xml due to 2 previous errors; 1 warning emitted"),
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
            let diagnostics: Vec<Diagnostic> = registry::codes()
                .take(n_codes)
                .chain(registry::codes().take(n_codes))
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
