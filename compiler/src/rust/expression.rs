//! Expressions of workflow code: what Rust and the expression language understand alike, and nothing else.

use quote::ToTokens;
use syn::{
    BinOp, Expr, ExprBinary, ExprField, ExprMethodCall, ExprPath, ExprUnary, Lit, Member, UnOp,
    spanned::Spanned,
};

use crate::rust::{
    format, functions,
    place::Place,
    reader::{Kind, Reader},
    scope::Binding,
    tokens::{ident_of, is_macro, without_raw},
    value::{Code, Type, Value, infix, parenthesized},
};

/// Methods that only change how a value is held.
const COPIES: &[&str] = &["as_str", "clone", "into", "to_owned", "to_string"];

/// The words of the expression language, which cannot name a property there.
const RESERVED: &[&str] = &[
    "and",
    "div",
    "empty",
    "eq",
    "false",
    "ge",
    "gt",
    "instanceof",
    "le",
    "lt",
    "mod",
    "ne",
    "not",
    "null",
    "or",
    "true",
];

impl Reader {
    /// The value of an expression; `None` after a mistake.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Reference(inner) if inner.mutability.is_none() => self.value(&inner.expr),
            Expr::Path(path) => self.name(path),
            Expr::Field(field) => self.field(field),
            Expr::MethodCall(call) => self.method(call),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Macro(call) if call.mac.path.is_ident("format") => {
                format::read(self, &call.mac).map(Value::Template)
            }
            Expr::Macro(call) if is_macro(expr, "el") => {
                let text: syn::LitStr = match call.mac.parse_body() {
                    Ok(text) => text,
                    Err(error) => {
                        self.mistake(Place::at(error.span()), "`el!` takes one string: a text with expressions, such as `el!(\"${wf:id()}\")`");
                        return None;
                    }
                };
                self.check_characters(&text.value(), Place::of(&text))?;
                Some(Value::Verbatim(text.value(), Place::of(&text)))
            }
            Expr::Call(call) => {
                let code = functions::call(self, call)?;
                Some(Value::Expression(code.0, code.1))
            }
            Expr::Await(_) | Expr::Try(_) => {
                self.mistake(
                    Place::of(expr),
                    "an action runs in a statement of its own: give its result a name with `let`, and use that here",
                );
                None
            }
            _ => {
                let message = no_expression(expr, self.what());
                self.mistake(Place::of(expr), &message);
                None
            }
        }
    }

    fn literal(&mut self, literal: &Lit) -> Option<Value> {
        let place = Place::of(literal);
        let (text, of) = match literal {
            Lit::Str(text) => (text.value(), Type::Text),
            Lit::Char(c) => (c.value().to_string(), Type::Text),
            Lit::Bool(value) => (value.value.to_string(), Type::Bool),
            Lit::Int(number) => (number.base10_digits().to_owned(), Type::Number),
            Lit::Float(number) => (number.base10_digits().to_owned(), Type::Number),
            _ => {
                self.mistake(
                    place,
                    &format!("a text of {} is characters, not bytes", self.what()),
                );
                return None;
            }
        };
        self.check_text(&text, place)?;
        Some(Value::Literal(text, of, place))
    }

    /// Refuses what a document cannot hold as it stands.
    pub(super) fn check_text(&mut self, text: &str, place: Place) -> Option<()> {
        if text.contains("${") {
            self.mistake(
                place,
                "`${` begins an expression of Oozie: use `format!` for a value, or `el!(\"…\")` for the expression itself",
            );
            return None;
        }
        self.check_characters(text, place)
    }

    /// Refuses characters that no document can hold.
    pub(super) fn check_characters(&mut self, text: &str, place: Place) -> Option<()> {
        let is_allowed = |c: char| {
            matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && !matches!(c, '\u{fffe}' | '\u{ffff}'))
        };
        if let Some(c) = text.chars().find(|c| !is_allowed(*c)) {
            self.mistake(
                place,
                &format!(
                    "the character U+{:04X} cannot stand in a workflow",
                    u32::from(c)
                ),
            );
            return None;
        }
        Some(())
    }

    fn name(&mut self, path: &ExprPath) -> Option<Value> {
        let place = Place::of(path);
        let Some(name) = path.path.get_ident() else {
            // `Verdict::Alarm`: the text of a variant is its name.
            let variant = path.path.segments.last()?;
            return Some(Value::Literal(variant.ident.to_string(), Type::Text, place));
        };
        match self.binding(name)? {
            Binding::Property { property, of } => {
                let code = match self.kind {
                    Kind::Workflow => property_code(&property),
                    Kind::Coordinator => property_by(&property, "coord:conf"),
                    Kind::Bundle => property_by(&property, "bundle:conf"),
                };
                Some(Value::Expression(vec![(code, Some(place))], of))
            }
            Binding::Data { .. }
            | Binding::Failure { .. }
            | Binding::Event(_)
            | Binding::Action
            | Binding::Tuple(_)
            | Binding::Unit => {
                // Not the type that is asked for.
                self.left_to_rustc()
            }
            Binding::Value(value) => Some(value),
            Binding::Merged => self.merged_value(name),
            Binding::Unknown => None,
        }
    }

    fn merged_value<T>(&mut self, name: &syn::Ident) -> Option<T> {
        self.mistake(
            Place::at(name.span()),
            &format!(
                "`{name}` does not come from one action: use the data inside the arm whose action gives it"
            ),
        );
        None
    }

    fn field(&mut self, field: &ExprField) -> Option<Value> {
        let Some(name) = ident_of(&field.base) else {
            self.mistake(
                Place::of(field),
                "the fields of an action's data are texts, numbers and so on, without fields of their own",
            );
            return None;
        };
        match (self.binding(name)?, &field.member) {
            (Binding::Data { node }, Member::Named(member)) => {
                let member = without_raw(member);
                let code = format!("wf:actionData('{}')['{member}']", self.nodes[node].name);
                Some(Value::Expression(
                    vec![(code, Some(Place::of(field)))],
                    Type::Field,
                ))
            }
            (Binding::Unknown, _) => None,
            (Binding::Merged, _) => self.merged_value(name),
            // rustc knows that it has no such field.
            _ => self.left_to_rustc(),
        }
    }

    fn method(&mut self, call: &ExprMethodCall) -> Option<Value> {
        let method = call.method.to_string();
        if call.args.is_empty() && COPIES.contains(&method.as_str()) {
            return self.value(&call.receiver);
        }
        if let Some(name) = ident_of(&call.receiver)
            && let Binding::Failure { node } = self.binding(name)?
            && call.args.is_empty()
        {
            let function = match method.as_str() {
                "code" => "wf:errorCode",
                "message" => "wf:errorMessage",
                _ => return self.left_to_rustc(),
            };
            let code = format!("{function}('{}')", self.nodes[node].name);
            return Some(Value::Expression(
                vec![(code, Some(Place::of(call)))],
                Type::Text,
            ));
        }
        if let Some(code) = self.fact(call) {
            return code;
        }
        if method == "is_empty" && call.args.is_empty() {
            let operand = self.operand(&call.receiver)?;
            let mut code: Code = vec![("empty ".to_owned(), Some(Place::at(call.method.span())))];
            code.extend(operand);
            return Some(Value::Operation(code, Type::Bool));
        }
        self.mistake(
            Place::at(call.method.span()),
            &format!(
                "{} cannot call `{method}`: its expressions compare, combine, `format!`, and ask `is_empty()`; do the rest in an action",
                self.what()
            ),
        );
        None
    }

    /// An expression as part of another one.
    pub(super) fn operand(&mut self, expr: &Expr) -> Option<Code> {
        let value = self.value(expr)?;
        let code = value.into_operand();
        if code.is_none() {
            self.mistake(
                Place::of(expr),
                "this is a text of several parts, which has no place in an expression: make it in an action",
            );
        }
        code
    }

    fn unary(&mut self, unary: &ExprUnary) -> Option<Value> {
        match unary.op {
            UnOp::Deref(_) => self.value(&unary.expr),
            UnOp::Not(_) => {
                let mut code: Code = vec![("not ".to_owned(), None)];
                code.extend(self.operand(&unary.expr)?);
                Some(Value::Operation(code, Type::Bool))
            }
            UnOp::Neg(_) => match self.value(&unary.expr)? {
                Value::Literal(text, Type::Number, _) => Some(Value::Literal(
                    format!("-{text}"),
                    Type::Number,
                    Place::of(unary),
                )),
                _ => {
                    self.arithmetic(Place::of(unary));
                    None
                }
            },
            _ => {
                self.mistake(
                    Place::of(unary),
                    &format!("{} has no such operator", self.what()),
                );
                None
            }
        }
    }

    fn arithmetic(&mut self, place: Place) {
        self.mistake(
            place,
            &format!(
                "{} does not calculate: Rust and Oozie differ in it, `7 / 2` is 3 here and 3.5 there; calculate in an action",
                self.what()
            ),
        );
    }

    fn binary(&mut self, binary: &ExprBinary) -> Option<Value> {
        let (operator, is_comparison) = match binary.op {
            BinOp::And(_) => ("and", false),
            BinOp::Or(_) => ("or", false),
            BinOp::Eq(_) => ("eq", true),
            BinOp::Ne(_) => ("ne", true),
            BinOp::Lt(_) => ("lt", true),
            BinOp::Le(_) => ("le", true),
            BinOp::Gt(_) => ("gt", true),
            BinOp::Ge(_) => ("ge", true),
            _ => {
                self.arithmetic(Place::at(binary.op.span()));
                return None;
            }
        };
        if !is_comparison {
            let left = self.operand(&binary.left);
            let right = self.operand(&binary.right);
            let code = infix(left?, operator, right?);
            return Some(Value::Operation(code, Type::Bool));
        }
        let left = self.value(&binary.left);
        let right = self.value(&binary.right);
        let (left, right) = (left?, right?);
        let is_numeric = !matches!(operator, "eq" | "ne")
            || [&left, &right]
                .into_iter()
                .any(|value| value.type_of() == Type::Number);
        let mut side = |value: Value, expr: &Expr| {
            let is_literal = value.is_literal();
            let Some(code) = value.into_operand() else {
                self.mistake(
                    Place::of(expr),
                    "this is a text of several parts, which has no place in an expression: make it in an action",
                );
                return None;
            };
            // Data and properties are texts, and two texts are ordered as texts: '9' is behind '10'.
            Some(if is_numeric && !is_literal {
                parenthesized(infix(code, "+", vec![("0".to_owned(), None)]))
            } else {
                code
            })
        };
        let left = side(left, &binary.left);
        let right = side(right, &binary.right);
        Some(Value::Operation(infix(left?, operator, right?), Type::Bool))
    }
}

