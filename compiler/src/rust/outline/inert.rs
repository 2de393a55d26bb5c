//! What an expression that becomes a function must not do, and its calls of Oozie's functions, which become arguments.

use std::collections::BTreeSet;

use syn::{
    BinOp, Expr, Ident, Macro, Token,
    punctuated::Punctuated,
    spanned::Spanned,
    visit_mut::{self, VisitMut},
};

use super::argument::Argument;
use crate::rust::{
    functions,
    outlines::Refused,
    place::Place,
    reader::Reader,
    tokens::{ident_of, is_named_path, without_raw},
};

/// Names that patterns in an expression declare.
#[derive(Default)]
struct Declared(BTreeSet<String>);

impl VisitMut for Declared {
    fn visit_pat_ident_mut(&mut self, pattern: &mut syn::PatIdent) {
        self.0.insert(without_raw(&pattern.ident));
        visit_mut::visit_pat_ident_mut(self, pattern);
    }
}

/// What was found in an expression.
pub(super) struct Checked {
    /// The names that it declares itself.
    pub(super) declared: BTreeSet<String>,
    /// The calls that were replaced by names.
    pub(super) replaced: Vec<Argument>,
}

/// Checks an expression, and replaces its calls of Oozie's functions. `may_fail` allows a `?` at its end.
pub(super) fn check(
    reader: &mut Reader,
    expr: &mut Expr,
    replaced: Vec<Argument>,
    may_fail: bool,
) -> Result<Checked, Refused> {
    let mut declared = Declared::default();
    declared.visit_expr_mut(expr);
    let mut visitor = Visitor {
        reader,
        declared: declared.0,
        replaced,
        refused: None,
    };
    match expr {
        Expr::Try(attempt) if may_fail => visitor.visit_expr_mut(&mut attempt.expr),
        expr => visitor.visit_expr_mut(expr),
    }
    match visitor.refused {
        Some(refused) => Err(refused),
        None => Ok(Checked {
            declared: visitor.declared,
            replaced: visitor.replaced,
        }),
    }
}

struct Visitor<'r> {
    reader: &'r mut Reader,
    declared: BTreeSet<String>,
    replaced: Vec<Argument>,
    /// The first mistake.
    refused: Option<Refused>,
}

impl Visitor<'_> {
    fn refuse(&mut self, place: Place, message: &str) {
        self.refused
            .get_or_insert_with(|| Refused::Mistake(place, message.to_owned()));
    }

    /// Refuses what rustc refuses too.
    fn refuse_before_rustc(&mut self, place: Place, message: &str) {
        self.refused
            .get_or_insert_with(|| Refused::MistakeOfRustc(place, message.to_owned()));
    }

    /// Refuses to change a name that the expression does not declare.
    fn change(&mut self, target: &Expr, place: Place) {
        let mut base = target;
        loop {
            base = match base {
                Expr::Field(field) => &field.base,
                Expr::Index(index) => &index.expr,
                Expr::Paren(inner) => &inner.expr,
                Expr::Unary(inner) => &inner.expr,
                _ => break,
            };
        }
        let is_own = ident_of(base).is_none_or(|name| self.declared.contains(&without_raw(name)));
        if !is_own {
            self.refuse_before_rustc(
                place,
                "an expression changes nothing outside of itself: a value of a workflow comes from the action that made it",
            );
        }
    }

    /// Replaces the call of a function of Oozie by a name.
    fn replace_call(&mut self, expr: &mut Expr) {
        let Expr::Call(call) = expr else { return };
        let place = Place::of(call);
        if !call.args.iter().all(|it| self.reader.is_common(it)) {
            self.refuse(
                place,
                "Oozie evaluates this function before the rest, which is Rust: give it names and literals",
            );
            return;
        }
        let call = call.clone();
        match functions::call(self.reader, &call) {
            Some((code, of)) => {
                let argument = Argument::of_call(self.replaced.len(), code, of, place);
                *expr = argument.replacement.clone();
                self.replaced.push(argument);
            }
            None => self.refused = Some(self.refused.take().unwrap_or(Refused::Reported)),
        }
    }

    fn name(&mut self, name: &Ident) {
        let text = without_raw(name);
        if self.replaced.iter().any(|it| it.name == *name) {
            return;
        }
        let is_word = text.starts_with(|c: char| c.is_ascii_lowercase());
        if is_word && self.reader.known(name).is_none() && !self.declared.contains(&text) {
            // In our words, or in those of rustc.
            let _ = self.reader.binding(name);
            self.refused.get_or_insert(Refused::Reported);
        }
    }
}

