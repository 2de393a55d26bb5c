//! Names without quotes: `wf:conf(day)`, `wf:actionData(count)[rows]`, `coord:dataIn(logs)`. They are read as properties, which nothing
//! defines, or whose values are no names.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::el::{
    ast::{Expr, ExprKind, Part},
    inference,
    types::Type,
};

use super::{
    DocumentProperties,
    reads::{PropertyRead, TypeHint},
};
use crate::{
    analysis::{
        event_functions,
        templates::{SoundForms, TemplateUse},
    },
    diagnostics::Sink,
    lints::unquoted_names::{MeantName, UnquotedName},
    source::Span,
};

/// What a function expects where a name has no quotes.
enum Expected {
    Property,
    Key,
    /// A node, or an event.
    Named,
    DatePattern,
    TimeUnit,
}

/// A name without quotes that may be the value of a known property.
struct Suspect<'a> {
    place: Span,
    name: &'a str,
    meant: MeantName,
}

/// What is known of a property.
pub(super) enum KnownValue<'a> {
    Undefined,
    /// The value, unless a job can have another one.
    Certain(&'a str),
    /// A value that may be replaced.
    Default(&'a str),
    Unknown,
}

/// Reports names without quotes, and returns their places, in order.
pub(super) fn check<'v>(
    app: &DocumentProperties<'_>,
    uses: &[TemplateUse<'_>],
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    value_of: &dyn Fn(&str) -> KnownValue<'v>,
    sink: &mut Sink,
) -> BTreeSet<Span> {
    let mut found = Vec::new();
    let mut suspects = Vec::new();
    let mut sound = SoundForms::default();
    for template_use in uses {
        if sound.contains(template_use.form) {
            continue;
        }
        let n_before = (found.len(), suspects.len());
        let text = &template_use.template.text;
        for expr in template_use.template.ast.expressions() {
            walk(expr, app.conf, &mut |expr, expected| {
                let range = expr.range.start..expr.range.end;
                let Some(written) = text.as_str().get(range.clone()) else {
                    return;
                };
                let variable = match &expr.kind {
                    ExprKind::Variable(name) => Some(name.as_str()),
                    _ => None,
                };
                if variable.is_some_and(|name| template_use.phase.constant(name).is_some()) {
                    return;
                }
                let Some(meant) = meant(app, &expected, written, variable.is_some()) else {
                    return;
                };
                let place = text.span_of(range);
                let is_new =
                    variable.is_none_or(|name| matches!(value_of(name), KnownValue::Undefined));
                match variable {
                    Some(name) if !is_new => suspects.push(Suspect { place, name, meant }),
                    _ => found.push(UnquotedName {
                        place,
                        name: written.to_owned(),
                        meant,
                    }),
                }
            });
        }
        if n_before == (found.len(), suspects.len()) {
            sound.insert(template_use.form);
        }
    }
    if !suspects.is_empty() {
        let paths = paths(uses, reads, &suspects);
        suspects.retain(|suspect| is_no_name(app, suspect, &paths, value_of));
        found.extend(suspects.into_iter().map(|suspect| UnquotedName {
            place: suspect.place,
            name: suspect.name.to_owned(),
            meant: suspect.meant,
        }));
    }
    let places = found.iter().map(|found| found.place).collect();
    for found in found {
        sink.emit(found);
    }
    places
}

/// Whether the value of a known property is certainly no name of what the function expects.
fn is_no_name<'v>(
    app: &DocumentProperties<'_>,
    suspect: &Suspect<'_>,
    paths: &BTreeSet<&str>,
    value_of: &dyn Fn(&str) -> KnownValue<'v>,
) -> bool {
    let is_name = |value: &str| match suspect.meant {
        MeantName::Property(_) => !matches!(value_of(value), KnownValue::Undefined),
        MeantName::Node(_) | MeantName::Event(_) => (app.named)(value).is_some(),
        MeantName::Key | MeantName::DatePattern | MeantName::TimeUnit => true,
    };
    let is_about_names = matches!(
        suspect.meant,
        MeantName::Property(_) | MeantName::Node(_) | MeantName::Event(_)
    );
    let cannot_be_name = |value: &str| value.contains(['/', ':', ' ']) && !is_name(value);
    match value_of(suspect.name) {
        KnownValue::Certain(value) if !value.contains("${") => !is_name(value),
        KnownValue::Default(value) if !value.contains("${") && cannot_be_name(value) => true,
        _ => is_about_names && paths.contains(suspect.name),
    }
}

