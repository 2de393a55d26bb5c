//! Where the expression engine of Oozie 5.2 gives another result than ours, which follows Oozie up to 5.1.
//!
//! Only certain differences are reported: results of constants, and operands whose types alone make the difference.

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Part, UnaryOp},
    inference, ops,
    types::Type,
    value::Value,
};

use crate::{
    analysis::{templates::TemplateUse, text_passes::TextPass},
    diagnostics::Sink,
    lints::engine_differences::EngineDifference,
    syntax::xml::Decoded,
};

/// Reports expressions for which the two engines differ.
pub(crate) struct ElEngines;

impl TextPass for ElEngines {
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink) {
        // Neither engine treats such texts as expressions.
        if template_use.is_substituted {
            return;
        }
        let template = template_use.template;
        let mut backslash = None;
        for part in &template.ast.parts {
            match part {
                Part::Text(text, range) => {
                    backslash = text.ends_with('\\').then(|| range.end - 1);
                }
                Part::Expr(expr) => {
                    if let Some(at) = backslash.take() {
                        sink.emit(escape(at, expr, &template.text));
                    } else {
                        walk(expr, &template.text, sink);
                    }
                }
            }
        }
    }
}

/// A backslash before `${`.
fn escape(at: usize, expr: &Expr, text: &Decoded<'_>) -> EngineDifference {
    let whole = text.as_str();
    let shown = &whole[expr.range.start..expr.range.end];
    EngineDifference {
        place: text.span_of(at..at + 3),
        here: format!("a backslash and the value of `{shown}`"),
        there: format!("the text `${{{shown}}}`"),
        help: "for the text, write `${'${'}` in place of `\\${`; for a backslash, `${'\\\\'}`",
    }
}

fn walk(expr: &Expr, text: &Decoded<'_>, sink: &mut Sink) {
    if let Some((here, there, help)) = difference(expr) {
        sink.emit(EngineDifference {
            place: text.span_of(expr.range.start..expr.range.end),
            here,
            there,
            help,
        });
        return;
    }
    for child in expr.children() {
        walk(child, text, sink);
    }
}

/// The results of both engines for `expr`, if they differ, and what to write instead.
fn difference(expr: &Expr) -> Option<(String, String, &'static str)> {
    match &expr.kind {
        ExprKind::Variable(name) => (name == "instanceof").then(|| {
            (
                "the property `instanceof`".to_owned(),
                "an error".to_owned(),
                "read it with `wf:conf('instanceof')`",
            )
        }),
        ExprKind::Unary {
            op: UnaryOp::Minus,
            operand,
        } => {
            let value = inference::fold(operand)?;
            (value == Value::Text(String::new())).then(|| {
                (
                    "`0`".to_owned(),
                    "an error".to_owned(),
                    "write the number itself",
                )
            })
        }
        ExprKind::Index { base, .. } | ExprKind::Property { base, .. } => {
            inference::fold(base)?.is_null().then(|| {
                (
                    "null".to_owned(),
                    "an error".to_owned(),
                    "write `null`, or the map that was meant",
                )
            })
        }
        ExprKind::Binary { op, left, right } => comparison(*op, left, right),
        ExprKind::Unary {
            op: UnaryOp::Not | UnaryOp::Empty,
            ..
        }
        | ExprKind::Literal(_)
        | ExprKind::Conditional { .. }
        | ExprKind::Call { .. } => None,
    }
}

fn comparison(op: BinaryOp, left: &Expr, right: &Expr) -> Option<(String, String, &'static str)> {
    let is_order = match op {
        BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessOrEqual | BinaryOp::GreaterOrEqual => {
            true
        }
        BinaryOp::Equal | BinaryOp::NotEqual => false,
        BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::And
        | BinaryOp::Or => return None,
    };
    let help = if is_order {
        "compare two numbers, or two texts"
    } else {
        "compare numbers that are numbers"
    };
    if let (Some(left), Some(right)) = (inference::fold(left), inference::fold(right)) {
        let here = ops::binary(op, &left, &right).ok()?;
        let there = Value::Bool(of_tomcat(op, &left, &right)?);
        return (here != there).then(|| {
            (
                format!("`{}`", here.to_text()),
                format!("`{}`", there.to_text()),
                help,
            )
        });
    }
    let is_text_and_bool = matches!(
        (inference::infer(left), inference::infer(right)),
        (Type::Bool, Type::Text) | (Type::Text, Type::Bool)
    );
    (is_order && is_text_and_bool).then(|| {
        (
            "a comparison of two texts".to_owned(),
            "one of two booleans".to_owned(),
            help,
        )
    })
}

