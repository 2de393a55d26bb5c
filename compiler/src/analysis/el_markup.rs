//! Operators and quotes of expressions that Oozie escapes before it evaluates them (trap T2 of the semantics reference).
//!
//! The texts of actions and decisions are evaluated as parts of their XML, which is printed again. Operators in a CDATA section stay.

use hpdlc_core::el::{
    ast::{BinaryOp, Expr, ExprKind, Literal, TextRange},
    functions::Dialect,
};

use crate::{
    analysis::templates::{TemplatePhase, TemplateUse},
    diagnostics::Sink,
    lints::escaped_operators::{EscapedOperators, EscapedQuotes},
    model::{NodeKind, TextMarkup, WorkflowApp},
};

/// What is escaped in the texts of one form.
#[derive(Default)]
struct EscapedSigns {
    operators: Vec<(TextRange, BinaryOp)>,
    /// Texts in double quotes.
    quoted: Vec<TextRange>,
}

pub(crate) fn check(app: &WorkflowApp, uses: &[TemplateUse<'_>], sink: &mut Sink) {
    if app.dialect != Dialect::Oozie {
        return;
    }
    // How a text is written is not a part of its form.
    let mut of_forms: Vec<Option<EscapedSigns>> = Vec::new();
    for template_use in uses {
        if template_use.phase != TemplatePhase::Workflow || template_use.is_substituted {
            continue;
        }
        let is_message = template_use
            .node
            .is_some_and(|node| matches!(app.node(node).kind, NodeKind::Kill(_)));
        if is_message {
            continue;
        }
        if of_forms.len() <= template_use.form {
            of_forms.resize_with(template_use.form + 1, || None);
        }
        let signs = of_forms[template_use.form].get_or_insert_with(|| signs(template_use));
        report(template_use, signs, sink);
    }
}

fn report(template_use: &TemplateUse<'_>, signs: &EscapedSigns, sink: &mut Sink) {
    let template = template_use.template;
    let text = &template.text;
    let place = |range: TextRange| text.span_of(range.start..range.end);
    let is_attribute = match template.markup {
        TextMarkup::Text => false,
        TextMarkup::Attribute => true,
        TextMarkup::CharacterData => return,
    };
    let named = |(range, op): &(TextRange, BinaryOp)| (place(*range), word(*op));
    if let Some((first, others)) = signs.operators.split_first() {
        let is_blank = |at: Option<usize>| {
            let byte = at.and_then(|at| text.as_str().as_bytes().get(at));
            byte.is_some_and(u8::is_ascii_whitespace)
        };
        let edits = signs.operators.iter().map(|(range, op)| {
            let before = if is_blank(range.start.checked_sub(1)) {
                ""
            } else {
                " "
            };
            let after = if is_blank(Some(range.end)) { "" } else { " " };
            (place(*range), format!("{before}{}{after}", word(*op)))
        });
        sink.emit(EscapedOperators {
            first: named(first),
            others: others.iter().map(named).collect(),
            edits: edits.collect(),
            printed: match text.as_str().get(first.0.start..first.0.end) {
                Some("<") => "&lt;",
                Some("<=") => "&lt;=",
                Some(">") => "&gt;",
                Some(">=") => "&gt;=",
                _ => "&amp;&amp;",
            },
            is_attribute,
        });
    } else if let (true, Some(first)) = (is_attribute, signs.quoted.first()) {
        sink.emit(EscapedQuotes {
            place: place(*first),
        });
    }
}

fn word(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Less => "lt",
        BinaryOp::Greater => "gt",
        BinaryOp::LessOrEqual => "le",
        BinaryOp::GreaterOrEqual => "ge",
        _ => "and",
    }
}

fn signs(template_use: &TemplateUse<'_>) -> EscapedSigns {
    let text = template_use.template.text.as_str();
    let mut found = EscapedSigns::default();
    // Most texts have none of them.
    if text
        .bytes()
        .any(|byte| matches!(byte, b'<' | b'>' | b'&' | b'"'))
    {
        for expr in template_use.template.ast.expressions() {
            walk(expr, text, &mut found);
        }
        found.operators.sort_by_key(|(range, _)| range.start);
    }
    found
}

fn walk(expr: &Expr, text: &str, found: &mut EscapedSigns) {
    match &expr.kind {
        ExprKind::Binary { op, left, right } => {
            let signs: &[&str] = match op {
                BinaryOp::Less => &["<"],
                BinaryOp::Greater => &[">"],
                BinaryOp::LessOrEqual => &["<="],
                BinaryOp::GreaterOrEqual => &[">="],
                BinaryOp::And => &["&&"],
                _ => &[],
            };
            // Between operands there are blanks and parentheses, and the operator.
            let between = left.range.end..right.range.start;
            if let Some(gap) = text.get(between.clone())
                && let Some((at, sign)) =
                    signs.iter().find_map(|sign| Some((gap.find(sign)?, sign)))
            {
                let start = between.start + at;
                let range = TextRange::new(start, start + sign.len());
                found.operators.push((range, *op));
            }
        }
        ExprKind::Literal(Literal::Text(_))
            if text.as_bytes().get(expr.range.start) == Some(&b'"') =>
        {
            found.quoted.push(expr.range);
        }
        _ => {}
    }
    for child in expr.children() {
        walk(child, text, found);
    }
}
