//! Actions: a call of a function, with methods behind it, becomes an action node.

use quote::{ToTokens, quote};
use syn::{Expr, ExprCall, ExprLit, ExprMethodCall, ExprPath, Lit, spanned::Spanned};

use crate::rust::{
    body::Draft,
    builders::Builder,
    child,
    document::{Element, Node, NodeKind, Target, Text},
    flow::{Flow, OnError},
    outlines::DataType,
    params::app_path,
    place::Place,
    reader::{OwnAction, Reader},
    scope::Binding,
    tokens::{is_named, name_in_flow, without_raw},
};

/// The namespace of actions that are functions of the program.
const OWN_ACTIONS: &str = "uri:hpdl:rust-action:0.1";

impl Reader {
    /// The node of an action, and its index.
    pub(super) fn action(
        &mut self,
        call: &Expr,
        next: Target,
        on_error: &OnError,
    ) -> (Flow, Option<usize>) {
        let place = Place::of_expr(call);
        self.outlines.naming = name_in(call);
        let Some(draft) = self.draft(call) else {
            return (Flow::unknown(next), None);
        };
        let (name, name_place) = draft
            .name
            .clone()
            .unwrap_or_else(|| (draft.default_name.clone(), first_token(call)));
        self.last.clone_from(&name);
        let error = match on_error {
            OnError::Fail => Target::Fail,
            OnError::Continue => next,
            OnError::To(target) => *target,
        };
        let has_data = draft.has_data;
        let data_type = draft.data_type.clone();
        let attributes = draft.attributes.clone();
        let sla = draft.sla.clone().map(Box::new);
        let body = draft.finished();
        let node = self.add(Node {
            name,
            name_place,
            place,
            kind: NodeKind::Action {
                attributes,
                body,
                ok: next,
                error,
                sla,
            },
        });
        if let Some(data_type) = data_type {
            self.outlines.data.insert(node, data_type);
        }
        let value = match (has_data, on_error) {
            (true, OnError::Fail | OnError::To(_)) => Binding::Data { node },
            _ => Binding::Unit,
        };
        let flow = Flow {
            entry: Target::Node(node),
            value: Some(value),
        };
        (flow, Some(node))
    }

    fn draft(&mut self, call: &Expr) -> Option<Draft> {
        match call {
            Expr::Paren(inner) => self.draft(&inner.expr),
            Expr::Group(inner) => self.draft(&inner.expr),
            Expr::MethodCall(method) => {
                let mut draft = self.draft(&method.receiver)?;
                self.method_of(&mut draft, method)?;
                Some(draft)
            }
            Expr::Call(call) => {
                let Expr::Path(path) = &*call.func else {
                    return self.left_to_rustc();
                };
                if let Some((path, params)) = child::arguments(call) {
                    return self.child(call, path, params);
                }
                match builder_of(path) {
                    Some(builder) => self.built_in(builder, call),
                    None => self.own_action(path, call),
                }
            }
            Expr::Struct(given) => self.own_type(given),
            _ => self.left_to_rustc(),
        }
    }

    fn built_in(&mut self, builder: &'static Builder, call: &ExprCall) -> Option<Draft> {
        if call.args.len() != builder.arguments.len() {
            return self.left_to_rustc();
        }
        let place = Place::of(call);
        let mut body = Element::new(builder.element, Some(place));
        if let Some(namespace) = builder.namespace() {
            body = body.attribute("xmlns", Text::literal(namespace, None));
        }
        for (element, argument) in builder.arguments.iter().zip(&call.args) {
            let mut text = self.value(argument)?.into_text();
            if *element == "app-path"
                && let Some(path) = text.as_literal()
                && !path.contains(':')
                && !path.starts_with('/')
            {
                // Beside the workflow.
                let mut below = Text::expression(vec![("wf:appPath()".to_owned(), None)]);
                below.push_literal(
                    format!("/{}", path.trim_end_matches('/')),
                    Some(Place::of_expr(argument)),
                );
                text = below;
            }
            body = body.child(Element::of(element, text, Place::of_expr(argument)));
        }
        let name = builder.element.to_owned();
        Some(Draft::new(Some(builder), body, name))
    }