/// The result of Tomcat's engine, where it may differ from ours (`ELSupport.compare` and `ELSupport.equals`).
fn of_tomcat(op: BinaryOp, left: &Value, right: &Value) -> Option<bool> {
    if left.is_null() || right.is_null() {
        return None;
    }
    let ordering = match (left, right) {
        // `Double.compareTo`: NaN equals itself and is the greatest value, -0.0 is less than 0.0.
        (Value::Double(_), _) | (_, Value::Double(_)) => {
            let (left, right) = (left.to_double().ok()?, right.to_double().ok()?);
            match (left.is_nan(), right.is_nan()) {
                (false, false) => left.total_cmp(&right),
                (left, right) => left.cmp(&right),
            }
        }
        (Value::Long(_), _) | (_, Value::Long(_)) => return None,
        (Value::Bool(_), _) | (_, Value::Bool(_)) => {
            left.to_bool().ok()?.cmp(&right.to_bool().ok()?)
        }
        (Value::Text(_) | Value::Map(_) | Value::Null, _) => return None,
    };
    Some(match op {
        BinaryOp::Less => ordering.is_lt(),
        BinaryOp::Greater => ordering.is_gt(),
        BinaryOp::LessOrEqual => ordering.is_le(),
        BinaryOp::GreaterOrEqual => ordering.is_ge(),
        BinaryOp::Equal => ordering.is_eq(),
        BinaryOp::NotEqual => ordering.is_ne(),
        BinaryOp::Multiply
        | BinaryOp::Divide
        | BinaryOp::Modulo
        | BinaryOp::Add
        | BinaryOp::Subtract
        | BinaryOp::And
        | BinaryOp::Or => return None,
    })
}

#[cfg(test)]
mod tests {
    use hpdlc_core::el::parser::parse_template;

    use super::difference;

    /// Each expression with the results of both engines, recorded from tomcat-jasper-el 8.5.34 and commons-el 1.0.
    #[track_caller]
    fn check(vectors: &[(&str, Option<(&str, &str)>)]) {
        for (text, expected) in vectors {
            let template = parse_template(&format!("${{{text}}}")).unwrap();
            let expr = template.expressions().next().expect("one expression");
            let found = difference(expr).map(|(here, there, _)| (here, there));
            let found = found
                .as_ref()
                .map(|(here, there)| (here.as_str(), there.as_str()));
            assert_eq!(found, *expected, "for `{text}`");
        }
    }

    #[test]
    fn booleans_and_texts_are_ordered_otherwise() {
        const CERTAIN: Option<(&str, &str)> =
            Some(("a comparison of two texts", "one of two booleans"));
        check(&[
            ("'TRUE' lt true", Some(("`true`", "`false`"))),
            ("'alpha' ge false", Some(("`false`", "`true`"))),
            ("true gt 'abc'", None),
            ("'abc' lt true", None),
            ("true gt false", None),
            ("'a' eq true", None),
            ("true eq 'TRUE'", None),
            ("true lt null", None),
            ("(x eq y) gt z", CERTAIN),
            ("x le empty y", CERTAIN),
            ("x le y", None),
            ("x eq (y eq z)", None),
            ("wf:conf('x') gt true", None),
        ]);
    }

    #[test]
    fn odd_numbers_are_compared_otherwise() {
        check(&[
            ("0 / 0 gt 1", Some(("`false`", "`true`"))),
            ("0 / 0 lt 1", None),
            ("0 / 0 == 0 / 0", Some(("`false`", "`true`"))),
            ("0 / 0 <= 'NaN'", Some(("`false`", "`true`"))),
            ("-0.0 == 0.0", Some(("`true`", "`false`"))),
            ("-0.0 < 0.0", Some(("`false`", "`true`"))),
            ("1.5 == '1.5'", None),
            ("1 / 0 gt 1", None),
            ("x gt 1.5", None),
        ]);
    }

    #[test]
    fn errors_of_one_engine_are_found() {
        check(&[
            ("-''", Some(("`0`", "an error"))),
            ("-x", None),
            ("null.x", Some(("null", "an error"))),
            ("null['x']", Some(("null", "an error"))),
            ("firstNotNull(null, null).x", Some(("null", "an error"))),
            ("wf:actionData('a').x", None),
            (
                "instanceof",
                Some(("the property `instanceof`", "an error")),
            ),
        ]);
    }
}
