//! Names without quotes: `wf:conf(day)`, `wf:actionData('count')[rows]`. They are read as properties, which nothing defines.

use hpdlc_core::el::{
    ast::{Expr, ExprKind},
    inference,
    types::Type,
};

use crate::{
    analysis::templates::{SoundForms, TemplateUse},
    diagnostics::Sink,
    lints::unquoted_names::{MeantName, UnquotedName},
};

/// `conf` is the function that reads a property of any name.
pub(super) fn check(
    uses: &[TemplateUse<'_>],
    conf: &'static str,
    is_known: &impl Fn(&str) -> bool,
    sink: &mut Sink,
) {
    let mut sound = SoundForms::default();
    for template_use in uses {
        if sound.contains(template_use.form) {
            continue;
        }
        let n_before = sink.n_found();
        for expr in template_use.template.ast.expressions() {
            walk(expr, conf, &mut |expr, name, meant| {
                if !is_known(name) && template_use.phase.constant(name).is_none() {
                    let range = expr.range.start..expr.range.end;
                    sink.emit(UnquotedName {
                        place: template_use.template.text.span_of(range),
                        name: name.to_owned(),
                        meant,
                    });
                }
            });
        }
        if sink.n_found() == n_before {
            sound.insert(template_use.form);
        }
    }
}

fn walk(expr: &Expr, conf: &str, found: &mut dyn FnMut(&Expr, &str, MeantName)) {
    match &expr.kind {
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } if conf.split_once(':') == Some((prefix, name)) => {
            if let [argument] = args.as_slice()
                && let ExprKind::Variable(name) = &argument.kind
            {
                found(argument, name, MeantName::Property(conf.to_owned()));
            }
        }
        ExprKind::Index { base, index } => {
            if let ExprKind::Variable(name) = &index.kind
                && inference::infer(base) == Type::Map
            {
                found(index, name, MeantName::Key);
            }
        }
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => {}
    }
    for child in expr.children() {
        walk(child, conf, found);
    }
}
