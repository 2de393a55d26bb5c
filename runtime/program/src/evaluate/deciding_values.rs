//! What decides whether a case holds: the values that its expression compares or tests.

use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind},
        eval::{evaluate_expr, read_property},
        functions::is_blocking,
        parser::parse_template,
        scope::Scope,
        value::Value,
    },
    secrets::{MASK, is_secret_name},
};

use super::failing_expression::{collect_secrets, masked};

/// The most characters of a value that are shown.
const MOST_CHARACTERS: usize = 100;

/// The most keys of a map.
const MOST_KEYS: usize = 10;

/// The variables and calls in a text, as written, with their values; secrets are masked. What cannot be evaluated again, such as a
/// function that looks at files, is left out.
pub(super) fn find(source: &str, scope: &dyn Scope) -> Vec<(String, String)> {
    let Ok(template) = parse_template(source) else {
        return Vec::new();
    };
    let mut found: Vec<(String, String)> = Vec::new();
    for top in template.expressions() {
        let mut secrets = Vec::new();
        collect_secrets(top, scope, &mut secrets);
        operands(top, &mut |operand| {
            let Some(text) = source.get(operand.range.start..operand.range.end) else {
                return;
            };
            if is_blocking(operand) || found.iter().any(|(other, _)| other == text) {
                return;
            }
            if let Ok(value) = evaluate_expr(operand, scope) {
                let shown = if read_property(operand).is_some_and(is_secret_name) {
                    format!("`{MASK}`")
                } else {
                    masked(&described(&value, operand, scope), &secrets)
                };
                found.push((text.to_owned(), shown));
            }
        });
    }
    found
}

/// Calls `found` with the outermost variables, calls and elements of maps below operators.
fn operands(expr: &Expr, found: &mut dyn FnMut(&Expr)) {
    match &expr.kind {
        ExprKind::Literal(_) => {}
        ExprKind::Unary { .. } | ExprKind::Binary { .. } | ExprKind::Conditional { .. } => {
            for child in expr.children() {
                operands(child, found);
            }
        }
        ExprKind::Variable(_)
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => found(expr),
    }
}

/// The value in words. For a missing element of a map, also the keys that there are.
fn described(value: &Value, operand: &Expr, scope: &dyn Scope) -> String {
    match value {
        Value::Null => match &operand.kind {
            ExprKind::Index { base, .. } | ExprKind::Property { base, .. } => {
                match evaluate_expr(base, scope) {
                    Ok(Value::Map(map)) if map.is_empty() => "null (no keys)".to_owned(),
                    Ok(map @ Value::Map(_)) => format!("null ({})", keys(&map)),
                    _ => "null".to_owned(),
                }
            }
            _ => "null".to_owned(),
        },
        Value::Map(map) if map.is_empty() => "a map without keys".to_owned(),
        Value::Map(_) => format!("a map ({})", keys(value)),
        Value::Bool(_) | Value::Long(_) | Value::Double(_) => value.to_text().into_owned(),
        Value::Text(text) => {
            let mut shown: String = text.chars().take(MOST_CHARACTERS).collect();
            if shown.len() < text.len() {
                shown.push('…');
            }
            format!("`{shown}`")
        }
    }
}

fn keys(map: &Value) -> String {
    let Value::Map(map) = map else {
        return String::new();
    };
    let mut names: Vec<&str> = map.keys().take(MOST_KEYS).map(String::as_str).collect();
    if map.len() > MOST_KEYS {
        names.push("…");
    }
    format!("keys: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use hpdlc_core::el::scope::NoJob;

    use super::find;

    #[test]
    fn operands_are_shown_with_their_values() {
        let properties: BTreeMap<String, String> = [("n", "5"), ("password", "hunter22")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        for (source, expected) in [
            ("${n gt 3 and n lt 9}", "n=`5`"),
            ("${trim(n) == 'x'}", "trim(n)=`5`"),
            ("${empty password}", "password=`********`"),
            (
                "${concat(password, 'x') == 'y'}",
                "concat(password, 'x')=`********x`",
            ),
            ("${fs:exists('/x')}", ""),
            ("${nowhere == 1 || n == 5}", "n=`5`"),
            ("true", ""),
        ] {
            let found = find(source, &scope);
            let found: Vec<String> = found
                .iter()
                .map(|(text, value)| format!("{text}={value}"))
                .collect();
            assert_eq!(found.join(" "), expected, "{source}");
        }
    }
}