impl VisitMut for Visitor<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if self.refused.is_some() {
            return;
        }
        match expr {
            Expr::Call(call) if functions::is_function(&call.func) => {
                return self.replace_call(expr);
            }
            Expr::Call(call) => {
                // The function itself is no name of the workflow.
                if !matches!(&*call.func, Expr::Path(_)) {
                    self.visit_expr_mut(&mut call.func);
                }
                for argument in &mut call.args {
                    self.visit_expr_mut(argument);
                }
                return;
            }
            Expr::MethodCall(call) => {
                self.visit_expr_mut(&mut call.receiver);
                for argument in &mut call.args {
                    // A function may be given where a closure may.
                    let is_unknown = ident_of(argument).is_some_and(|it| self.reader.known(it).is_none());
                    if !(is_unknown && matches!(argument, Expr::Path(_))) {
                        self.visit_expr_mut(argument);
                    }
                }
                return;
            }
            Expr::Path(path) => {
                if let Some(name) = path.path.get_ident() {
                    let name = name.clone();
                    self.name(&name);
                }
                return;
            }
            Expr::Await(waiting) => self.refuse(
                Place::at(waiting.await_token.span),
                "an action runs in a statement of its own: give its result a name with `let`, and use that here",
            ),
            Expr::Try(attempt) if !matches!(&*attempt.expr, Expr::Await(_)) => self.refuse(
                Place::at(attempt.question_token.span),
                "an expression is not left by `?`, except one that is the call of a function: `name(value)?`",
            ),
            Expr::Return(returned) => self.refuse(
                Place::at(returned.return_token.span),
                "an expression is not left by `return`: its last value is its value",
            ),
            Expr::Async(block) => self.refuse(
                Place::at(block.async_token.span),
                "an expression does not wait: what waits is an action",
            ),
            Expr::Unsafe(block) => self.refuse(
                Place::at(block.unsafe_token.span),
                "an expression of a workflow is not `unsafe`: do it in an action",
            ),
            Expr::Assign(assign) => {
                let (left, place) = (assign.left.clone(), Place::of(&assign.eq_token));
                self.change(&left, place);
            }
            Expr::Binary(binary) if is_assignment(&binary.op) => {
                let (left, place) = (binary.left.clone(), Place::at(binary.op.span()));
                self.change(&left, place);
            }
            Expr::Reference(reference) => {
                if let Some(word) = reference.mutability {
                    let inner = reference.expr.clone();
                    self.change(&inner, Place::at(word.span()));
                }
            }
            _ => {}
        }
        if self.refused.is_none() {
            visit_mut::visit_expr_mut(self, expr);
        }
    }

    fn visit_macro_mut(&mut self, call: &mut Macro) {
        if is_named_path(&call.path, "el") {
            self.refuse_before_rustc(
                Place::of(&call.path),
                "`el!` has no type that Rust knows: use a property, data or a function of Oozie here",
            );
            return;
        }
        if is_named_path(&call.path, "fork") {
            self.refuse(Place::of(&call.path), "a fork is a statement of its own");
            return;
        }
        // The arguments of most macros are expressions; those of others stay what they are.
        type Arguments = Punctuated<Expr, Token![,]>;
        let Ok(mut arguments) = call.parse_body_with(Arguments::parse_terminated) else {
            return;
        };
        for argument in &mut arguments {
            match argument {
                // The name of an argument.
                Expr::Assign(named) => self.visit_expr_mut(&mut named.right),
                // May be a pattern.
                Expr::Path(path)
                    if path
                        .path
                        .get_ident()
                        .is_none_or(|it| self.reader.known(it).is_none()) => {}
                argument => self.visit_expr_mut(argument),
            }
        }
        call.tokens = quote::ToTokens::into_token_stream(arguments);
    }
}

fn is_assignment(operator: &BinOp) -> bool {
    matches!(
        operator,
        BinOp::AddAssign(_)
            | BinOp::SubAssign(_)
            | BinOp::MulAssign(_)
            | BinOp::DivAssign(_)
            | BinOp::RemAssign(_)
            | BinOp::BitXorAssign(_)
            | BinOp::BitAndAssign(_)
            | BinOp::BitOrAssign(_)
            | BinOp::ShlAssign(_)
            | BinOp::ShrAssign(_)
    )
}
