//! `wf:conf('name')` of properties that no job has: nothing fails, and the value is always empty.
//!
//! Expressions that test whether there is a value - `empty`, `firstNotNull`, a comparison with `null`, a condition - expect
//! none.

use std::collections::BTreeMap;

use hpdlc_core::el::ast::{BinaryOp, Expr, ExprKind, Literal, TextRange, UnaryOp};

use crate::{
    analysis::{
        similar_names::SimilarNames,
        templates::{TemplatePhase, TemplateUse},
    },
    diagnostics::Sink,
    lints::unset_properties::UnsetProperty,
    source::Span,
};

/// Properties that are set for every job, or by the user who runs it.
const SET_ELSEWHERE: [&str; 5] = ["oozie.", "hpdl.", "mapreduce.", "user.", "group."];

/// Reports names passed to `conf` that nothing defines. All properties are known.
pub(super) fn check(
    uses: &[TemplateUse<'_>],
    conf: &'static str,
    is_known: &impl Fn(&str) -> bool,
    candidates: &[&str],
    sink: &mut Sink,
) {
    let Some((prefix, _)) = conf.split_once(':') else {
        return;
    };
    let mut places: BTreeMap<String, Vec<Span>> = BTreeMap::new();
    for template_use in uses {
        if template_use.phase != TemplatePhase::Workflow {
            continue;
        }
        for expr in template_use.template.ast.expressions() {
            unguarded(expr, prefix, &mut |name, range| {
                let is_elsewhere = SET_ELSEWHERE.iter().any(|start| name.starts_with(start));
                if !is_known(name) && !is_elsewhere {
                    let text = &template_use.template.text;
                    let place = text.span_of(range.start..range.end);
                    places.entry(name.to_owned()).or_default().push(place);
                }
            });
        }
    }
    let mut similar_names = SimilarNames::default();
    for (name, mut spans) in places {
        spans.sort_unstable();
        spans.dedup();
        let similar = similar_names.nearest(&name, candidates.iter().copied());
        sink.emit(UnsetProperty {
            name,
            conf,
            places: spans,
            similar,
        });
    }
}

/// Calls `found` with each name passed to the function of `prefix`, where a missing value is not expected.
fn unguarded(expr: &Expr, prefix: &str, found: &mut dyn FnMut(&str, TextRange)) {
    let is_null = |expr: &Expr| matches!(expr.kind, ExprKind::Literal(Literal::Null));
    match &expr.kind {
        ExprKind::Unary {
            op: UnaryOp::Empty, ..
        } => {}
        ExprKind::Binary {
            op: BinaryOp::Equal | BinaryOp::NotEqual,
            left,
            right,
        } if is_null(left) || is_null(right) => {}
        ExprKind::Binary {
            op: BinaryOp::And | BinaryOp::Or,
            left,
            ..
        } => unguarded(left, prefix, found),
        ExprKind::Conditional { condition, .. } => unguarded(condition, prefix, found),
        ExprKind::Call {
            prefix: None, name, ..
        } if name == "firstNotNull" => {}
        ExprKind::Call {
            prefix: Some(of),
            name,
            args,
            ..
        } if of == prefix && name == "conf" => {
            if let [argument] = args.as_slice()
                && let ExprKind::Literal(Literal::Text(property)) = &argument.kind
            {
                found(property, argument.range);
            }
        }
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => {
            for child in expr.children() {
                unguarded(child, prefix, found);
            }
        }
    }
}
