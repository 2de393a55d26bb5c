//! The rules of hpdlc as SARIF rules.

use super::log::{Configuration, Descriptor, Message, MultiformatMessage, RuleProperties};
use crate::diagnostics::{Level, LintLevel, Rule};

pub(super) fn descriptor(rule: Rule) -> Descriptor {
    let explanation = rule.explanation().trim();
    let (enabled, level) = match rule {
        Rule::Code(code) => (true, code.level),
        Rule::Lint(lint) => match lint.default_level {
            LintLevel::Allow => (false, Level::Warning),
            LintLevel::Warn => (true, Level::Warning),
            LintLevel::Deny => (true, Level::Error),
        },
    };
    Descriptor {
        id: rule.id(),
        name: pascal_case(rule.name()),
        short_description: Message {
            text: rule.name().replace('_', " "),
        },
        full_description: Message {
            text: first_paragraph(explanation),
        },
        help: MultiformatMessage {
            text: explanation.to_owned(),
            markdown: explanation,
        },
        default_configuration: Configuration {
            enabled,
            level: level.as_str(),
        },
        properties: RuleProperties {
            oozie: rule.oozie(),
            tags: [match rule {
                Rule::Code(_) => "correctness",
                Rule::Lint(_) => "lint",
            }],
        },
    }
}

/// Joined into one line.
fn first_paragraph(text: &str) -> String {
    let lines = text.lines().take_while(|line| !line.trim().is_empty());
    lines.map(str::trim).collect::<Vec<&str>>().join(" ")
}

/// `undefined_node` as `UndefinedNode`, the style that SARIF requires of names.
fn pascal_case(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    for word in name.split('_') {
        let mut letters = word.chars();
        pascal.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        pascal.push_str(letters.as_str());
    }
    pascal
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;

    #[test]
    fn every_rule_has_its_words() {
        let rules = RULES.all();
        for rule in rules {
            let descriptor = descriptor(rule);
            let full = &descriptor.full_description.text;
            // The limit of what GitHub shows.
            assert!((1..=1024).contains(&full.len()), "{}: {full}", rule.id());
            assert!(!full.contains("```"), "{}: {full}", rule.id());
            let name = &descriptor.name;
            assert!(
                name.starts_with(|first: char| first.is_ascii_uppercase()),
                "{name}"
            );
            assert!(!name.contains('_'), "{name}");
        }
    }
}
