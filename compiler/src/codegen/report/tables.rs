//! The tables of the page: what occurs, how often, and in how many documents.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::functions;
use serde::Serialize;

use super::{Document, DocumentKind, Judged, action_types, explanation};
use crate::{
    analysis::{Need, Needs},
    diagnostics::{Diagnostic, Level, Rule},
};

/// A feature of documents, and how often it occurs.
#[derive(Serialize)]
pub(super) struct CountRow {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) n_documents: usize,
    /// How hpdlc supports it; "" if not applicable.
    pub(super) remark: &'static str,
}

/// A kind of diagnostic about documents.
#[derive(Serialize)]
pub(super) struct ObstacleRow {
    id: &'static str,
    words_html: String,
    count: usize,
    n_documents: usize,
    /// The number of documents in which it is the only error.
    n_alone: usize,
}

/// A requirement of applications.
#[derive(Serialize)]
pub(super) struct NeedRow {
    name: &'static str,
    n_certain: usize,
    n_possible: usize,
}

/// A rule with at least one diagnostic.
#[derive(Serialize)]
pub(super) struct CodeRow {
    id: &'static str,
    name: String,
    oozie: String,
    explanation_html: String,
}

/// Counts by name: the number of occurrences, and the documents.
#[derive(Default)]
struct Counts {
    by_name: BTreeMap<String, (usize, BTreeSet<usize>, &'static str)>,
}

impl Counts {
    fn add(&mut self, name: &str, document: usize, count: usize, remark: &'static str) {
        let entry = self
            .by_name
            .entry(name.to_owned())
            .or_insert_with(|| (0, BTreeSet::new(), remark));
        entry.0 += count;
        entry.1.insert(document);
    }

    /// Sorted by the number of documents, in descending order.
    fn rows(self) -> Vec<CountRow> {
        let mut rows: Vec<CountRow> = self
            .by_name
            .into_iter()
            .map(|(name, (count, documents, remark))| CountRow {
                name,
                count,
                n_documents: documents.len(),
                remark,
            })
            .collect();
        rows.sort_by(|left, right| {
            (right.n_documents, right.count, &left.name).cmp(&(
                left.n_documents,
                left.count,
                &right.name,
            ))
        });
        rows
    }
}

pub(super) fn kinds(judged: &[Judged<'_>]) -> Vec<CountRow> {
    let of = |judged: &Judged<'_>| {
        let survey = judged.document.survey.as_ref();
        survey.map_or(DocumentKind::Other, |survey| survey.kind)
    };
    let mut by_kind: BTreeMap<DocumentKind, Vec<usize>> = BTreeMap::new();
    for (number, one) in judged.iter().enumerate() {
        by_kind.entry(of(one)).or_default().push(number);
    }
    let mut counts = Counts::default();
    for (kind, numbers) in by_kind {
        let name = if numbers.len() == 1 {
            kind.name()
        } else {
            kind.plural()
        };
        for number in numbers {
            counts.add(name, number, 1, "");
        }
    }
    counts.rows()
}

/// How many applications have each requirement, certainly or possibly.
pub(super) fn needs(of_applications: &[Needs]) -> Vec<NeedRow> {
    let mut counts: BTreeMap<&'static str, (usize, usize)> = BTreeMap::new();
    for needs in of_applications {
        let names = |needs: &BTreeSet<Need>| -> BTreeSet<&'static str> {
            needs.iter().map(|need| need.name()).collect()
        };
        let certain = names(&needs.certain);
        for name in names(&needs.possible).difference(&certain) {
            counts.entry(name).or_default().1 += 1;
        }
        for name in certain {
            counts.entry(name).or_default().0 += 1;
        }
    }
    let mut rows: Vec<NeedRow> = counts
        .into_iter()
        .map(|(name, (n_certain, n_possible))| NeedRow {
            name,
            n_certain,
            n_possible,
        })
        .collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.n_certain, row.n_possible)));
    rows
}

