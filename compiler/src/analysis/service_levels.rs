//! SLA blocks: times that Oozie rejects, and unknown events. Oozie reads blocks of both versions (`XmlUtils.getSLAElement`).

use hpdlc_core::{
    el::{ast::Part, inference, value::Value},
    sla::{SlaEvent, SlaFault, minutes, nominal_time, split_alert_events},
};

use crate::{
    analysis::known::{KnownJob, KnownText},
    diagnostics::{Code, Sink, nearest},
    lints::unknown_alert_events::UnknownAlertEvent,
    model::{Sla, Template, WorkflowApp},
};

mod invalid_sla_time;

use self::invalid_sla_time::InvalidSlaTime;

pub static CODES: &[&Code] = &[&invalid_sla_time::CODE];

/// Checks the blocks of the workflow and of its actions.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    let of_actions = app.actions().filter_map(|(_, action)| action.sla.as_ref());
    for sla in of_actions.chain(&app.sla) {
        check_block(sla, &literal, sink);
    }
}

/// Checks the block of a coordinator's action, with the properties that are known. Oozie evaluates it once for each action
/// (`CoordMaterializeTransitionXCommand`), so what depends on the action has no known value here.
pub(in crate::analysis) fn check_of_coordinator(sla: &Sla, known: &KnownJob<'_>, sink: &mut Sink) {
    let known = known.with_constants(&[("MINUTES", "1"), ("HOURS", "60"), ("DAYS", "1440")]);
    check_block(sla, &|template| known.text(template), sink);
}

/// Returns the value of a text, if it is known.
type ValueOf<'v> = &'v dyn Fn(&Template) -> Option<KnownText>;

fn check_block(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    times(sla, value_of, sink);
    alert_events(sla, value_of, sink);
}

/// Reports invalid times, as Oozie does when the job starts (`SLAOperations.createSlaRegistrationEvent`).
fn times(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    for (element, time) in [
        ("nominal-time", &sla.texts.nominal_time),
        ("should-start", &sla.texts.should_start),
        ("should-end", &sla.texts.should_end),
        ("max-duration", &sla.texts.max_duration),
    ] {
        let Some((time, text)) = time.as_ref().and_then(|time| Some((time, value_of(time)?)))
        else {
            continue;
        };
        let KnownText { value, origin } = text;
        let may_be_empty = element == "max-duration";
        let fault = match element {
            "nominal-time" => nominal_time(&value).err(),
            _ if may_be_empty && value.trim().is_empty() => None,
            _ => match minutes(&value) {
                Ok(..0) if element != "max-duration" => Some(SlaFault::Negative),
                Ok(_) => None,
                Err(fault) => Some(fault),
            },
        };
        if let Some(fault) = fault {
            sink.emit(InvalidSlaTime {
                element,
                text: value,
                fault,
                place: time.span,
                is_written: time.literal().is_some(),
                origin,
            });
        }
    }
}

/// Reports unknown events, which Oozie treats as `end_miss` (trap T58 of the semantics reference).
fn alert_events(sla: &Sla, value_of: ValueOf<'_>, sink: &mut Sink) {
    let Some((events, template)) = sla
        .texts
        .alert_events
        .as_ref()
        .and_then(|template| Some((value_of(template)?, template)))
    else {
        return;
    };
    let is_written = template.literal().is_some();
    let mut start = 0;
    for (written, event) in split_alert_events(&events.value) {
        let name = written.trim();
        if event.is_none() && !name.is_empty() {
            let at = start + (written.len() - written.trim_start().len());
            let known = SlaEvent::ALL.map(|event| event.name().to_ascii_lowercase());
            let known = known.iter().map(String::as_str);
            sink.emit(UnknownAlertEvent {
                name: name.to_owned(),
                place: match is_written {
                    true => template.text.span_of(at..at + name.len()),
                    false => template.span,
                },
                is_written,
                similar: nearest(&name.to_ascii_lowercase(), known).map(str::to_owned),
            });
        }
        start += written.len() + 1;
    }
}

/// The text, if it has no expressions.
fn literal(template: &Template) -> Option<KnownText> {
    if template.is_invalid {
        return None;
    }
    let value = match template.literal() {
        Some(text) => text.to_owned(),
        None => constant(template)?,
    };
    Some(KnownText {
        value,
        origin: None,
    })
}

/// The value of a text whose expressions are all constant, such as `${true}`.
fn constant(template: &Template) -> Option<String> {
    let parts = template.ast.parts.iter().map(|part| match part {
        Part::Text(text, _) => Some(text.clone()),
        Part::Expr(expr) => inference::fold(expr).map(Value::into_text),
    });
    parts.collect()
}

#[cfg(test)]
mod tests;