/// The code that reads a property of a workflow's job.
pub(super) fn property_code(property: &str) -> String {
    property_by(property, "wf:conf")
}

/// The code that reads a property, by this function where its name is no word.
fn property_by(property: &str, function: &str) -> String {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts_with_digit = property.starts_with(|c: char| c.is_ascii_digit());
    if RESERVED.contains(&property) || !property.chars().all(is_name) || starts_with_digit {
        format!("{function}('{property}')")
    } else {
        property.to_owned()
    }
}

fn no_expression(expr: &Expr, of: &str) -> String {
    let elsewhere = match of {
        "a workflow" => "do it in an action, and use the data that it gives",
        _ => "do it in an action of the workflow",
    };
    let what = match expr {
        Expr::Closure(_) => "a closure",
        Expr::Index(_) => "an index",
        Expr::Cast(_) => "a cast",
        Expr::Range(_) => "a range",
        Expr::Tuple(_) => "a tuple",
        Expr::Array(_) | Expr::Repeat(_) => "an array",
        Expr::Struct(_) => "a struct",
        Expr::If(_) | Expr::Match(_) => {
            return "a value is not chosen in an expression: use `if` or `match` around the actions that differ".to_owned();
        }
        Expr::Block(_) | Expr::Unsafe(_) => "a block",
        Expr::Macro(call) => {
            return format!(
                "the macro `{}!` has no meaning in an expression of {of}: `format!` and `el!` have",
                call.mac.path.to_token_stream()
            );
        }
        _ => "this",
    };
    format!("{what} has no meaning in an expression of {of}: {elsewhere}")
}
