//! Folds repeated diagnostics, for people: the first in full, of the others only their places.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use super::{shown_path, shown_range, summary::counted};
use crate::{
    diagnostics::{Diagnostic, Level},
    source::SourceMap,
};

/// The number of equal diagnostics that are shown in full.
const MOST_IN_FULL: usize = 2;

/// The number of lines of a file that are listed for the others.
const MOST_LINES: usize = 10;

/// The number of files that are listed.
const MOST_FILES: usize = 5;

/// The number of places that are listed where each has a different text.
const MOST_PLACES: usize = 10;

/// `diagnostics`, which are sorted, with those of equal rule and message folded if there are more than two: at the place of
/// the first, with a note of the other places.
pub fn folded<'d>(diagnostics: &'d [Diagnostic], sources: &SourceMap) -> Vec<Cow<'d, Diagnostic>> {
    let mut groups: BTreeMap<(Level, &str, &str, &[String]), Vec<usize>> = BTreeMap::new();
    for (number, diagnostic) in diagnostics.iter().enumerate() {
        let Diagnostic {
            level,
            rule,
            message,
            help,
            ..
        } = diagnostic;
        // Different help is a different case.
        let words = (*level, rule.id(), message.as_str(), help.as_slice());
        groups.entry(words).or_default().push(number);
    }
    // By the index of the first one.
    let mut others: BTreeMap<usize, Vec<&Diagnostic>> = BTreeMap::new();
    let mut left_out: BTreeSet<usize> = BTreeSet::new();
    for numbers in groups.into_values() {
        if let [first, rest @ ..] = &*numbers
            && numbers.len() > MOST_IN_FULL
        {
            others.insert(*first, rest.iter().map(|at| &diagnostics[*at]).collect());
            left_out.extend(rest);
        }
    }
    diagnostics
        .iter()
        .enumerate()
        .filter(|(number, _)| !left_out.contains(number))
        .map(|(number, diagnostic)| match others.get(&number) {
            Some(others) => {
                let mut diagnostic = diagnostic.clone();
                let note = note(&diagnostic, others, sources);
                diagnostic.notes.push(note);
                Cow::Owned(diagnostic)
            }
            None => Cow::Borrowed(diagnostic),
        })
        .collect()
}

/// The text of the primary label.
fn label(diagnostic: &Diagnostic) -> Option<&str> {
    let primary = diagnostic.labels.iter().find(|label| label.primary)?;
    Some(&primary.text)
}

/// The text by which the others differ: the label, or else the notes.
fn differing(first: &Diagnostic, others: &[&Diagnostic]) -> Option<fn(&Diagnostic) -> String> {
    if others.iter().any(|other| label(other) != label(first)) {
        return Some(|diagnostic| label(diagnostic).unwrap_or_default().to_owned());
    }
    let has_others = others.iter().any(|other| other.notes != first.notes);
    has_others.then_some(|diagnostic| diagnostic.notes.join("; "))
}

/// `and 3 more at app/a.xml:10, 14, 20`; one line per file if there are several, and one line per place where their texts
/// differ.
fn note(first: &Diagnostic, others: &[&Diagnostic], sources: &SourceMap) -> String {
    let n = others.len();
    let places = others.iter().map(|diagnostic| {
        let line = shown_range(diagnostic, sources).map(|(start, _)| start.line);
        (shown_path(diagnostic, sources), line)
    });
    if let Some(text) = differing(first, others) {
        let lines: Vec<String> = places
            .zip(others)
            .map(|((path, line), other)| {
                let place = lines_of(path, &Vec::from_iter(line));
                match text(other) {
                    text if text.is_empty() => place,
                    text => format!("{place}: {text}"),
                }
            })
            .collect();
        return list(n, &lines, MOST_PLACES, "place");
    }
    let mut files: Vec<(&str, Vec<u32>)> = Vec::new();
    for (path, line) in places {
        if files.last().is_none_or(|(last, _)| *last != path) {
            files.push((path, Vec::new()));
        }
        if let (Some((_, lines)), Some(line)) = (files.last_mut(), line)
            && lines.last() != Some(&line)
        {
            lines.push(line);
        }
    }
    let lines: Vec<String> = files
        .iter()
        .map(|(path, lines)| lines_of(path, lines))
        .collect();
    list(n, &lines, MOST_FILES, "file")
}

