//! Expressions that evaluate, but rarely to what was meant: comparisons of possibly missing values with the empty text, of maps with single
//! values, numbers that are compared as texts or divided, `True`, and `#{`, which is an expression to some engines and text to others.

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Part},
    inference,
    types::Type,
};

use crate::{
    analysis::{
        templates::{TemplatePhase, TemplateUse, TextType},
        text_passes::TextPass,
    },
    diagnostics::Sink,
    lints::{
        divided_numbers::DividedNumber,
        empty_text_comparisons::EmptyTextComparison,
        hash_braces::HashBrace,
        map_comparisons::MapComparison,
        misspelt_constants::MisspeltConstant,
        nested_expressions::NestedExpression,
        text_order_comparisons::{OrderedTexts, TextOrderComparison},
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
                Part::Expr(expr) => {
                    walk(expr, &template.text, sink);
                    if template_use.phase == TemplatePhase::Workflow {
                        nested(expr, &template.text, sink);
                    }
                    if is_shown(template_use) && is_quotient(expr) {
                        sink.emit(DividedNumber {
                            place: template.text.span_of(expr.range.start..expr.range.end),
                        });
                    }
                }
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

/// Whether the text is what an action gets.
fn is_shown(template_use: &TemplateUse<'_>) -> bool {
    template_use.phase == TemplatePhase::Workflow
        && template_use.node.is_some()
        && matches!(
            template_use.wanted,
            TextType::Text | TextType::Integer | TextType::Path
        )
}

/// Whether the value is the result of a division, perhaps with something added.
fn is_quotient(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary { op, left, right } => match op {
            BinaryOp::Divide => true,
            BinaryOp::Multiply | BinaryOp::Add | BinaryOp::Subtract => {
                is_quotient(left) || is_quotient(right)
            }
            _ => false,
        },
        ExprKind::Conditional {
            then, otherwise, ..
        } => is_quotient(then) || is_quotient(otherwise),
        _ => false,
    }
}

/// Whether an operand of an ordering may be a date or a version, which are ordered as texts rightly.
fn may_be_ordered(text: &str) -> bool {
    const SIGNS: [&str; 11] = [
        "date", "time", "day", "month", "year", "hour", "week", "dt", "version", "from", "until",
    ];
    let text = text.to_lowercase();
    SIGNS.iter().any(|sign| text.contains(sign))
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
                    let is_single =
                        matches!(inference::infer(other), Type::Text | Type::NullableText);
                    if is_single && inference::infer(value) == Type::Map {
                        let range = value.range;
                        sink.emit(MapComparison {
                            place,
                            map: text.span_of(range.start..range.end),
                            source: text.as_str()[range.start..range.end].to_owned(),
                        });
                    }
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
                let is_open = |expr: &Expr| {
                    matches!(inference::infer(expr), Type::Text | Type::NullableText)
                        && inference::fold(expr).is_none()
                };
                let range = expr.range;
                if is_open(left)
                    && is_open(right)
                    && !may_be_ordered(&text.as_str()[range.start..range.end])
                {
                    let left = left.range;
                    sink.emit(OrderedTexts {
                        place,
                        left: text.span_of(left.start..left.end),
                        source: text.as_str()[left.start..left.end].to_owned(),
                    });
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
    if let ExprKind::Variable(name) = &expr.kind {
        let lower = name.to_lowercase();
        if *name != lower && matches!(lower.as_str(), "true" | "false" | "null") {
            sink.emit(MisspeltConstant {
                place: text.span_of(expr.range.start..expr.range.end),
                written: name.clone(),
                constant: lower,
            });
        }
    }
    for child in expr.children() {
        walk(child, text, sink);
    }
}

/// Reports texts with an expression among the operands and arguments of another. A text that is the whole of an expression is shown as it
/// is on purpose.
fn nested(expr: &Expr, text: &Decoded<'_>, sink: &mut Sink) {
    for child in expr.children() {
        if let Some(literal) = child.as_text()
            && let Some((start, end)) = inner_expression(literal)
        {
            let inner = &literal[start..end];
            let is_whole = inner.len() == literal.len();
            sink.emit(NestedExpression {
                place: text.span_of(child.range.start..child.range.end),
                inner: inner.to_owned(),
                whole: is_whole.then(|| inner[2..inner.len() - 1].to_owned()),
            });
        }
        nested(child, text, sink);
    }
}

/// The first `${...}` with something in it.
fn inner_expression(text: &str) -> Option<(usize, usize)> {
    let start = text.find("${")?;
    let length = text[start..].find('}')?;
    (!text[start + 2..start + length].trim().is_empty()).then_some((start, start + length + 1))
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
    fn two_texts_are_ordered_letter_by_letter() {
        const FOUND: &[&str] = &["text_order_comparisons"];
        check(&[
            ("${x gt y}", FOUND),
            ("${wf:conf('rows') lt limit}", FOUND),
            ("${x gt y + 0}", &[]),
            ("${startDate lt endDate}", &[]),
            ("${x gt 'b'}", &[]),
        ]);
    }

    #[test]
    fn a_map_is_no_single_value() {
        check(&[
            ("${hadoop:counters(x) == '5'}", &["map_comparisons"]),
            (
                "${wf:conf('a') ne hadoop:counters(x)}",
                &["map_comparisons"],
            ),
            ("${empty hadoop:counters(x)}", &[]),
        ]);
    }

    #[test]
    fn constants_are_in_lower_case() {
        const FOUND: &[&str] = &["misspelt_constants"];
        check(&[
            ("${wf:conf('x') == True}", FOUND),
            ("${x eq FALSE}", FOUND),
            ("${x eq 'True'}", &[]),
            ("${x eq true}", &[]),
        ]);
    }

    #[test]
    fn a_quotient_has_a_fraction() {
        const FOUND: &[&str] = &["divided_numbers"];
        check(&[
            ("${x / 2}", FOUND),
            ("${(x + 1) / 2 - 1}", FOUND),
            ("${x / 2 gt 1}", &[]),
            ("${x % 2}", &[]),
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
