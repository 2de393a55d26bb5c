//! The texts that specify instances: one function each, where it is allowed, with the arguments that it takes.

use std::collections::BTreeSet;

use hpdlc_core::{
    el::ast::{Expr, ExprKind, Literal, Part},
    time::TimeUnit,
};

use crate::{
    analysis::{
        coordinator::schedule,
        el_calls::{WrittenCall, calls},
        known::KnownJob,
    },
    diagnostics::{Sink, nearest},
    model::{CoordinatorApp, Template, coordinator::Instances},
    source::Span,
};

pub(super) mod invalid_instance_argument;
pub(super) mod invalid_instance_range;
pub(super) mod misplaced_instance_function;
pub(super) mod several_instances;

use self::{
    invalid_instance_argument::InvalidInstanceArgument,
    invalid_instance_range::{InstanceRange, InvalidInstanceRange},
    misplaced_instance_function::MisplacedInstanceFunction,
    several_instances::{InstanceShape, SeveralInstances},
};

/// The kinds of functions that specify instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum InstanceFunction {
    Current,
    Offset,
    Latest,
    Future,
    Absolute,
    EndOf,
}

/// Where a text occurs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum InstanceUse {
    Input,
    Output,
    Range,
}

pub(super) fn check(app: &CoordinatorApp, known: &KnownJob<'_>, sink: &mut Sink) {
    for event in &app.input_events {
        match &event.instances {
            Instances::Each(instances) => {
                for instance in instances {
                    check_text(instance, "instance", InstanceUse::Input, known, sink);
                }
            }
            Instances::Range { start, end } => {
                check_text(start, "start-instance", InstanceUse::Range, known, sink);
                check_text(end, "end-instance", InstanceUse::Range, known, sink);
                check_range(start, end, known, sink);
            }
        }
    }
    for event in &app.output_events {
        for instance in &event.instances {
            check_text(instance, "instance", InstanceUse::Output, known, sink);
        }
    }
}

/// The kinds of the functions of a text. More than one if it depends on a condition.
pub(super) fn kinds(template: &Template) -> BTreeSet<InstanceFunction> {
    let mut kinds = BTreeSet::new();
    for expr in template.ast.expressions() {
        calls(expr, &mut |call| kinds.extend(kind(call)));
    }
    kinds
}

fn kind(call: &WrittenCall<'_>) -> Option<InstanceFunction> {
    match call.coord_name()? {
        "current" | "currentRange" => Some(InstanceFunction::Current),
        "offset" => Some(InstanceFunction::Offset),
        "latest" | "latestRange" => Some(InstanceFunction::Latest),
        "future" | "futureRange" => Some(InstanceFunction::Future),
        "absolute" => Some(InstanceFunction::Absolute),
        "endOfDays" | "endOfWeeks" | "endOfMonths" => Some(InstanceFunction::EndOf),
        _ => None,
    }
}

fn check_text(
    template: &Template,
    element: &'static str,
    place: InstanceUse,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    if template.is_invalid {
        return;
    }
    if let Some(problem) = shape(template) {
        sink.emit(SeveralInstances {
            place: template.span,
            element,
            problem,
        });
        return;
    }
    if template.literal().is_some() {
        schedule::date(template, "an instance", known, sink);
    }
    for expr in template.ast.expressions() {
        calls(expr, &mut |call| {
            let Some(kind) = kind(call) else {
                return;
            };
            let is_misplaced = match place {
                InstanceUse::Input => {
                    matches!(kind, InstanceFunction::Absolute | InstanceFunction::EndOf)
                }
                InstanceUse::Output => {
                    kind != InstanceFunction::Current && kind != InstanceFunction::Offset
                }
                InstanceUse::Range => false,
            };
            if is_misplaced {
                sink.emit(MisplacedInstanceFunction {
                    place: template.text.span_of(call.range.clone()),
                    function: call.full_name(),
                    is_output: matches!(kind, InstanceFunction::Latest | InstanceFunction::Future),
                });
            } else {
                check_arguments(template, call, kind, known, sink);
            }
        });
    }
}