    fn own_action(&mut self, path: &ExprPath, call: &ExprCall) -> Option<Draft> {
        let (mut body, name) = own_body(self, &path.path, Place::of(call), Place::of(path));
        let mut is_whole = true;
        for argument in &call.args {
            match self.value(argument) {
                Some(value) => {
                    let text = value.into_text();
                    body = body.child(Element::of("argument", text, Place::of_expr(argument)));
                }
                None => is_whole = false,
            }
        }
        let path = &path.path;
        is_whole.then(|| {
            let mut draft = Draft::new(None, body, name);
            draft.data_type = Some(DataType::Named(quote!(#path::Output)));
            draft
        })
    }

    fn method_of(&mut self, draft: &mut Draft, call: &ExprMethodCall) -> Option<()> {
        let place = Place::at(call.method.span()).to(Place::at(call.paren_token.span.join()));
        let arguments: Vec<&Expr> = call.args.iter().collect();
        let method = call.method.to_string();
        if draft.is_called_again(&method) {
            self.mistake(
                place,
                &format!("this action has two of `.{method}(...)`: leave one out"),
            );
            return None;
        }
        match (method.as_str(), &arguments[..]) {
            ("named", [name]) => draft.name = Some(self.node_name(name)?),
            ("retry", [times, interval]) => {
                let times = self.before_job(|it| it.value(times))?.into_text();
                draft.attributes.push(("retry-max", times));
                let minutes = self.before_job(|it| it.minutes(interval))?;
                draft.attributes.push(("retry-interval", minutes));
            }
            ("retry_policy", [policy]) => {
                let policy = self.value(policy)?.into_text();
                draft.attributes.push(("retry-policy", policy));
            }
            ("credentials", [credentials]) => {
                let credentials = self.value(credentials)?.into_text();
                draft.attributes.push(("cred", credentials));
            }
            ("sla", [given]) => {
                draft.sla = Some(self.before_job(|it| it.sla_of_action(place, given))?);
            }
            ("timeout", [limit]) => {
                let seconds = self.seconds(limit)?;
                let name = Text::literal("hpdl.action.timeout", Some(place));
                draft.properties.push((name, seconds, place));
            }
            ("on_lost", [Expr::Path(path)]) => {
                let what = path.path.segments.last()?.ident.to_string().to_lowercase();
                let name = Text::literal("hpdl.action.lost", Some(place));
                let what = Text::literal(what, Some(place));
                draft.properties.push((name, what, place));
            }
            ("capture", []) if draft.builder.is_some_and(Builder::captures) => {
                draft.has_data = true;
                draft.data_type = call
                    .turbofish
                    .as_ref()
                    .map(|it| DataType::Named(it.args.to_token_stream()));
                let flag = Element::new("capture-output", Some(place));
                draft.body.children.push(flag);
            }
            _ => return self.element_of(draft, call, place),
        }
        if matches!(method.as_str(), "timeout" | "on_lost") && !draft.can_be_configured() {
            self.mistake(
                place,
                &format!(
                    "`{}` has no configuration for `{method}`: give it to the job as a property",
                    draft.default_name
                ),
            );
        }
        Some(())
    }

    /// The name of a node, which is known when the workflow is compiled.
    pub(super) fn node_name(&mut self, name: &Expr) -> Option<(String, Place)> {
        let place = Place::of(name);
        match name {
            Expr::Lit(literal) if matches!(literal.lit, Lit::Str(_)) => {
                let Lit::Str(text) = &literal.lit else {
                    return None;
                };
                Some((text.value(), place))
            }
            _ => {
                self.mistake(
                    place,
                    "a node has one name for all jobs: write it as a string",
                );
                None
            }
        }
    }

    /// A duration in minutes: `minutes(1)`, `hours(2)`.
    pub(super) fn minutes(&mut self, duration: &Expr) -> Option<Text> {
        self.duration(
            duration,
            &[("minutes", 1), ("hours", 60), ("days", 24 * 60)],
        )
    }

    pub(super) fn seconds(&mut self, duration: &Expr) -> Option<Text> {
        let units = [
            ("seconds", 1),
            ("minutes", 60),
            ("hours", 3600),
            ("days", 86400),
        ];
        self.duration(duration, &units)
    }

    fn duration(&mut self, duration: &Expr, units: &[(&str, u64)]) -> Option<Text> {
        let place = Place::of(duration);
        let unit = match duration {
            Expr::Call(call) if call.args.len() == 1 => units
                .iter()
                .find(|(name, _)| is_named(&call.func, name))
                .map(|(_, factor)| (*factor, &call.args[0])),
            _ => None,
        };
        let names: Vec<String> = units
            .iter()
            .map(|(name, _)| format!("`{name}(n)`"))
            .collect();
        let Some((factor, amount)) = unit else {
            self.mistake_of_rustc(
                place,
                &format!("a duration is one of {} here", names.join(", ")),
            );
            return None;
        };
        let text = self.value(amount)?.into_text();
        match text.as_literal() {
            Some(number) => {
                let amount: Option<u64> = number.parse().ok();
                let Some(total) = amount.and_then(|amount| amount.checked_mul(factor)) else {
                    self.mistake(place, "this duration is too long");
                    return None;
                };
                Some(Text::literal(total.to_string(), Some(place)))
            }
            None if factor == 1 => Some(text),
            None => {
                self.mistake(
                    place,
                    "a workflow does not calculate: give a value that is known only at run time in the unit that is stored",
                );
                None
            }
        }
    }
}

/// The body of an action of the program, without its arguments, and the last name of its path. The program has it from now on.
pub(super) fn own_body(
    reader: &mut Reader,
    path: &syn::Path,
    whole: Place,
    place: Place,
) -> (Element, String) {
    let segments = path.segments.iter();
    let segments: Vec<String> = segments.map(|it| it.ident.to_string()).collect();
    let function = segments.join("::");
    let known = &mut reader.own_actions;
    if !known.iter().any(|known| known.function == function) {
        known.push(OwnAction {
            function: function.clone(),
            path: path.clone(),
        });
    }
    let text = Text::literal(function, Some(place));
    let body = Element::new("rust", Some(whole))
        .attribute("xmlns", Text::literal(OWN_ACTIONS, None))
        .child(Element::of("function", text, place));
    (body, segments.last().cloned().unwrap_or_default())
}

/// The built-in type that a path names: by its name alone, or through the crate of workflows.
fn builder_of(path: &ExprPath) -> Option<&'static Builder> {
    Builder::named(&name_in_flow(&path.path)?.to_string())
}

/// The name of the node of an action, as far as the call itself says it.
fn name_in(call: &Expr) -> String {
    match call {
        Expr::MethodCall(method) => match method.args.first() {
            Some(Expr::Lit(ExprLit {
                lit: Lit::Str(name),
                ..
            })) if method.method == "named" => name.value(),
            _ => name_in(&method.receiver),
        },
        Expr::Call(call) => match (child::arguments(call), &*call.func) {
            (Some((Some(path), _)), _) => app_path(path),
            (_, Expr::Path(path)) => path
                .path
                .segments
                .last()
                .map(|it| without_raw(&it.ident))
                .unwrap_or_default(),
            _ => String::new(),
        },
        Expr::Paren(inner) => name_in(&inner.expr),
        Expr::Group(inner) => name_in(&inner.expr),
        _ => String::new(),
    }
}

fn first_token(call: &Expr) -> Place {
    match call {
        Expr::MethodCall(method) => first_token(&method.receiver),
        Expr::Call(call) => Place::of_expr(&call.func),
        Expr::Struct(given) => Place::of(&given.path),
        other => Place::at(other.span()),
    }
}