fn list(n: usize, lines: &[String], most: usize, what: &str) -> String {
    if let [only] = lines {
        return format!("and {n} more at {only}");
    }
    let shown: String = lines
        .iter()
        .take(most)
        .map(|line| format!("\n{line}"))
        .collect();
    let rest = match lines.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(
            "\nand {}; `--format short` lists all",
            counted(more, &format!("more {what}"))
        ),
    };
    format!("and {n} more at{shown}{rest}")
}

/// `app/a.xml:10, 14, ...`.
fn lines_of(path: &str, lines: &[u32]) -> String {
    if lines.is_empty() {
        return path.to_owned();
    }
    let shown: Vec<String> = lines
        .iter()
        .take(MOST_LINES)
        .map(ToString::to_string)
        .collect();
    let rest = if lines.len() > MOST_LINES {
        ", ..."
    } else {
        ""
    };
    format!("{path}:{}{rest}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::{
        diagnostics::Code,
        source::{FileId, Span},
    };

    static CODE: Code = Code {
        id: "H9901",
        name: "made_for_the_test",
        level: Level::Error,
        oozie: &[],
        explanation: "",
    };

    /// Two files of 26 lines, and the folded result of diagnostics with these messages in these lines.
    #[track_caller]
    fn check(found: &[(u32, u32, &str)], expect: Expect) {
        let mut sources = SourceMap::default();
        for path in ["app/a.xml", "app/b.xml"] {
            sources.add(path.to_owned(), "x\n".repeat(26));
        }
        let diagnostics: Vec<Diagnostic> = found
            .iter()
            .map(|(file, line, message)| {
                let start = (line - 1) * 2;
                let place = Span::new(FileId(*file), start, start + 1);
                Diagnostic::new(&CODE, place, *message).note("a fact")
            })
            .collect();
        let text: String = folded(&diagnostics, &sources)
            .iter()
            .map(|diagnostic| format!("{}: {:?}\n", diagnostic.message, diagnostic.notes))
            .collect();
        expect.assert_eq(&text);
    }

    #[test]
    fn what_is_said_more_than_twice_is_said_once() {
        check(
            &[
                (0, 1, "x"),
                (0, 2, "y"),
                (0, 5, "y"),
                (0, 7, "x"),
                (0, 9, "x"),
            ],
            expect![[r#"
                x: ["a fact", "and 2 more at app/a.xml:7, 9"]
                y: ["a fact"]
                y: ["a fact"]
            "#]],
        );
    }

    #[test]
    fn lines_are_named_once_and_not_without_end() {
        let many: Vec<(u32, u32, &str)> = (1..=14).map(|line| (0, line, "x")).collect();
        check(
            &many,
            expect![[r#"
            x: ["a fact", "and 13 more at app/a.xml:2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ..."]
        "#]],
        );
        check(
            &[(0, 1, "x"), (0, 3, "x"), (0, 3, "x")],
            expect![[r#"
            x: ["a fact", "and 2 more at app/a.xml:3"]
        "#]],
        );
    }

    #[test]
    fn files_have_a_line_each() {
        check(
            &[(0, 1, "x"), (0, 3, "x"), (1, 4, "x"), (1, 6, "x")],
            expect![[r#"
                x: ["a fact", "and 3 more at\napp/a.xml:3\napp/b.xml:4, 6"]
            "#]],
        );
    }

    #[test]
    fn what_is_said_of_each_place_stays() {
        let at = |start: u32| Span::new(FileId(0), start, start + 1);
        let mut sources = SourceMap::default();
        sources.add("a.xml".to_owned(), "x\n".repeat(40));
        let found: Vec<Diagnostic> = (0..14)
            .map(|number| at(number * 2))
            .map(|place| {
                Diagnostic::new(&CODE, place, "x").label(place, format!("at {}", place.start))
            })
            .collect();
        let folded = folded(&found, &sources);
        assert_eq!(folded.len(), 1);
        expect![[r#"
            and 13 more at
            a.xml:2: at 2
            a.xml:3: at 4
            a.xml:4: at 6
            a.xml:5: at 8
            a.xml:6: at 10
            a.xml:7: at 12
            a.xml:8: at 14
            a.xml:9: at 16
            a.xml:10: at 18
            a.xml:11: at 20
            and 3 more places; `--format short` lists all"#]]
        .assert_eq(&folded[0].notes.join("\n"));
    }
}
