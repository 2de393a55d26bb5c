//! Taint analysis of secrets: where they are shown, in messages, in arguments of programs, in addresses, under names that do
//! not denote a secret.
//!
//! A secret is a property with a name that denotes one, a property from which a credential takes a secret, or an entry with
//! such a name in the data of an action. It flows through texts that contain it, and through properties whose values refer
//! to it. A comparison alone does not show it.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use hpdlc_core::{
    el::ast::{BinaryOp, Expr, ExprKind, Literal, Template as Ast, TextRange},
    secrets::{is_secret_name, tells_secret},
};

use crate::{
    analysis::{action_types::Outlet, given::JobProperties},
    diagnostics::Sink,
    lints::exposed_secrets::{self, ExposedSecret},
    lookup::AddressLookup,
    model::{NodeKind, Property, Template, WorkflowApp},
    source::Span,
};

mod outlets;
mod written;

/// Reports secrets that are shown where others may read them.
pub(crate) fn check(app: &WorkflowApp, given: &JobProperties, sink: &mut Sink) {
    if sink.is_allowed(&exposed_secrets::LINT) {
        return;
    }
    let sources = SecretSources::new(app, given);
    let mut seen: BTreeSet<Span> = BTreeSet::new();
    // Trees are shared by equal texts, and most contain no secret.
    let mut clean: AddressLookup<*const Ast, bool> = AddressLookup::default();
    let mut report = |outlet: Outlet<'_>| {
        if outlet.template.is_invalid {
            return;
        }
        let tree = Arc::as_ptr(&outlet.template.ast);
        let is_clean =
            clean.get_or_insert_with(tree, || sources.flow_into(&outlet.template.ast).is_none());
        if *is_clean || !outlet.name.is_none_or(is_shown_under) {
            return;
        }
        let Some(flow) = sources.flow_into(&outlet.template.ast) else {
            return;
        };
        let text = &outlet.template.text;
        let place = text.span_of(flow.range.start..flow.range.end);
        if !seen.insert(place) {
            return;
        }
        sink.emit(ExposedSecret {
            secret: flow.secret,
            written_in: None,
            place,
            outlet: outlet.what,
            danger: outlet.danger,
            help: outlet.help,
            by_way_of: flow.by_way_of,
            origin: flow.origin,
        });
    };
    for property in app
        .global
        .iter()
        .flat_map(|global| &global.configuration.properties)
        .chain(&app.config_default)
    {
        report(outlets::of_property(property));
    }
    let mut written = Vec::new();
    report(Outlet::new(
        &app.name,
        "the name of the workflow",
        "every list of jobs shows it",
    ));
    for node in &app.nodes {
        match &node.kind {
            NodeKind::Kill(kill) => report(Outlet::new(
                &kill.message,
                "the message of a kill node",
                "logs and notifications show it",
            )),
            NodeKind::Action(action) => {
                let outlets = outlets::of_action(action);
                written.extend(written::find(&node.name.value, &outlets));
                outlets.into_iter().for_each(&mut report);
            }
            NodeKind::Start(_)
            | NodeKind::End(_)
            | NodeKind::Decision(_)
            | NodeKind::Fork(_)
            | NodeKind::Join(_) => {}
        }
    }
    for secret in written {
        sink.emit(secret);
    }
}