pub(super) fn actions(judged: &[Judged<'_>]) -> Vec<CountRow> {
    let mut counts = Counts::default();
    for (number, judged) in judged.iter().enumerate() {
        let Some(checked) = &judged.document.checked else {
            continue;
        };
        for (name, is_supported) in action_types(&checked.picture) {
            let remark = if is_supported { "yes" } else { "not yet" };
            counts.add(name, number, 1, remark);
        }
    }
    counts.rows()
}

pub(super) fn functions(judged: &[Judged<'_>]) -> Vec<CountRow> {
    let mut counts = Counts::default();
    for (number, judged) in judged.iter().enumerate() {
        for (name, &count) in judged
            .document
            .survey
            .iter()
            .flat_map(|survey| &survey.functions)
        {
            let found = match name.split_once(':') {
                Some((prefix, name)) => functions::find(Some(prefix), name),
                None => functions::find(None, name),
            };
            let remark = match found {
                Some(_) => "yes",
                None => "no",
            };
            counts.add(name, number, count, remark);
        }
    }
    counts.rows()
}

pub(super) fn schemas(judged: &[Judged<'_>]) -> Vec<CountRow> {
    let mut counts = Counts::default();
    for (number, judged) in judged.iter().enumerate() {
        for schema in judged
            .document
            .survey
            .iter()
            .flat_map(|survey| &survey.schemas)
        {
            counts.add(schema, number, 1, "");
        }
    }
    counts.rows()
}

pub(super) fn properties(judged: &[Judged<'_>]) -> Vec<CountRow> {
    let mut counts = Counts::default();
    for (number, judged) in judged.iter().enumerate() {
        for property in needed_properties(judged.document) {
            counts.add(&property, number, 1, "");
        }
    }
    counts.rows()
}

/// The properties that a job of this document requires. The result of the check takes precedence over the survey, which
/// does not know defaults from other files.
pub(super) fn needed_properties(document: &Document) -> BTreeSet<String> {
    let known = document.checked.as_ref().map(|checked| &checked.properties);
    let written = document
        .survey
        .iter()
        .flat_map(|survey| &survey.variables)
        .filter(|name| known.is_none_or(|known| !known.contains_key(*name)));
    let required = known
        .into_iter()
        .flatten()
        .filter(|(_, is_required)| **is_required)
        .map(|(name, _)| name);
    required.chain(written).cloned().collect()
}

/// The diagnostics about documents, grouped: unsupported features by their message, since one code covers many features;
/// other diagnostics by their rule.
pub(super) fn obstacles(
    judged: &[Judged<'_>],
    is_wanted: impl Fn(&Diagnostic) -> bool,
) -> Vec<ObstacleRow> {
    let mut groups: BTreeMap<(&'static str, String), (usize, BTreeSet<usize>, usize)> =
        BTreeMap::new();
    for (number, judged) in judged.iter().enumerate() {
        let mut errors: BTreeSet<(&'static str, String)> = BTreeSet::new();
        for diagnostic in &judged.diagnostics {
            let key = (diagnostic.rule.id(), words(diagnostic));
            if diagnostic.level == Level::Error {
                errors.insert(key.clone());
            }
            if is_wanted(diagnostic) {
                let group = groups.entry(key).or_default();
                group.0 += 1;
                group.1.insert(number);
            }
        }
        if let [only] = &*errors.into_iter().collect::<Vec<_>>()
            && let Some(group) = groups.get_mut(only)
        {
            group.2 += 1;
        }
    }
    let mut rows: Vec<ObstacleRow> = groups
        .into_iter()
        .map(|((id, words), (count, documents, n_alone))| ObstacleRow {
            id,
            words_html: explanation::inline(&words),
            count,
            n_documents: documents.len(),
            n_alone,
        })
        .collect();
    // The sort is stable: rules with equal numbers stay in the order of their ids.
    rows.sort_by_key(|row| std::cmp::Reverse((row.n_documents, row.count)));
    rows
}

fn words(diagnostic: &Diagnostic) -> String {
    if super::is_unsupported(diagnostic) {
        diagnostic.message.clone()
    } else {
        rule_words(diagnostic.rule)
    }
}

/// The subject of a rule: the name of a code, or the first sentence of a lint's explanation.
fn rule_words(rule: Rule) -> String {
    match rule {
        Rule::Code(code) => code.name.replace('_', " "),
        Rule::Lint(lint) => first_sentence(lint.explanation),
    }
}

fn first_sentence(text: &str) -> String {
    let paragraph = text.split("\n\n").next().unwrap_or_default();
    let paragraph = paragraph.replace('\n', " ");
    let end = paragraph.find(". ").or_else(|| paragraph.find(": "));
    let sentence = end.map_or(paragraph.as_str(), |end| &paragraph[..end]);
    sentence.trim_end_matches(['.', ':']).to_owned()
}

/// The rules of the diagnostics, with their explanations.
pub(super) fn codes(diagnostics: &[Diagnostic]) -> Vec<CodeRow> {
    let rules: BTreeMap<&'static str, Rule> = diagnostics
        .iter()
        .map(|diagnostic| (diagnostic.rule.id(), diagnostic.rule))
        .collect();
    rules
        .into_iter()
        .map(|(id, rule)| CodeRow {
            id,
            name: match rule {
                Rule::Code(_) => rule_words(rule),
                // The name of a lint is its id.
                Rule::Lint(_) => String::new(),
            },
            oozie: rule.oozie().join(", "),
            explanation_html: explanation::html(rule.explanation()),
        })
        .collect()
}
