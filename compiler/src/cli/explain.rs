//! `hpdlc explain`: the page about a code or a lint.

use crate::{
    cli::output::Output,
    diagnostics::{Lint, LintLevel, Rule, registry, similar},
};

pub(super) fn run(wanted: &str, output: &mut Output) -> u8 {
    let rules = registry::find(wanted.trim().trim_matches(|char| "[]`".contains(char)));
    match rules.as_slice() {
        [] => unknown(wanted, output),
        [rule] => output.answer(&page(*rule)),
        several => {
            let mut text = format!("`{wanted}` is what Oozie reports for several mistakes:\n\n");
            for rule in several {
                text.push_str(&format!(
                    "  {:<12} {}\n",
                    rule.id(),
                    rule.name().replace('_', " ")
                ));
            }
            text.push_str("\n`hpdlc explain` tells about each of them.\n");
            output.answer(&text)
        }
    }
}

fn page(rule: Rule) -> String {
    let mut text = match rule {
        Rule::Code(code) => format!("# {}: {}\n\n", code.id, code.name.replace('_', " ")),
        Rule::Lint(lint) => format!("# {} (lint)\n\n", lint.name),
    };
    text.push_str(rule.explanation().trim());
    text.push('\n');
    if let Rule::Lint(lint) = rule {
        text.push_str(&levels(lint));
    }
    if !rule.oozie().is_empty() {
        text.push_str(&format!("\nOozie's codes: {}\n", rule.oozie().join(", ")));
    }
    text
}

/// What a lint is by default, and where that can be changed.
fn levels(lint: &Lint) -> String {
    let Lint { name, .. } = lint;
    let default = match lint.default_level {
        LintLevel::Allow => "allow",
        LintLevel::Warn => "warn",
        LintLevel::Deny => "deny",
    };
    format!(
        "\nDefault level: {default}. For one element, a comment before it allows the lint:\n\n    \
         <!-- hpdlc: allow({name}) reason -->\n\nFor one run: `-A`, `-W` or `-D {name}`. For a folder, in its `hpdl.toml`:\n\n    \
         [lints]\n    {name} = \"allow\"\n"
    )
}

fn unknown(wanted: &str, output: &mut Output) -> u8 {
    let names: Vec<&'static str> = registry::codes()
        .flat_map(|code| [code.id, code.name])
        .chain(registry::lints().map(|lint| lint.name))
        .collect();
    const SHOWN: usize = 3;
    let near: Vec<&str> = similar(wanted, names).into_iter().take(SHOWN).collect();
    let help = if near.is_empty() {
        "codes have the form H0301; messages show them in brackets".to_owned()
    } else {
        let list: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
        format!("there is {}", list.join(", "))
    };
    output.wrong_usage(&format!("no code or lint is called `{wanted}`"), &help)
}
