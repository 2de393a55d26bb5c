//! Files of cases, for tests that compare the result of a text.
//!
//! ```text
//! # What the cases below are about, in one or more lines.
//! what is given, in one or more lines
//!     what comes of it, indented
//!
//!     what comes of the same text in another case
//! ```
//!
//! An empty line ends a case, and so does an unindented line after indented ones. With `UPDATE_EXPECT=1` the actual results are written
//! into the file.

use std::{env, fmt::Write, fs, ops::Range, thread};

use super::{folder::files_below, repository};

/// Replaces the escapes `\\n`, `\\u{7}` and `\\\\`, for characters that a line cannot contain.
pub fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        plain.push_str(before);
        let (character, behind) = match escape.split_at_checked(1) {
            Some(("n", behind)) => ('\n', behind),
            Some(("\\", behind)) => ('\\', behind),
            _ => {
                let number = escape.strip_prefix("u{").and_then(|it| it.split_once('}'));
                let (number, behind) = number.unwrap_or_else(|| panic!("`\\{escape}`"));
                let character = u32::from_str_radix(number, 16).ok();
                let character = character.and_then(char::from_u32);
                (character.unwrap_or_else(|| panic!("`{number}`")), behind)
            }
        };
        plain.push(character);
        rest = behind;
    }
    plain + rest
}

/// One case of a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Case {
    /// What the case is about.
    pub about: String,
    /// The unindented lines.
    pub given: String,
    /// The indented lines. If a test replays events, they are included, each with its result.
    pub expected: String,
    /// The line numbers of `expected` in the file.
    lines: Range<usize>,
}

/// Compares every case of a file, or of the `.txt` files in a folder, with its `result`; `path` is relative to the
/// repository. Cases that differ are reported together.
#[track_caller]
pub fn check(path: &str, result: impl Fn(&Case) -> String) {
    let at = repository().join(path);
    let mut differing = String::new();
    if at.is_file() {
        check_file(path, &result, &mut differing);
    } else {
        let files = files_below(&at);
        let names = files.iter().filter_map(|file| file.file_name()?.to_str());
        let names: Vec<&str> = names.filter(|name| name.ends_with(".txt")).collect();
        assert!(!names.is_empty(), "{path} holds no file of cases");
        for name in names {
            check_file(&format!("{path}/{name}"), &result, &mut differing);
        }
    }
    assert!(
        differing.is_empty(),
        "{differing}\nUPDATE_EXPECT=1 writes what was found into the file"
    );
}

/// Adds the cases that differ.
fn check_file(path: &str, result: &impl Fn(&Case) -> String, differing: &mut String) {
    let file = repository().join(path);
    let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    let cases = cases(&text);
    assert!(!cases.is_empty(), "{path} holds no case");
    let results: Vec<String> = cases
        .iter()
        .map(|case| {
            let _named = Named(path, case);
            result(case).trim_end().to_owned()
        })
        .collect();
    if env::var_os("UPDATE_EXPECT").is_some() {
        let updated = updated(&text, &cases, &results);
        fs::write(&file, updated).unwrap_or_else(|error| panic!("{path}: {error}"));
        return;
    }
    for (case, result) in cases.iter().zip(&results) {
        if case.expected != *result {
            let _ = write!(
                differing,
                "\n{}\nexpected:\n{}\nfound:\n{result}\n",
                title(path, case),
                case.expected
            );
        }
    }
}

fn title(path: &str, case: &Case) -> String {
    format!(
        "{path}:{}: {}\ngiven:\n{}",
        case.lines.start + 1,
        case.about,
        case.given
    )
}

/// Prints the case that panicked.
struct Named<'a>(&'a str, &'a Case);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("{}", title(self.0, self.1));
        }
    }
}

fn is_indented(line: &str) -> bool {
    line.starts_with("    ")
}

fn cases(text: &str) -> Vec<Case> {
    let lines: Vec<&str> = text.lines().collect();
    let mut cases = Vec::new();
    let (mut about, mut given) = (String::new(), String::new());
    let mut at = 0;
    let is_next_case = |a: &&str, b: &&str| is_indented(a) && !is_indented(b);
    for block in lines.split(|line| line.is_empty()) {
        for part in block.chunk_by(|a, b| !is_next_case(a, b)) {
            let n_about = part.iter().take_while(|line| line.starts_with("# "));
            let (of_about, rest) = part.split_at(n_about.count());
            let n_given = rest.iter().take_while(|line| !is_indented(line));
            let (of_given, of_expected) = rest.split_at(n_given.count());
            if !of_about.is_empty() {
                let texts: Vec<&str> = of_about.iter().map(|line| &line[2..]).collect();
                about = texts.join(" ");
            }
            if !of_given.is_empty() {
                given = of_given.join("\n");
            }
            if !rest.is_empty() {
                let start = at + part.len() - of_expected.len();
                let expected: Vec<&str> = of_expected.iter().map(|line| &line[4..]).collect();
                cases.push(Case {
                    about: about.clone(),
                    given: given.clone(),
                    expected: expected.join("\n"),
                    lines: start..start + of_expected.len(),
                });
            }
            at += part.len();
        }
        at += 1;
    }
    cases
}

/// The text with `results` in place of the expected lines.
fn updated(text: &str, cases: &[Case], results: &[String]) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut updated = String::new();
    let mut copied = 0;
    for (case, result) in cases.iter().zip(results) {
        for line in &lines[copied..case.lines.start] {
            let _ = writeln!(updated, "{line}");
        }
        for line in result.lines() {
            let _ = writeln!(updated, "    {line}");
        }
        copied = case.lines.end;
    }
    for line in &lines[copied..] {
        let _ = writeln!(updated, "{line}");
    }
    updated
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# one\n# and two\na\nb\n    A\n    B\n\n    C\n\nd\n\n# three\ne\n    E\nf\n    F\n";

    #[test]
    fn a_file_is_read_into_its_cases() {
        let shown: Vec<_> = cases(TEXT)
            .iter()
            .map(|case| format!("{}|{}|{}", case.about, case.given, case.expected))
            .collect();
        let expected = [
            "one and two|a\nb|A\nB",
            "one and two|a\nb|C",
            "one and two|d|",
            "three|e|E",
            "three|f|F",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn escapes_stand_for_what_no_line_holds() {
        assert_eq!(unescaped(r"a\nb\\c\u{feff}"), "a\nb\\c\u{feff}");
    }

    #[test]
    fn results_take_the_places_of_what_was_expected() {
        let results = ["A\nB", "C2", "D", "E2", "F"].map(str::to_owned);
        assert_eq!(
            updated(TEXT, &cases(TEXT), &results),
            "# one\n# and two\na\nb\n    A\n    B\n\n    C2\n\nd\n    D\n\n# three\ne\n    E2\nf\n    F\n"
        );
    }
}