/// The suspects that are read as paths or numbers elsewhere: they hold no names.
fn paths<'a>(
    uses: &[TemplateUse<'_>],
    reads: &BTreeMap<String, Vec<PropertyRead>>,
    suspects: &[Suspect<'a>],
) -> BTreeSet<&'a str> {
    let names: BTreeSet<&str> = suspects.iter().map(|suspect| suspect.name).collect();
    let is_hinted = |name: &str| {
        let mut hints = reads
            .get(name)
            .into_iter()
            .flatten()
            .filter_map(|read| read.hint);
        hints.any(|hint| hint != TypeHint::Text)
    };
    let mut paths: BTreeSet<&'a str> = names
        .iter()
        .copied()
        .filter(|name| is_hinted(name))
        .collect();
    for template_use in uses {
        for pair in template_use.template.ast.parts.windows(2) {
            if let [Part::Expr(expr), Part::Text(rest, _)] = pair
                && rest.starts_with('/')
                && let ExprKind::Variable(name) = &expr.kind
                && let Some(name) = names.get(name.as_str())
            {
                paths.insert(name);
            }
        }
    }
    paths
}

/// What the text is probably meant to be; `None` if nothing says that it is a name.
fn meant(
    app: &DocumentProperties<'_>,
    expected: &Expected,
    written: &str,
    is_variable: bool,
) -> Option<MeantName> {
    match expected {
        Expected::Property => is_variable.then(|| MeantName::Property(app.conf.to_owned())),
        Expected::Key => is_variable.then_some(MeantName::Key),
        Expected::Named => {
            let place = (app.named)(written)?;
            Some(match app.conf {
                "wf:conf" => MeantName::Node(place),
                _ => MeantName::Event(place),
            })
        }
        Expected::DatePattern => is_date_pattern(written).then_some(MeantName::DatePattern),
        Expected::TimeUnit => {
            const UNITS: [&str; 5] = ["YEAR", "MONTH", "DAY", "HOUR", "MINUTE"];
            UNITS.contains(&written).then_some(MeantName::TimeUnit)
        }
    }
}

/// Whether it has letters of date patterns alone, such as `yyyy-MM-dd`.
fn is_date_pattern(written: &str) -> bool {
    let is_sign = |byte: u8| matches!(byte, b'y' | b'M' | b'd' | b'H' | b'h' | b'm' | b's' | b'S');
    written
        .bytes()
        .all(|byte| is_sign(byte) || matches!(byte, b'-' | b'/' | b'.' | b' '))
        && ["yy", "MM", "dd", "HH"]
            .iter()
            .any(|it| written.contains(it))
}

/// The arguments of a function that are names, by their positions.
fn names_of(prefix: &str, name: &str) -> Option<(usize, Expected)> {
    match (prefix, name) {
        (
            "wf",
            "actionData"
            | "errorCode"
            | "errorMessage"
            | "transition"
            | "actionExternalId"
            | "actionTrackerUri"
            | "actionExternalStatus",
        )
        | ("hadoop", "counters") => Some((0, Expected::Named)),
        ("coord", name) if event_functions::asks(name).is_some() => Some((0, Expected::Named)),
        ("coord", "formatTime") => Some((1, Expected::DatePattern)),
        ("coord", "dateOffset") => Some((2, Expected::TimeUnit)),
        (_, _) => None,
    }
}

fn walk<'a>(expr: &'a Expr, conf: &str, found: &mut dyn FnMut(&'a Expr, Expected)) {
    match &expr.kind {
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } => {
            if conf.split_once(':') == Some((prefix, name))
                && let [argument] = args.as_slice()
            {
                found(argument, Expected::Property);
            } else if let Some((at, expected)) = names_of(prefix, name)
                && let Some(argument) = args.get(at)
                && is_name_like(argument)
            {
                found(argument, expected);
            }
        }
        ExprKind::Index { base, index } => {
            if inference::infer(base) == Type::Map {
                found(index, Expected::Key);
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

/// Whether the expression may be a name: `load`, `load-data`, `load.data`, `yyyy/MM`.
fn is_name_like(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Variable(_) | ExprKind::Binary { .. } | ExprKind::Property { .. }
    )
}
