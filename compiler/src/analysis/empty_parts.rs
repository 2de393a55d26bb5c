//! Paths of operations in which a part is empty, where the values of their expressions are known.

use std::collections::BTreeSet;

use hpdlc_core::{el::ast::Expr, empty_parts};

use crate::{
    analysis::{
        action_types,
        known_values::{self, KnownValues},
        templates,
    },
    diagnostics::Sink,
    lints::empty_path_parts::EmptyPathPart,
    model::{Template, WorkflowApp},
};

/// Reports such paths of `fs`, `prepare` and `git`.
pub(crate) fn check(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    let setting = known.property(empty_parts::SETTING);
    if setting.is_some_and(|(value, _)| value.trim() == "allow") {
        return;
    }
    for (_, action) in app.actions() {
        if action_types::of(&action.kind).is_some_and(|it| it.only_reads_paths()) {
            continue;
        }
        for path in templates::paths(&action.kind) {
            check_path(path, known, sink);
        }
    }
}

fn check_path(path: &Template, known: &KnownValues, sink: &mut Sink) {
    if path.is_invalid {
        return;
    }
    let source = path.text.as_str();
    let value = |expr: &Expr, _: &str| known.certain_value(expr);
    let Some(part) = empty_parts::first(source, &path.ast, value, &known.lost) else {
        return;
    };
    let start = source.find(part).unwrap_or_default();
    let names = names(path);
    let value = |name: &&String| known.property(name).map(|(value, _)| value);
    let empty = names
        .iter()
        .find(|name| value(name).is_some_and(|value| value.trim().is_empty()));
    let lost = names.iter().find(|name| known.lost.has(name));
    sink.emit(EmptyPathPart {
        place: path.text.span_of(start..start + part.len()),
        part: part.to_owned(),
        value: lost.as_ref().and_then(value).map(str::to_owned),
        origin: lost.or(empty).and_then(|name| known.place(name)),
    });
}

/// The properties that a path consists of.
fn names(path: &Template) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for expr in path.ast.expressions() {
        known_values::collect_names(expr, &mut names);
    }
    names
}