/// A secret in a text.
struct Flow {
    /// The name of the property, or of the entry.
    secret: String,
    /// Of the expression.
    range: TextRange,
    /// The properties in between, beginning with the one that the text reads, and where their values are.
    by_way_of: Vec<(String, Option<Span>)>,
    /// Where the secret is defined, or marked as one.
    origin: Option<(Span, &'static str)>,
}

/// Which properties are secrets, and which contain secrets.
struct SecretSources {
    /// Properties whose values refer to others: by name, with the names they refer to and their places.
    references: BTreeMap<String, (Vec<String>, Option<Span>)>,
    /// Properties from which credentials take secrets, and where.
    of_credentials: BTreeMap<String, Span>,
    /// Where properties are declared without a value. A place with a value is not shown, since the value is a secret.
    places: BTreeMap<String, Span>,
}

impl SecretSources {
    fn new(app: &WorkflowApp, given: &JobProperties) -> SecretSources {
        let mut sources = SecretSources {
            references: BTreeMap::new(),
            of_credentials: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        // Given values override the defaults.
        for parameter in &app.parameters {
            let name = &parameter.name;
            match &parameter.default {
                Some(default) => sources.property(&name.value, &default.value, Some(name.span)),
                None => {
                    sources.places.insert(name.value.clone(), name.span);
                }
            }
        }
        for Property { name, value } in &app.config_default {
            if let Some(literal) = name.literal() {
                sources.property(literal, value.text.as_str(), Some(name.span));
            }
        }
        for (name, property) in &given.properties {
            // No span: its file has values beside it that must not be shown.
            sources.property(name, &property.value, None);
        }
        let credentials = app.credentials.iter().flat_map(|it| &it.list);
        for Property { name, value } in credentials.flat_map(|it| &it.properties) {
            if name.literal().is_some_and(tells_secret) {
                let mut read = Vec::new();
                for expr in value.ast.expressions() {
                    shown_names(expr, &mut |name, _| read.push(name.to_owned()));
                }
                for name in read {
                    sources.of_credentials.entry(name).or_insert(value.span);
                }
            }
        }
        sources
    }

    fn property(&mut self, name: &str, value: &str, place: Option<Span>) {
        let referred = references(value);
        if referred.is_empty() {
            self.references.remove(name);
        } else {
            self.references.insert(name.to_owned(), (referred, place));
        }
    }

    fn flow_into(&self, ast: &Ast) -> Option<Flow> {
        let mut found = None;
        for expr in ast.expressions() {
            shown_names(expr, &mut |name, range| {
                if found.is_none() {
                    let mut way = Vec::new();
                    if let Some((secret, origin)) = self.trace(name, &mut way) {
                        found = Some(Flow {
                            secret,
                            range,
                            by_way_of: way,
                            origin,
                        });
                    }
                }
            });
        }
        found
    }

    /// The secret that the value of a property contains, with the properties in between.
    fn trace(
        &self,
        name: &str,
        way: &mut Vec<(String, Option<Span>)>,
    ) -> Option<(String, Option<(Span, &'static str)>)> {
        if let Some(place) = self.of_credentials.get(name) {
            let origin = Some((*place, "a credential takes it for a secret"));
            return Some((name.to_owned(), origin));
        }
        if tells_secret(name) {
            let place = self.places.get(name);
            let origin = place.map(|place| (*place, "the name tells that it is a secret"));
            return Some((name.to_owned(), origin));
        }
        let (referred, place) = self.references.get(name)?;
        // Circular references are reported as such.
        if way.iter().any(|(known, _)| known == name) {
            return None;
        }
        way.push((name.to_owned(), *place));
        for other in referred {
            if let Some(secret) = self.trace(other, way) {
                return Some(secret);
            }
        }
        way.pop();
        None
    }
}

/// The names in `${name}` of a value.
fn references(value: &str) -> Vec<String> {
    value
        .split("${")
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name.to_owned())
        .collect()
}

/// Calls `found` with each property, and each entry of a map, whose value becomes part of the expression's text.
fn shown_names(expr: &Expr, found: &mut dyn FnMut(&str, TextRange)) {
    match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Unary { .. } => {}
        ExprKind::Variable(name) => found(name, expr.range),
        ExprKind::Conditional {
            then, otherwise, ..
        } => {
            shown_names(then, found);
            shown_names(otherwise, found);
        }
        ExprKind::Binary { op, left, right } => match op {
            BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::Add
            | BinaryOp::Subtract => {
                shown_names(left, found);
                shown_names(right, found);
            }
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual
            | BinaryOp::And
            | BinaryOp::Or => {}
        },
        ExprKind::Index { base, index } => match &index.kind {
            ExprKind::Literal(Literal::Text(name)) if is_data(base) => {
                found(name, expr.range);
            }
            _ => shown_names(base, found),
        },
        ExprKind::Property { base, name, .. } => {
            if is_data(base) {
                found(name, expr.range);
            }
        }
        ExprKind::Call {
            prefix, name, args, ..
        } => match (prefix.as_deref(), name.as_str(), args.as_slice()) {
            (Some("wf"), "conf", [argument]) => {
                if let ExprKind::Literal(Literal::Text(property)) = &argument.kind {
                    found(property, expr.range);
                }
            }
            // Text functions return parts of their arguments; the others return something unrelated.
            (
                None,
                "concat" | "trim" | "urlEncode" | "appendAll" | "replaceAll" | "firstNotNull",
                args,
            ) => {
                for argument in args {
                    shown_names(argument, found);
                }
            }
            (_, _, _) => {}
        },
    }
}

/// `wf:actionData(...)`
fn is_data(expr: &Expr) -> bool {
    matches!(
        &expr.kind,
        ExprKind::Call { prefix: Some(prefix), name, .. } if prefix == "wf" && name == "actionData"
    )
}

/// Whether a property of that name is logged with its value.
fn is_shown_under(name: &Template) -> bool {
    !name.is_invalid && name.literal().is_some_and(|name| !is_secret_name(name))
}

#[cfg(test)]
mod tests;
