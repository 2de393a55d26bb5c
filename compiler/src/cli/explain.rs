//! `hpdlc explain`: the page about a code or a lint, the list of all, or what a cron expression means.

mod page;

use chrono::{DateTime, Utc};
use hpdlc_core::{cron::Cron, time::ProcessingZone};

use crate::{
    cli::output::CommandOutput,
    diagnostics::{Lint, LintLevel, Rule, similar},
    driver::Failure,
    rules::RULES,
};

use self::page::PageStyle;

/// Longer lines are hard to read even on a wide terminal.
const MAX_WIDTH: usize = 100;

pub(super) fn run(wanted: Option<&str>, output: &mut CommandOutput) -> u8 {
    let style = PageStyle {
        width: output.width().min(MAX_WIDTH),
        has_color: output.has_answer_colors(),
    };
    let Some(wanted) = wanted else {
        return output.answer(&list(style));
    };
    if let Some(answer) = cron(wanted) {
        return match answer {
            Ok(words) => output.answer(&words),
            Err(failure) => output.failure(&failure),
        };
    }
    let rules = RULES.find(wanted.trim().trim_matches(|char| "[]`".contains(char)));
    match rules.as_slice() {
        [] => unknown(wanted, output),
        [rule] => output.answer(&page(*rule, style)),
        several => {
            let mut text = format!("Oozie reports {wanted} for several mistakes:\n\n");
            for rule in several {
                text.push_str(&row(*rule));
            }
            text.push_str("\n`hpdlc explain CODE` explains each of them.\n");
            output.answer(&text)
        }
    }
}

/// A cron expression in words and its next times; `None` for anything else.
fn cron(wanted: &str) -> Option<Result<String, Failure>> {
    const N_FIELDS: usize = 5;
    const N_TIMES: usize = 3;
    let wanted = wanted.trim();
    if wanted.split_whitespace().count() != N_FIELDS {
        return None;
    }
    let cron = match Cron::parse(wanted) {
        Ok(cron) => cron,
        Err(error) => {
            let failure = Failure::new(format!("invalid cron expression `{wanted}`: {error}"));
            return Some(Err(match error.help {
                Some(help) => failure.help(help),
                None => failure,
            }));
        }
    };
    let mut text = format!("{} (UTC, or the server's time zone)\n\n", cron.words());
    for oddity in cron.oddities() {
        text.push_str(&format!("note: {}\n\n", oddity.message));
    }
    let zone = ProcessingZone::UTC;
    let first = cron.next_after(Utc::now(), zone);
    let times: Vec<DateTime<Utc>> =
        std::iter::successors(first, |last| cron.next_after(*last, zone))
            .take(N_TIMES)
            .collect();
    for time in &times {
        text.push_str(&format!("  {}\n", time.format("%a %Y-%m-%d %H:%MZ")));
    }
    if times.is_empty() {
        text.push_str("  never in the next hundred years\n");
    }
    Some(Ok(text))
}

/// A rule on one line.
fn row(rule: Rule) -> String {
    format!("  {:<12} {}\n", rule.id(), rule.name().replace('_', " "))
}

/// What the first two digits of codes stand for.
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

/// All codes and lints.
fn list(style: PageStyle) -> String {
    let mut text = String::new();
    for (family, title) in FAMILIES {
        let rows: String = RULES
            .codes()
            .filter(|code| code.id.starts_with(family))
            .map(|code| row(Rule::Code(code)))
            .collect();
        if !rows.is_empty() {
            text.push_str(&page::title(title, style));
            text.push_str(&rows);
            text.push('\n');
        }
    }
    text.push_str(&page::title("Lints, with their default level", style));
    let mut lints: Vec<&Lint> = RULES.lints().collect();
    lints.sort_by_key(|lint| lint.name);
    let width = lints.iter().map(|lint| lint.name.len()).max().unwrap_or(0);
    for lint in lints {
        text.push_str(&format!("  {:<width$}  {}\n", lint.name, level(lint)));
    }
    text.push_str("\n`hpdlc explain CODE` shows the explanation of a code or a lint.\n");
    text
}

fn page(rule: Rule, style: PageStyle) -> String {
    let title = match rule {
        Rule::Code(code) => format!("{}: {}", code.id, code.name.replace('_', " ")),
        Rule::Lint(lint) => format!("{} (lint)", lint.name),
    };
    let mut text = page::title(&title, style);
    text.push('\n');
    text.push_str(page::text(rule.explanation(), style).trim_end());
    text.push('\n');
    if let Rule::Lint(lint) = rule {
        text.push('\n');
        text.push_str(page::text(&levels(lint), style).trim_end());
        text.push('\n');
    }
    if !rule.oozie().is_empty() {
        text.push_str(&format!("\nOozie's codes: {}\n", rule.oozie().join(", ")));
    }
    text
}

fn level(lint: &Lint) -> &'static str {
    match lint.default_level {
        LintLevel::Allow => "allow",
        LintLevel::Warn => "warn",
        LintLevel::Deny => "deny",
    }
}

/// The default level of a lint, and where it can be changed; Markdown.
fn levels(lint: &Lint) -> String {
    let Lint { name, .. } = lint;
    format!(
        "Default level: {}. A comment before an element allows the lint there:\n\n```xml\n<!-- hpdlc: allow({name}) reason -->\n```\n\n\
         For one run: `-A`, `-W` or `-D {name}`. For a folder, in its `hpdl.toml`:\n\n```toml\n[lints]\n{name} = \"allow\"\n```\n",
        level(lint)
    )
}

fn unknown(wanted: &str, output: &mut CommandOutput) -> u8 {
    let names: Vec<&'static str> = RULES
        .codes()
        .flat_map(|code| [code.id, code.name])
        .chain(RULES.lints().map(|lint| lint.name))
        .collect();
    const SHOWN: usize = 3;
    let near: Vec<&str> = similar(wanted, names).into_iter().take(SHOWN).collect();
    let help = if near.is_empty() {
        "codes have the form H0301; `hpdlc explain` lists all of them".to_owned()
    } else {
        let list: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        format!("similar names: {}", list.join(", "))
    };
    output.wrong_usage(&format!("no code or lint is called `{wanted}`"), &help)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: PageStyle = PageStyle {
        width: 80,
        has_color: false,
    };

    #[test]
    fn every_page_is_plain_text_of_the_width() {
        let rules = RULES.all();
        for rule in rules {
            let page = page(rule, PLAIN);
            for line in page.lines().filter(|line| !line.starts_with("    ")) {
                // A line may begin with an attribute of Rust: `#[coordinator]`.
                let is_heading = line.starts_with("# ") || line.starts_with("## ");
                assert!(!line.contains('`') && !is_heading, "{line}");
                let is_short = line.chars().count() <= 80 || !line.trim().contains(' ');
                assert!(is_short, "{}: {line}", rule.id());
            }
        }
    }

    #[test]
    fn the_list_has_every_code_and_lint_once() {
        let list = list(PLAIN);
        let rules = RULES.all();
        for rule in rules {
            let start = format!("  {} ", rule.id());
            let count = list.lines().filter(|line| line.starts_with(&start)).count();
            assert_eq!(count, 1, "{}", rule.id());
        }
    }
}
