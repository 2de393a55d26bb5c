//! The rows of the page: one for each document, and the number of documents with each verdict.

use std::collections::BTreeMap;

use hpdlc_core::secrets::Secrets;
use serde::Serialize;

use super::{
    DocumentKind, rendered,
    tables::{self, CountRow},
    verdict::{Judged, Verdict, is_template, is_unsupported},
};
use crate::{
    diagnostics::{
        Diagnostic, Level,
        render::{self, summary::counted},
    },
    source::SourceMap,
};

#[derive(Serialize)]
pub(super) struct VerdictRow {
    class: &'static str,
    words: &'static str,
    count: usize,
}

#[derive(Serialize)]
pub(super) struct DocumentRow<'a> {
    number: usize,
    path: &'a str,
    kind: &'static str,
    name: String,
    class: &'static str,
    verdict: String,
    codes: Vec<CodeCount>,
    schemas: Vec<String>,
    actions: Vec<CountRow>,
    functions: Vec<CountRow>,
    properties: Vec<String>,
    needs: String,
    nodes: String,
    graph_html: String,
    messages: Vec<String>,
    others: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct CodeCount {
    id: &'static str,
    count: usize,
}

pub(super) fn verdicts(judged: &[Judged<'_>]) -> Vec<VerdictRow> {
    [
        Verdict::Fine,
        Verdict::Warnings,
        Verdict::Template,
        Verdict::Unsupported,
        Verdict::Mistakes,
    ]
    .into_iter()
    .map(|verdict| VerdictRow {
        class: verdict.class(),
        words: verdict.words(),
        count: judged
            .iter()
            .filter(|judged| judged.verdict == verdict)
            .count(),
    })
    .collect()
}

pub(super) fn document_row<'a>(
    number: usize,
    judged: &Judged<'a>,
    graph: String,
    sources: &SourceMap,
    given: &Secrets,
) -> DocumentRow<'a> {
    let document = judged.document;
    let survey = document.survey.as_ref();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut messages = Vec::new();
    let mut others = Vec::new();
    for diagnostic in &judged.diagnostics {
        let count = counts.entry(diagnostic.rule.id()).or_default();
        *count += 1;
        let text = if *count <= MAX_IN_FULL {
            rendered(diagnostic, sources)
        } else {
            render::short::render(diagnostic, sources)
        };
        let own = [
            document.checked.as_ref().map(|checked| &checked.secrets),
            survey.map(|survey| &survey.secrets),
        ];
        let text = own
            .into_iter()
            .flatten()
            .fold(given.masked(&text), |text, secrets| secrets.masked(&text));
        if *count <= MAX_IN_FULL {
            messages.push(text);
        } else {
            others.push(text);
        }
    }
    DocumentRow {
        number,
        path: &document.path,
        kind: survey
            .map_or(DocumentKind::Other, |survey| survey.kind)
            .name(),
        name: match (survey, &document.checked) {
            (_, Some(checked)) => checked.picture.title.clone(),
            (Some(survey), None) => survey.name.clone(),
            (None, None) => String::new(),
        },
        class: judged.verdict.class(),
        verdict: verdict_words(judged),
        codes: counts
            .into_iter()
            .map(|(id, count)| CodeCount { id, count })
            .collect(),
        schemas: survey
            .into_iter()
            .flat_map(|survey| survey.schemas.iter().cloned())
            .collect(),
        actions: tables::actions(std::slice::from_ref(judged)),
        functions: tables::functions(std::slice::from_ref(judged)),
        properties: tables::needed_properties(document).into_iter().collect(),
        needs: document
            .checked
            .as_ref()
            .map_or(String::new(), |checked| checked.needs.words()),
        nodes: document.checked.as_ref().map_or(String::new(), |checked| {
            counted(checked.picture.nodes.len(), "node")
        }),
        graph_html: graph,
        messages,
        others,
    }
}

/// The verdict with counts: `2 errors, 1 warning`.
pub(super) fn verdict_words(judged: &Judged<'_>) -> String {
    let count = |is_wanted: &dyn Fn(&Diagnostic) -> bool| {
        judged
            .diagnostics
            .iter()
            .filter(|diagnostic| is_wanted(diagnostic))
            .count()
    };
    let is_error = |diagnostic: &Diagnostic| diagnostic.level == Level::Error;
    let n_mistakes = count(&|diagnostic| is_error(diagnostic) && !is_unsupported(diagnostic));
    let n_unsupported = count(&|diagnostic| is_error(diagnostic) && is_unsupported(diagnostic));
    let is_warning = |diagnostic: &Diagnostic| diagnostic.level == Level::Warning;
    let n_warnings = count(&|diagnostic| is_warning(diagnostic) && !is_template(diagnostic));
    let is_template = judged.diagnostics.iter().any(|it| is_template(it));
    let parts: Vec<String> = [
        is_template.then(|| Verdict::Template.words().to_owned()),
        (n_mistakes > 0).then(|| counted(n_mistakes, "error")),
        (n_unsupported > 0).then(|| format!("{n_unsupported} not supported yet")),
        (n_warnings > 0).then(|| counted(n_warnings, "warning")),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        Verdict::Fine.words().to_owned()
    } else {
        parts.join(", ")
    }
}

/// The maximum number of messages of one rule in one document that are shown in full.
pub(super) const MAX_IN_FULL: usize = 3;
