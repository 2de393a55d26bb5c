//! Paths of operations that lose a part, where the values of their expressions are known.

use hpdlc_core::{el::ast::Expr, empty_parts};

use crate::{
    analysis::{
        known_values::{self, KnownValues},
        templates,
    },
    diagnostics::Sink,
    lints::empty_path_parts::EmptyPathPart,
    model::{ActionKind, Template, WorkflowApp},
    source::Span,
};

/// Reports such paths of `fs`, `prepare` and `git`.
pub(crate) fn check(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    let setting = known.property(empty_parts::SETTING);
    if setting.is_some_and(|(value, _)| value.trim() == "allow") {
        return;
    }
    for (_, action) in app.actions() {
        // An attachment is only read.
        if matches!(action.kind, ActionKind::Email(_)) {
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
    let Some(part) = empty_parts::first(source, &path.ast, value) else {
        return;
    };
    let start = source.find(part).unwrap_or_default();
    sink.emit(EmptyPathPart {
        place: path.text.span_of(start..start + part.len()),
        part: part.to_owned(),
        origin: origin(path, known),
    });
}

/// Where the value of the one property of a path is given.
fn origin(path: &Template, known: &KnownValues) -> Option<Span> {
    let mut names = std::collections::BTreeSet::new();
    for expr in path.ast.expressions() {
        known_values::collect_names(expr, &mut names);
    }
    let empty = names.iter().find(|name| {
        let value = known.property(name);
        value.is_some_and(|(value, _)| value.trim().is_empty())
    });
    known.place(empty?)
}
