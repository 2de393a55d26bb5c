//! Expressions of workflow code: what Rust and the expression language understand alike, and nothing else.

use syn::{
    BinOp, Expr, ExprBinary, ExprField, ExprMethodCall, ExprPath, ExprUnary, Lit, Member, UnOp,
};

use crate::rust::{
    format, functions,
    own_names::{property_by, property_code},
    place::Place,
    reader::{Kind, Reader},
    recognize::awaited,
    scope::Binding,
    subset::{COPIES, is_constant},
    tokens::{ident_of, is_macro, without_raw},
    value::{Code, Type, Value, infix, parenthesized},
};

impl Reader {
    /// The value of an expression; `None` after a mistake.
    pub(super) fn value(&mut self, expr: &Expr) -> Option<Value> {
        match expr {
            Expr::Lit(literal) => self.literal(&literal.lit),
            Expr::Paren(inner) => self.value(&inner.expr),
            Expr::Group(inner) => self.value(&inner.expr),
            Expr::Reference(inner) if inner.mutability.is_none() => {
                match self.kind != Kind::Workflow || self.is_plain(&inner.expr) {
                    true => self.value(&inner.expr),
                    // What is there may have no size, as in `&input[1..]`.
                    false => self.outlined(expr, Type::Field),
                }
            }
            Expr::Path(path) if is_constant(path) => self.outlined(expr, Type::Field),
            Expr::Path(path) => self.name(path),
            Expr::Field(field) => self.field(field),
            Expr::MethodCall(call)
                if self.kind != Kind::Workflow || self.is_common_method(call) =>
            {
                self.method(call)
            }
            Expr::Binary(binary) => self.binary(expr, binary),
            Expr::Unary(unary) => self.unary(expr, unary),
            Expr::Macro(call) if call.mac.path.is_ident("format") => {
                if format::has_formats(&call.mac) {
                    return self.outlined(expr, Type::Text);
                }
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
                let place = Place::at(text.span());
                self.check_characters(&text.value(), place)?;
                Some(Value::Verbatim(text.value(), place))
            }
            Expr::Call(call) if functions::is_function(&call.func) => {
                let code = functions::call(self, call)?;
                Some(Value::Expression(code.0, code.1))
            }
            Expr::Call(call) => self.own_call(expr, call),
            Expr::Try(attempt) if let Expr::Call(call) = &*attempt.expr => {
                self.own_call(expr, call)
            }
            Expr::Await(_) | Expr::Try(_) => {
                self.mistake(
                    Place::of_expr(expr),
                    "an action runs in a statement of its own: give its result a name with `let`, and use that here",
                );
                None
            }
            Expr::MethodCall(_)
            | Expr::Cast(_)
            | Expr::Index(_)
            | Expr::If(_)
            | Expr::Match(_)
            | Expr::Block(_)
            | Expr::Macro(_) => self.outlined(expr, Type::Field),
            _ => {
                let message = no_expression(expr, self.what());
                self.mistake_of_rustc(Place::of_expr(expr), &message);
                None
            }
        }
    }

    /// Whether a reference to an expression is the same as the expression.
    fn is_plain(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_plain(&inner.expr),
            Expr::Macro(_) => is_macro(expr, "format") || is_macro(expr, "el"),
            Expr::Await(_) | Expr::Try(_) | Expr::Closure(_) | Expr::Tuple(_) => true,
            _ => self.is_common(expr),
        }
    }

    fn literal(&mut self, literal: &Lit) -> Option<Value> {
        let place = Place::at(literal.span());
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

    pub(super) fn merged_value<T>(&mut self, name: &syn::Ident) -> Option<T> {
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
            if awaited(&field.base).is_some() {
                return self.value(&field.base).and(None);
            }
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
        if self.kind != Kind::Workflow {
            return self.no_rust(Place::at(call.method.span()));
        }
        self.left_to_rustc()
    }

    /// An expression as part of another one.
    pub(super) fn operand(&mut self, expr: &Expr) -> Option<Code> {
        let value = self.value(expr)?;
        let code = value.into_operand();
        if code.is_none() {
            self.mistake(
                Place::of_expr(expr),
                "this is a text of several parts, which has no place in an expression: make it in an action",
            );
        }
        code
    }

    fn unary(&mut self, expr: &Expr, unary: &ExprUnary) -> Option<Value> {
        match unary.op {
            UnOp::Deref(_) if self.is_common(&unary.expr) => self.value(&unary.expr),
            UnOp::Not(_) => {
                let mut code: Code = vec![("not ".to_owned(), None)];
                code.extend(self.operand(&unary.expr)?);
                Some(Value::Operation(code, Type::Bool))
            }
            UnOp::Neg(_) if self.is_common(expr) => match self.value(&unary.expr)? {
                Value::Literal(text, Type::Number, _) => Some(Value::Literal(
                    format!("-{text}"),
                    Type::Number,
                    Place::of(unary),
                )),
                _ => self.left_to_rustc(),
            },
            _ => self.outlined(expr, Type::Field),
        }
    }

    fn binary(&mut self, expr: &Expr, binary: &ExprBinary) -> Option<Value> {
        let (operator, is_comparison) = match binary.op {
            BinOp::And(_) => ("and", false),
            BinOp::Or(_) => ("or", false),
            BinOp::Eq(_) => ("eq", true),
            BinOp::Ne(_) => ("ne", true),
            BinOp::Lt(_) => ("lt", true),
            BinOp::Le(_) => ("le", true),
            BinOp::Gt(_) => ("gt", true),
            BinOp::Ge(_) => ("ge", true),
            _ => return self.outlined(expr, Type::Field),
        };
        if !is_comparison {
            let left = self.operand(&binary.left);
            let right = self.operand(&binary.right);
            let code = infix(left?, operator, right?);
            return Some(Value::Operation(code, Type::Bool));
        }
        if !self.is_common(expr) {
            return self.outlined(expr, Type::Bool);
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
                    Place::of_expr(expr),
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

fn no_expression(expr: &Expr, of: &str) -> String {
    let what = match expr {
        Expr::Closure(_) => "a closure",
        Expr::Range(_) => "a range",
        Expr::Tuple(_) => "a tuple",
        Expr::Array(_) | Expr::Repeat(_) => "an array",
        Expr::Struct(_) => "a struct",
        _ => "this",
    };
    format!(
        "{what} is no value of {of}: those are texts, numbers and booleans, and enums with `#[derive(Data)]`"
    )
}
