//! One JSON object per line.

use std::io::Write;

use hpdlc_core::coordinator::{ActionData, DataEvent, EventInstances};

use super::{ListingStop, ListingWindow};
use crate::driver::application::Scheduled;

pub(super) fn write(
    listed: &[Scheduled],
    window: ListingWindow,
    out: &mut impl Write,
) -> Result<(), ListingStop> {
    let mut line = String::new();
    for scheduled in listed {
        let coordinator = &scheduled.coordinator;
        let zone = coordinator.schedule.processing_zone;
        let of_bundle = scheduled
            .bundled_as
            .as_ref()
            .map_or_else(String::new, |name| {
                format!("\"coordinator\":{},", quoted(name))
            });
        let has_data = !coordinator.inputs.is_empty() || !coordinator.outputs.is_empty();
        let unknown_inputs = unknown(&scheduled.unknown_inputs, !coordinator.inputs.is_empty());
        let unknown_outputs = unknown(&scheduled.unknown_outputs, !coordinator.outputs.is_empty());
        for action in window.actions(scheduled) {
            line.clear();
            line.push('{');
            line.push_str(&of_bundle);
            line.push_str("\"number\":");
            line.push_str(&action.number.to_string());
            line.push_str(",\"nominal_time\":\"");
            zone.write_to(&mut line, action.time);
            line.push_str("\",\"inputs\":{");
            let data = if has_data {
                super::data_of(scheduled, action)?
            } else {
                ActionData::default()
            };
            events(&mut line, &coordinator.inputs, &data.inputs);
            line.push_str(&unknown_inputs);
            line.push_str("},\"outputs\":{");
            events(&mut line, &coordinator.outputs, &data.outputs);
            line.push_str(&unknown_outputs);
            line.push_str("}}\n");
            out.write_all(line.as_bytes())?;
        }
    }
    Ok(())
}

/// Events whose datasets are unknown, after `has_others`.
fn unknown(names: &[String], has_others: bool) -> String {
    let mut text = String::new();
    for name in names {
        if has_others || !text.is_empty() {
            text.push(',');
        }
        text.push_str(&format!("{}:null", quoted(name)));
    }
    text
}

fn events(line: &mut String, events: &[DataEvent], instances: &[EventInstances]) {
    for (at, (event, instances)) in events.iter().zip(instances).enumerate() {
        if at > 0 {
            line.push(',');
        }
        line.push_str(&quoted(&event.name));
        line.push(':');
        let Some(uris) = instances.uris(&event.dataset) else {
            line.push_str("null");
            continue;
        };
        line.push('[');
        for (at, uri) in uris.iter().enumerate() {
            if at > 0 {
                line.push(',');
            }
            line.push_str(&quoted(uri));
        }
        line.push(']');
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
