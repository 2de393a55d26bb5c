//! Finds the references to nodes in the expressions of a text.

use hpdlc_core::el::ast::{BinaryOp, Expr, ExprKind, Literal, UnaryOp};

use super::{
    availability::Transition,
    data_keys::{self, DataKeyFault},
    errors,
};
use crate::{
    analysis::{templates::TemplateUse, transitions::NodeIndex},
    diagnostics::Sink,
    lints::impossible_transitions::ImpossibleTransition,
    model::{NodeId, NodeKind, WorkflowApp},
    source::Span,
};

/// A reference to a node, in a text of another one.
pub(super) struct Reference {
    /// The node that evaluates the text.
    pub(super) node: NodeId,
    pub(super) target: NodeId,
    pub(super) way: Transition,
    /// With its prefix.
    pub(super) function: String,
    /// The argument, with its quotes.
    pub(super) place: Span,
    /// The expression handles a missing value.
    pub(super) is_guarded: bool,
    /// What is read of the result: `wf:actionData('node')['key']`.
    pub(super) key: Option<String>,
}

/// How a node must have ended for the function to return something; `None` for functions that do not refer to a node.
fn way_of(prefix: Option<&str>, function: &str) -> Option<Transition> {
    match (prefix?, function) {
        // A failed action leaves no data.
        ("wf", "actionData") => Some(Transition::Ok),
        ("wf", "errorCode" | "errorMessage") => Some(Transition::Error),
        ("wf", "transition" | "actionExternalId" | "actionTrackerUri" | "actionExternalStatus")
        | ("hadoop", "counters") => Some(Transition::Any),
        (_, _) => None,
    }
}

/// Walks the expressions of one text.
pub(super) struct Finder<'a, 'r> {
    pub(super) app: &'a WorkflowApp,
    pub(super) index: &'a NodeIndex<'a>,
    pub(super) template_use: &'a TemplateUse<'a>,
    pub(super) node: NodeId,
    pub(super) references: &'r mut Vec<Reference>,
    pub(super) sink: &'r mut Sink,
}

impl Finder<'_, '_> {
    pub(super) fn walk(&mut self, expr: &Expr, is_guarded: bool) {
        match &expr.kind {
            ExprKind::Unary {
                op: UnaryOp::Empty,
                operand,
            } => self.walk(operand, true),
            ExprKind::Binary {
                op: BinaryOp::And | BinaryOp::Or,
                left,
                right,
            } => {
                self.walk(left, is_guarded);
                // Evaluated depending on the left side.
                self.walk(right, true);
            }
            ExprKind::Binary {
                op: BinaryOp::Equal | BinaryOp::NotEqual,
                left,
                right,
            } => {
                let is_guarded = is_guarded || is_null(left) || is_null(right);
                self.compare(left, right);
                self.compare(right, left);
                self.walk(left, is_guarded);
                self.walk(right, is_guarded);
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                self.walk(condition, is_guarded);
                self.walk(then, true);
                self.walk(otherwise, true);
            }
            ExprKind::Call {
                prefix, name, args, ..
            } => {
                if let ([argument], Some(way)) = (args.as_slice(), way_of(prefix.as_deref(), name))
                    && let Some(target) = self.node_named_by(argument)
                {
                    let prefix = prefix.as_deref().unwrap_or_default();
                    self.references.push(Reference {
                        node: self.node,
                        target,
                        way,
                        function: format!("{prefix}:{name}"),
                        place: self.place(argument),
                        is_guarded,
                        key: None,
                    });
                }
                let is_guarded = is_guarded || (prefix.is_none() && name == "firstNotNull");
                for argument in args {
                    self.walk(argument, is_guarded);
                }
            }
            ExprKind::Index { base, index } => {
                if let Some(key) = index.as_text() {
                    self.check_key(base, key, self.place(index), true);
                }
                self.walk(base, is_guarded);
                self.set_key(base, index.as_text());
                self.walk(index, is_guarded);
            }
            ExprKind::Property {
                base,
                name,
                name_range,
            } => {
                let text = &self.template_use.template.text;
                let place = text.span_of(name_range.start..name_range.end);
                self.check_key(base, name, place, false);
                self.walk(base, is_guarded);
                self.set_key(base, Some(name));
            }
            ExprKind::Literal(_)
            | ExprKind::Variable(_)
            | ExprKind::Unary {
                op: UnaryOp::Minus | UnaryOp::Not,
                ..
            }
            | ExprKind::Binary { .. } => {
                for child in expr.children() {
                    self.walk(child, is_guarded);
                }
            }
        }
    }

    /// Notes the key that is read of the reference which `base` is, and which was found last.
    fn set_key(&mut self, base: &Expr, key: Option<&str>) {
        let ExprKind::Call { args, .. } = &base.kind else {
            return;
        };
        if let ([argument], Some(key), Some(last)) =
            (args.as_slice(), key, self.references.last_mut())
            && last.place == {
                let text = &self.template_use.template.text;
                text.span_of(argument.range.start..argument.range.end)
            }
        {
            last.key = Some(key.to_owned());
        }
    }

    /// `wf:transition('node') == 'other'`: whether the node has that transition; and whether an error can have the compared
    /// value.
    fn compare(&mut self, call: &Expr, other: &Expr) {
        if let Some(found) = errors::compare(self.app, call, other, self.place(other)) {
            self.sink.emit(found);
            return;
        }
        let ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } = &call.kind
        else {
            return;
        };
        let ("wf", "transition", [argument], ExprKind::Literal(Literal::Text(compared))) =
            (prefix.as_str(), name.as_str(), args.as_slice(), &other.kind)
        else {
            return;
        };
        let Some(target) = self.node_named_by(argument) else {
            return;
        };
        let node = self.app.node(target);
        let mut targets: Vec<String> = node
            .targets()
            .map(|(_, target)| target.value.clone())
            .collect();
        let is_possible = targets.contains(compared);
        // A fork has more than one transition.
        if !is_possible
            && !node.has_unusable_transition()
            && !matches!(node.kind, NodeKind::Fork(_))
        {
            targets.sort();
            targets.dedup();
            self.sink.emit(ImpossibleTransition {
                node: node.name.value.clone(),
                node_place: node.name.span,
                compared: compared.clone(),
                place: self.place(other),
                targets,
            });
        }
    }

    /// `wf:actionData('node')['key']`: whether the data of the node has the key, if an extension or its script says so.
    fn check_key(&mut self, base: &Expr, key: &str, place: Span, is_quoted: bool) {
        match data_keys::fault(self.app, self.index, base, key, (place, is_quoted)) {
            Some(DataKeyFault::Unknown(found)) => self.sink.emit(found),
            Some(DataKeyFault::Misspelt(found)) => self.sink.emit(found),
            None => {}
        }
    }

    fn node_named_by(&self, argument: &Expr) -> Option<NodeId> {
        self.index.get(argument.as_text()?)
    }

    fn place(&self, expr: &Expr) -> Span {
        let text = &self.template_use.template.text;
        text.span_of(expr.range.start..expr.range.end)
    }
}

fn is_null(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Literal(Literal::Null))
}