/// What a text specifies instead of one instance.
fn shape(template: &Template) -> Option<InstanceShape> {
    let parts = &template.ast.parts;
    if template.text.is_blank() {
        return Some(InstanceShape::Nothing);
    }
    let is_separator = |part: &Part| match part {
        Part::Text(text, _) => text.contains([',', '#']),
        Part::Expr(_) => false,
    };
    if parts.iter().any(is_separator) {
        return Some(InstanceShape::Several);
    }
    let gives_instance = |expr: &Expr| {
        let mut gives = false;
        calls(expr, &mut |call| gives |= kind(call).is_some());
        gives
    };
    let n_instances = template
        .ast
        .expressions()
        .filter(|expr| gives_instance(expr))
        .count();
    match n_instances {
        0 => None,
        1 if parts.len() == 1 => None,
        1 => Some(InstanceShape::TextAround),
        _ => Some(InstanceShape::Several),
    }
}

fn check_arguments(
    template: &Template,
    call: &WrittenCall<'_>,
    kind: InstanceFunction,
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    let span = |expr: &Expr| template.text.span_of(expr.range.start..expr.range.end);
    let mut wrong = |expr: &Expr, problem: String, similar: Option<String>| {
        sink.emit(InvalidInstanceArgument {
            place: span(expr),
            function: call.full_name(),
            problem,
            similar,
        });
    };
    match (kind, call.args) {
        (InstanceFunction::Latest, indices) => {
            for index in indices {
                if let Some(n @ 1..) = known.number(index) {
                    let problem = format!(
                        "expected 0 or below, found {n}: it counts back from the newest instance"
                    );
                    wrong(index, problem, None);
                }
            }
        }
        (InstanceFunction::Future, [indices @ .., limit]) => {
            for index in indices {
                if let Some(n @ ..0) = known.number(index) {
                    wrong(index, format!("expected 0 or above, found {n}"), None);
                }
            }
            if let Some(n @ ..=0) = known.number(limit) {
                wrong(limit, format!("expected a limit above 0, found {n}"), None);
            }
        }
        (InstanceFunction::Offset, [_, unit]) => {
            if let Some(name) = known.value(unit).map(|value| value.into_text())
                && !is_unit(&name)
            {
                let similar = nearest(&name, TimeUnit::ALL.map(TimeUnit::name)).or_else(|| {
                    TimeUnit::ALL.map(TimeUnit::name).into_iter().find(|known| {
                        let upper = name.to_ascii_uppercase();
                        upper.strip_suffix('S') == Some(*known) || upper == *known
                    })
                });
                let is_literal = matches!(&unit.kind, ExprKind::Literal(Literal::Text(_)));
                wrong(
                    unit,
                    format!("`{name}` is no unit of time"),
                    similar
                        .filter(|_| is_literal)
                        .map(|unit| format!("\"{unit}\"")),
                );
            }
        }
        (InstanceFunction::Absolute, [date]) => {
            if let Some(text) = known.value(date).map(|value| value.into_text())
                && let Err(error) = known.zone().unwrap_or_default().read(&text)
                // If the zone is unknown, other endings may be correct.
                && (known.zone().is_some() || text.trim().ends_with('Z'))
            {
                wrong(date, error.to_string(), None);
            }
        }
        (
            InstanceFunction::Current
            | InstanceFunction::Future
            | InstanceFunction::Offset
            | InstanceFunction::Absolute
            | InstanceFunction::EndOf,
            _,
        ) => {}
    }
}

/// Units of time, and the `END_OF` units that Oozie's enumeration has too.
fn is_unit(name: &str) -> bool {
    TimeUnit::ALL.iter().any(|unit| unit.name() == name)
        || ["END_OF_DAY", "END_OF_WEEK", "END_OF_MONTH", "CRON", "NONE"].contains(&name)
}

