//! SLA blocks: times that Oozie refuses, and events that there are not.
//!
//! Only of version 0.2: what read those of version 0.1 was no part of Oozie.

use crate::{
    analysis::coordinator::{Known, KnownText},
    diagnostics::{Code, Sink, nearest},
    lints::unknown_alert_events::UnknownAlertEvent,
    model::{Sla, Template, WorkflowApp},
};

mod invalid_sla_time;

use self::invalid_sla_time::{InvalidSlaTime, SlaTimeFault};

pub static CODES: &[&Code] = &[&invalid_sla_time::CODE];

/// Checks the blocks of the workflow and of its actions.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    let of_actions = app.actions().filter_map(|(_, action)| action.sla.as_ref());
    for sla in of_actions.chain(&app.sla) {
        check_block(sla, &literal, sink);
    }
}

/// Checks the block of a coordinator's action, with the properties that are known. Oozie evaluates it once for each action
/// (`CoordMaterializeTransitionXCommand`), so what depends on the action has no value here.
pub(in crate::analysis) fn check_of_coordinator(sla: &Sla, known: &Known<'_>, sink: &mut Sink) {
    let known = known.with_constants(&[("MINUTES", "1"), ("HOURS", "60"), ("DAYS", "1440")]);
    check_block(sla, &|template| known.text(template), sink);
}

/// Finds the value of a text, where it is known.
type ValueOf<'v> = &'v dyn Fn(&Template) -> Option<KnownText>;

fn check_block(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    if !sla.is_version_0_1 {
        times(sla, value_of, sink);
        alert_events(sla, value_of, sink);
    }
}

/// Reports times that are none (`SLAOperations.createSlaRegistrationEvent`).
fn times(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    let mut report = |element: &'static str, time: &Template, text, fault: SlaTimeFault| {
        let KnownText { value, origin } = text;
        sink.emit(InvalidSlaTime {
            element,
            text: value,
            fault,
            place: time.span,
            is_written: time.literal().is_some(),
            origin,
        });
    };
    if let Some(time) = &sla.nominal_time
        && let Some(text) = value_of(time)
        && !is_date(&text.value)
    {
        report("nominal-time", time, text, SlaTimeFault::Date);
    }
    for (element, time, may_be_negative) in [
        ("should-start", &sla.should_start, false),
        ("should-end", &sla.should_end, false),
        ("max-duration", &sla.max_duration, true),
    ] {
        let Some((time, text)) = time.as_ref().and_then(|time| Some((time, value_of(time)?)))
        else {
            continue;
        };
        match text.value.parse::<f64>() {
            Ok(minutes) if minutes < 0.0 && !may_be_negative => {
                report(element, time, text, SlaTimeFault::Negative);
            }
            Ok(_) => {}
            Err(_) => report(element, time, text, SlaTimeFault::Minutes),
        }
    }
}

/// `2026-11-20T00:00Z`, or with an offset such as `+0530` where the server's time zone has one. Fewer digits pass, as they do
/// with Java's lenient reader.
fn is_date(text: &str) -> bool {
    let mut rest = text;
    for separator in ["-", "-", "T", ":"] {
        let Some((number, after)) = rest.split_once(separator) else {
            return false;
        };
        if !is_number(number) {
            return false;
        }
        rest = after;
    }
    if let Some(minutes) = rest.strip_suffix('Z') {
        return is_number(minutes);
    }
    rest.split_once(['+', '-'])
        .is_some_and(|(minutes, offset)| {
            is_number(minutes) && offset.len() == 4 && is_number(offset)
        })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Reports events that Oozie takes for `end_miss` (trap T58 of the semantics reference).
fn alert_events(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    const EVENTS: [&str; 6] = [
        "start_miss",
        "end_miss",
        "duration_miss",
        "start_met",
        "end_met",
        "duration_met",
    ];
    let Some((events, template)) = sla
        .alert_events
        .as_ref()
        .and_then(|template| Some((value_of(template)?, template)))
    else {
        return;
    };
    let is_written = template.literal().is_some();
    let mut start = 0;
    for event in events.value.split(',') {
        let name = event.trim();
        let is_known = EVENTS.iter().any(|known| known.eq_ignore_ascii_case(name));
        if !is_known && !name.is_empty() {
            let at = start + (event.len() - event.trim_start().len());
            sink.emit(UnknownAlertEvent {
                name: name.to_owned(),
                place: match is_written {
                    true => template.text.span_of(at..at + name.len()),
                    false => template.span,
                },
                is_written,
                similar: nearest(&name.to_ascii_lowercase(), EVENTS).map(str::to_owned),
            });
        }
        start += event.len() + 1;
    }
}

/// A text that holds no expression.
fn literal(template: &Template) -> Option<KnownText> {
    if template.is_invalid {
        return None;
    }
    Some(KnownText {
        value: template.literal()?.to_owned(),
        origin: None,
    })
}

#[cfg(test)]
mod tests;
