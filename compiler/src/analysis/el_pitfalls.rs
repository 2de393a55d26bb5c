//! Expressions that evaluate, but rarely to what was meant: comparisons of possibly missing values with the empty text,
//! numbers that are compared as texts, and `#{`, which is an expression to some engines and text to others.

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Part},
    inference,
    types::Type,
};

use crate::{
    analysis::{templates::TemplateUse, text_passes::TextPass},
    diagnostics::Sink,
    lints::{
        empty_text_comparisons::EmptyTextComparison, hash_braces::HashBrace,
        text_order_comparisons::TextOrderComparison,
    },
    syntax::xml::Decoded,
};

/// Reports expressions that mean something else than they appear to.
pub(crate) struct ElPitfalls;

impl TextPass for ElPitfalls {
    fn check(&mut self, template_use: &TemplateUse<'_>, sink: &mut Sink) {
        let template = template_use.template;
        for part in &template.ast.parts {
            match part {
                Part::Text(..) => {}
                Part::Expr(expr) => walk(expr, &template.text, sink),
            }
        }
        // Only outside of `${...}`: inside, it is a parse error or in quotes.
        if template.text.as_str().contains("#{") {
            for at in hash_braces(&template.ast.parts, template.text.as_str()) {
                sink.emit(HashBrace {
                    place: template.text.span_of(at..at + 2),
                });
            }
        }
    }
}

/// The positions of `#{` in the text parts.
fn hash_braces(parts: &[Part], text: &str) -> Vec<usize> {
    let is_in_expression = |at: usize| {
        parts.iter().any(|part| match part {
            Part::Text(..) => false,
            Part::Expr(expr) => expr.range.start <= at && at < expr.range.end,
        })
    };
    text.match_indices("#{")
        .map(|(at, _)| at)
        .filter(|at| !is_in_expression(*at))
        .collect()
}

fn walk(expr: &Expr, text: &Decoded<'_>, sink: &mut Sink) {
    if let ExprKind::Binary { op, left, right } = &expr.kind {
        let place = text.span_of(expr.range.start..expr.range.end);
        match op {
            BinaryOp::Equal | BinaryOp::NotEqual => {
                for (value, other) in [(left, right), (right, left)] {
                    if is_empty_text(other) && inference::infer(value) == Type::NullableText {
                        let range = value.range;
                        sink.emit(EmptyTextComparison {
                            place,
                            value: text.as_str()[range.start..range.end].to_owned(),
                            is_negated: *op == BinaryOp::NotEqual,
                        });
                    }
                }
            }
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessOrEqual
            | BinaryOp::GreaterOrEqual => {
                for (value, other) in [(left, right), (right, left)] {
                    if let Some(number) = number_in_quotes(other)
                        && matches!(inference::infer(value), Type::Text | Type::NullableText)
                        && inference::fold(value).is_none()
                    {
                        let range = other.range;
                        sink.emit(TextOrderComparison {
                            place,
                            number: number.to_owned(),
                            quoted: text.span_of(range.start..range.end),
                        });
                    }
                }
            }
            BinaryOp::Multiply
            | BinaryOp::Divide
            | BinaryOp::Modulo
            | BinaryOp::Add
            | BinaryOp::Subtract
            | BinaryOp::And
            | BinaryOp::Or => {}
        }
    }
    for child in expr.children() {
        walk(child, text, sink);
    }
}

fn is_empty_text(expr: &Expr) -> bool {
    expr.as_text() == Some("")
}

/// A number that is written as a text: `'9'`.
fn number_in_quotes(expr: &Expr) -> Option<&str> {
    expr.as_text().filter(|text| text.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use crate::analysis::testing::short_diagnostics;

    /// The diagnostics of `text` as the message of a kill node, without spans.
    #[track_caller]
    fn check(vectors: &[(&str, &[&str])]) {
        for (text, expected) in vectors {
            let said = short_diagnostics(&format!(
                r#"<start to="k"/><kill name="k"><message><![CDATA[{text}]]></message></kill><end name="e"/>"#
            ));
            let said: Vec<&str> = said
                .lines()
                .filter_map(|line| line.split(' ').nth(1))
                .filter(|rule| *rule != "unreachable_nodes")
                .collect();
            assert_eq!(said, *expected, "for `{text}`");
        }
    }

    #[test]
    fn what_may_be_missing_is_not_the_empty_text() {
        const FOUND: &[&str] = &["empty_text_comparisons"];
        check(&[
            ("${wf:conf('x') == ''}", FOUND),
            ("${wf:conf('x') ne ''}", FOUND),
            ("${'' eq wf:conf('x')}", FOUND),
            ("${not (wf:conf('x') == '') and true}", FOUND),
            ("${empty wf:conf('x')}", &[]),
            ("${trim(wf:conf('x')) == ''}", &[]),
            ("${x == ''}", &[]),
            ("${wf:conf('x') == 'a'}", &[]),
        ]);
    }

    #[test]
    fn numbers_in_quotes_are_ordered_as_text() {
        const FOUND: &[&str] = &["text_order_comparisons"];
        check(&[
            ("${wf:conf('x') > '9'}", FOUND),
            ("${'10' le x}", FOUND),
            ("${x lt '1.5'}", FOUND),
            ("${x gt 9}", &[]),
            ("${x == '9'}", &[]),
            ("${x gt 'b'}", &[]),
            ("${fs:fileSize('/a') gt '9'}", &[]),
        ]);
    }

    #[test]
    fn braces_behind_a_hash_are_noticed_in_text() {
        const FOUND: &[&str] = &["hash_braces"];
        check(&[
            ("print #{x}", FOUND),
            ("#{a}#{b}", &["hash_braces", "hash_braces"]),
            ("#${x}", &[]),
            ("# {x}", &[]),
            ("${'#{x}'}", &[]),
        ]);
    }
}
