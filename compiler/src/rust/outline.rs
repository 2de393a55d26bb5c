//! Outlining: an expression that the expression language does not understand as Rust does becomes a function of the program. The
//! document calls it with the properties and the data that the expression names, and the function reads these by their types in Rust.

mod argument;
mod captures;
mod function;
mod inert;

use proc_macro2::TokenStream;
use syn::{Expr, ExprCall, Lit, UnOp};

use self::argument::Argument;
use crate::rust::{
    outlines::{OutlinedFunction, Refused},
    place::Place,
    reader::{Kind, Reader},
    tokens::without_raw,
    value::{Code, Type, Value},
};

impl Reader {
    /// Reads what is evaluated before the job runs.
    pub(super) fn before_job<T>(&mut self, read: impl FnOnce(&mut Reader) -> T) -> T {
        let before = std::mem::replace(&mut self.outlines.is_before_job, true);
        let result = read(self);
        self.outlines.is_before_job = before;
        result
    }

    /// Only workflows have functions of the program.
    pub(super) fn no_rust<T>(&mut self, place: Place) -> Option<T> {
        let message = format!(
            "{} has no value like this: its expressions compare, combine, `format!`, and ask `is_empty()`; do the rest in an action of the workflow",
            self.what()
        );
        self.mistake_of_rustc(place, &message);
        None
    }

    /// The value of an expression that only Rust understands.
    pub(super) fn outlined(&mut self, expr: &Expr, of: Type) -> Option<Value> {
        let naming = self.outlines.naming.clone();
        self.outlined_as(expr, expr.clone(), Vec::new(), &naming, true, of)
    }

    /// The value of a call of a function in Rust: the function that is made of it has its name, and its literals as arguments.
    pub(super) fn own_call(&mut self, whole: &Expr, call: &ExprCall) -> Option<Value> {
        let Expr::Path(path) = &*call.func else {
            return self.outlined(whole, Type::Field);
        };
        let segments = &path.path.segments;
        let is_of_type = segments.iter().rev().nth(1).is_some_and(|it| {
            it.ident
                .to_string()
                .starts_with(|c: char| c.is_ascii_uppercase())
        });
        let name = segments
            .last()
            .map(|it| without_raw(&it.ident))
            .unwrap_or_default();
        let is_constructor = name.starts_with(|c: char| c.is_ascii_uppercase());
        let mut rewritten = call.clone();
        let mut literals = Vec::new();
        // What a literal is read as follows from the function, unless that is generic.
        if !is_of_type && !is_constructor && !call.args.iter().all(|it| literal(it).is_some()) {
            for argument in &mut rewritten.args {
                if let Some((text, of)) = literal(argument) {
                    let read = Argument::of_literal(literals.len(), text, of, Place::of(argument));
                    *argument = read.replacement.clone();
                    literals.push(read);
                }
            }
        }
        let rewritten = match whole {
            Expr::Try(attempt) => Expr::Try(syn::ExprTry {
                expr: Box::new(Expr::Call(rewritten)),
                ..attempt.clone()
            }),
            _ => Expr::Call(rewritten),
        };
        self.outlined_as(whole, rewritten, literals, &name, false, Type::Field)
    }

    fn report<T>(&mut self, refused: Refused) -> Option<T> {
        match refused {
            Refused::Mistake(place, message) => self.mistake(place, &message),
            Refused::MistakeOfRustc(place, message) => self.mistake_of_rustc(place, &message),
            Refused::Reported => return self.left_to_rustc(),
        }
        None
    }

    fn outlined_as(
        &mut self,
        expr: &Expr,
        mut body: Expr,
        replaced: Vec<Argument>,
        name: &str,
        is_numbered: bool,
        of: Type,
    ) -> Option<Value> {
        let place = Place::of(expr);
        if self.kind != Kind::Workflow {
            return self.no_rust(place);
        }
        if self.outlines.is_before_job {
            self.mistake(
                place,
                "this is evaluated before the job runs, where there are no functions of the program: give a value, or `el!(\"…\")`",
            );
            return None;
        }
        let may_fail = matches!(expr, Expr::Try(_));
        let captured = self.captured(&mut body, replaced, may_fail);
        let captures = match captured {
            Ok(captures) => captures,
            Err(refused) => return self.report(refused),
        };
        let arguments: Vec<Code> = captures.arguments().cloned().collect();
        let statements: Vec<TokenStream> = captures.statements().cloned().collect();
        self.outlines.places.add(expr);
        let key = function::key(&statements, &body);
        let at = match self.outlines.keys.get(&key) {
            Some(at) => *at,
            None => {
                let name = self.outlines.free_name(name, is_numbered);
                let full_name = format!("{}:{name}", self.outlines.prefix);
                let tokens = function::entry(
                    &self.outlines.prefix,
                    &name,
                    arguments.len(),
                    &full_name,
                    &statements,
                    &body,
                );
                self.outlines.functions.push(OutlinedFunction {
                    name,
                    n_arguments: arguments.len(),
                    tokens,
                    source: function::source(expr),
                });
                let at = self.outlines.functions.len() - 1;
                self.outlines.keys.insert(key, at);
                at
            }
        };
        let name = &self.outlines.functions[at].name;
        let mut code: Code = vec![(format!("{}:{name}(", self.outlines.prefix), Some(place))];
        for (n, argument) in arguments.into_iter().enumerate() {
            if n > 0 {
                code.push((", ".to_owned(), None));
            }
            code.extend(argument);
        }
        code.push((")".to_owned(), None));
        Some(Value::Expression(code, of))
    }
}

/// A literal as an argument: its spelling in the expression language without quotes, and its type.
fn literal(expr: &Expr) -> Option<(String, Type)> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) if !text.value().contains("${") && is_plain(&text.value()) => {
                Some((text.value(), Type::Text))
            }
            Lit::Bool(value) => Some((value.value.to_string(), Type::Bool)),
            Lit::Int(number)
                if number.suffix().is_empty() && number.base10_parse::<i64>().is_ok() =>
            {
                Some((number.base10_digits().to_owned(), Type::Number))
            }
            _ => None,
        },
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => {
            let (text, of) = literal(&unary.expr)?;
            (of == Type::Number).then(|| (format!("-{text}"), of))
        }
        _ => None,
    }
}

fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
}
