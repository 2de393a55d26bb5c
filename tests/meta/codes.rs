//! `compiler/CODES.md`: the index of all codes and lints, generated from the compiler. `UPDATE_EXPECT=1` rewrites it.

use std::{collections::BTreeMap, fs, path::PathBuf};

use expect_test::expect_file;
use hpdlc::{
    diagnostics::{Level, Lint, LintLevel, Rule},
    rules::RULES,
};
use hpdlc_tests::{folder::tracked_files, repository};

/// The meaning of the first two digits of a code.
const FAMILIES: [(&str, &str); 9] = [
    ("H00", "Files, properties and settings"),
    ("H01", "XML and schemas"),
    ("H02", "Elements and values"),
    ("H03", "Nodes and transitions"),
    ("H04", "Expressions"),
    ("H05", "Properties"),
    ("H06", "Actions"),
    ("H07", "Coordinators and bundles"),
    ("H08", "Not supported by hpdlc"),
];

const HEAD: &str = "# Codes and lints

A message of `hpdlc` that begins with `error[H0301]` has a code: it is a mistake, and cannot be turned off. One that begins with
`warning[unreachable_nodes]` has the name of a lint, whose level can be set ([how](README.md#lints-and-settings)). Codes of Oozie are those
that Oozie gives for the same mistake. Every name below leads to its explanation, with an example of what is wrong and of what is
right; `hpdlc explain CODE` prints it, and takes codes of Oozie too.

This page is generated from the registry of rules. After a change to rules,
`UPDATE_EXPECT=1 cargo test --release --workspace --test meta -- codes` writes it anew.
";

/// The path of each rule's explanation, relative to `compiler`.
fn explanations() -> BTreeMap<String, PathBuf> {
    tracked_files()
        .into_iter()
        .filter(|path| path.starts_with("compiler/src"))
        .filter(|path| path.extension().is_some_and(|ending| ending == "md"))
        .map(|path| {
            let text = fs::read_to_string(repository().join(&path)).expect("they are UTF-8");
            let below = path.strip_prefix("compiler").expect("it was filtered");
            (text, below.to_owned())
        })
        .collect()
}

/// The first sentence of an explanation, as a cell of a table.
fn summary(explanation: &str) -> String {
    let paragraph = explanation
        .split("\n\n")
        .find(|part| !part.starts_with('#'))
        .unwrap_or_default()
        .replace('\n', " ");
    let sentence = match paragraph.find(". ") {
        Some(end) => &paragraph[..=end],
        None => &paragraph,
    };
    sentence
        .trim()
        .trim_end_matches(['.', ':'])
        .replace('|', "\\|")
}

struct CodeTableRow<'a> {
    rule: Rule,
    explanations: &'a BTreeMap<String, PathBuf>,
}

impl CodeTableRow<'_> {
    fn link(&self, text: &str) -> String {
        match self.explanations.get(self.rule.explanation()) {
            Some(path) => format!("[{text}]({})", path.display()),
            None => text.to_owned(),
        }
    }

    fn oozie(&self) -> String {
        self.rule.oozie().join(", ")
    }
}

fn level(lint: &Lint) -> &'static str {
    match lint.default_level {
        LintLevel::Allow => "allow",
        LintLevel::Warn => "warn",
        LintLevel::Deny => "deny",
    }
}

fn page() -> String {
    let explanations = explanations();
    let row = |rule| CodeTableRow {
        rule,
        explanations: &explanations,
    };
    let mut page = HEAD.to_owned();
    for (family, title) in FAMILIES {
        page.push_str(&format!(
            "\n## {title}\n\n| code | name | says | Oozie |\n|---|---|---|---|\n"
        ));
        for code in RULES.codes().filter(|code| code.id.starts_with(family)) {
            let row = row(Rule::Code(code));
            let name = code.name.replace('_', " ");
            let mut says = summary(code.explanation);
            if code.level != Level::Error {
                says.push_str(" (a warning)");
            }
            page.push_str(&format!(
                "| `{}` | {} | {says} | {} |\n",
                code.id,
                row.link(&name),
                row.oozie()
            ));
        }
    }
    page.push_str("\n## Lints\n\n| lint | level | says | Oozie |\n|---|---|---|---|\n");
    let mut lints: Vec<&'static Lint> = RULES.lints().collect();
    lints.sort_by_key(|lint| lint.name);
    for lint in lints {
        let row = row(Rule::Lint(lint));
        page.push_str(&format!(
            "| {} | {} | {} | {} |\n",
            row.link(&format!("`{}`", lint.name)),
            level(lint),
            summary(lint.explanation),
            row.oozie()
        ));
    }
    page
}

#[test]
fn index_of_codes_is_what_the_compiler_has() {
    let page = page();
    for rule in RULES.all() {
        let cell = format!("`{}`", rule.id());
        assert!(page.contains(&cell), "{} is in no family", rule.id());
    }
    expect_file![repository().join("compiler/CODES.md")].assert_eq(&page);
}