fn check_range(start: &Template, end: &Template, known: &KnownJob<'_>, sink: &mut Sink) {
    let (Some((first, first_call)), Some((last, last_call))) = (only_call(start), only_call(end))
    else {
        return;
    };
    let mut wrong = |problem| {
        sink.emit(InvalidInstanceRange {
            start: start.span,
            end: end.span,
            problem,
        });
    };
    let is_matching = match first {
        InstanceFunction::Current
        | InstanceFunction::Offset
        | InstanceFunction::Latest
        | InstanceFunction::Future => last == first,
        InstanceFunction::Absolute | InstanceFunction::EndOf => last == InstanceFunction::Current,
    };
    if !is_matching {
        wrong(InstanceRange::Mixed {
            start: first_call.full_name(),
            end: last_call.full_name(),
        });
        return;
    }
    if let (Some(first_at), Some(last_at)) = (
        position(first, &first_call, known),
        position(last, &last_call, known),
    ) && first == last
        && first_at.0 == last_at.0
        && first_at.1 > last_at.1
    {
        wrong(InstanceRange::Backwards);
    }
}

/// The single call that specifies instances, if the text consists of nothing else.
pub(super) fn only_call(template: &Template) -> Option<(InstanceFunction, WrittenCall<'_>)> {
    let [Part::Expr(expr)] = template.ast.parts.as_slice() else {
        return None;
    };
    let ExprKind::Call {
        prefix,
        name,
        name_range,
        args,
    } = &expr.kind
    else {
        return None;
    };
    let call = WrittenCall {
        prefix: prefix.as_deref(),
        name,
        range: name_range.start..name_range.end,
        args,
    };
    Some((kind(&call)?, call))
}

/// The offset of a call, and its unit: comparable with another of the same unit.
pub(super) fn position(
    kind: InstanceFunction,
    call: &WrittenCall<'_>,
    known: &KnownJob<'_>,
) -> Option<(TimeUnit, i64)> {
    let n = known.number(call.args.first()?)?;
    if kind != InstanceFunction::Offset {
        return Some((TimeUnit::Minute, n));
    }
    let name = known.value(call.args.get(1)?)?.into_text();
    let unit = TimeUnit::ALL.into_iter().find(|unit| unit.name() == name)?;
    // Units of fixed length, and calendar units.
    let (base, factor) = match unit {
        TimeUnit::Minute => (TimeUnit::Minute, 1),
        TimeUnit::Hour => (TimeUnit::Minute, 60),
        TimeUnit::Day => (TimeUnit::Day, 1),
        TimeUnit::Week => (TimeUnit::Day, 7),
        TimeUnit::Month => (TimeUnit::Month, 1),
        TimeUnit::Year => (TimeUnit::Month, 12),
    };
    Some((base, n.checked_mul(factor)?))
}

/// The number of instances of an event, if known, and the place of one that is searched for.
pub(super) fn count(instances: &Instances, known: &KnownJob<'_>) -> (Option<i64>, Option<Span>) {
    let searched = instances
        .texts()
        .into_iter()
        .find(|text| {
            let kinds = kinds(text);
            kinds.contains(&InstanceFunction::Latest) || kinds.contains(&InstanceFunction::Future)
        })
        .map(|text| text.span);
    let count = match instances {
        Instances::Each(instances) => i64::try_from(instances.len()).ok(),
        Instances::Range { start, end } => match (only_call(start), only_call(end)) {
            (Some((InstanceFunction::Current, first)), Some((InstanceFunction::Current, last))) => {
                let number = |call: &WrittenCall<'_>| known.number(call.args.first()?);
                number(&last)
                    .zip(number(&first))
                    .and_then(|(last, first)| last.checked_sub(first)?.checked_add(1))
            }
            (_, _) => None,
        },
    };
    (count, searched)
}
