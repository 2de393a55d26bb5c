//! A table for people: times with their weekdays, in the processing time zone and in the coordinator's own.

use std::io::Write;

use chrono::{DateTime, Duration, FixedOffset, NaiveTime, Utc};
use hpdlc_core::{
    coordinator::{DataEvent, EventInstances, Schedule},
    frequency::Frequency,
    time::TimeUnit,
};

use super::{ListingStop, ListingWindow};
use crate::driver::application::Scheduled;

/// The number of URIs of an event that are shown in full; of more, only the first and the last.
const MOST_URIS: usize = 6;

pub(super) fn write(
    listed: &[Scheduled],
    window: ListingWindow,
    out: &mut impl Write,
) -> Result<(), ListingStop> {
    for (at, scheduled) in listed.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        coordinator(scheduled, window, out)?;
    }
    Ok(())
}

fn coordinator(
    scheduled: &Scheduled,
    window: ListingWindow,
    out: &mut impl Write,
) -> Result<(), ListingStop> {
    let coordinator = &scheduled.coordinator;
    let schedule = &coordinator.schedule;
    let zone = schedule.processing_zone;
    writeln!(
        out,
        "{}: {}, from {} until {}",
        coordinator.name,
        frequency(scheduled),
        zone.write(schedule.start),
        zone.write(schedule.end),
    )?;
    let has_local = has_local(schedule);
    let usual_time = usual_time(schedule);
    let mut n_listed = 0;
    let mut last_offset: Option<FixedOffset> = None;
    let mut last_number = 0;
    for action in window.actions(scheduled) {
        if n_listed == 0 {
            writeln!(out)?;
        }
        let in_zone = action.time.with_timezone(&zone.offset());
        let mut line = format!(
            "{:>6}  {}{}",
            grouped(action.number),
            in_zone.format("%a %Y-%m-%d %H:%M"),
            zone.ending()
        );
        if has_local {
            let offset = schedule.zone.offset_at(action.time);
            let local = action.time.with_timezone(&offset);
            line.push_str(&format!("   {}", local.format("%a %Y-%m-%d %H:%M %:z")));
            let changed = last_offset.and_then(|last| change(last, offset));
            let skipped = usual_time
                .filter(|usual| *usual != local.time())
                .map(|usual| format!("({} is skipped)", usual.format("%H:%M")));
            for note in [changed, skipped].into_iter().flatten() {
                line.push_str(&format!("  {note}"));
            }
            last_offset = Some(offset);
        }
        writeln!(out, "{line}")?;
        if !coordinator.inputs.is_empty() || !coordinator.outputs.is_empty() {
            let data = super::data_of(scheduled, action)?;
            events(out, "<-", &coordinator.inputs, &data.inputs)?;
            events(out, "->", &coordinator.outputs, &data.outputs)?;
        }
        for (arrow, names) in [
            ("<-", &scheduled.unknown_inputs),
            ("->", &scheduled.unknown_outputs),
        ] {
            for name in names {
                writeln!(out, "        {arrow} {name}  not known")?;
            }
        }
        n_listed += 1;
        last_number = action.number;
    }
    let n_all = schedule.count_before(schedule.end);
    writeln!(out)?;
    writeln!(out, "{}", summary(n_listed, n_all, last_number))?;
    Ok(())
}

fn summary(n_listed: u64, n_all: u64, last_number: u64) -> String {
    let actions = |n: u64| match n {
        1 => "1 action".to_owned(),
        n => format!("{} actions", grouped(n)),
    };
    match (n_listed, n_all) {
        (_, 0) => "no actions: the coordinator would end at once".to_owned(),
        (0, n_all) => format!("none of {} in this time", actions(n_all)),
        (n_listed, n_all) if n_listed == n_all => format!("{} in all", actions(n_all)),
        (n_listed, n_all) if last_number < n_all => {
            format!(
                "{} of {}; -n and --to list more",
                grouped(n_listed),
                actions(n_all)
            )
        }
        (n_listed, n_all) => format!("{} of {}", grouped(n_listed), actions(n_all)),
    }
}

/// Whether the coordinator's local time ever differs from that of the processing time zone.
fn has_local(schedule: &Schedule) -> bool {
    let own = schedule.processing_zone.offset();
    let end = schedule.end.min(schedule.start + Duration::days(2 * 366));
    schedule.zone.offset_at(schedule.start) != own || schedule.zone.has_changes(schedule.start, end)
}

/// The local time of each action for an interval of days or more, except where a time change skips it.
fn usual_time(schedule: &Schedule) -> Option<NaiveTime> {
    let Frequency::Every(interval) = &schedule.frequency else {
        return None;
    };
    let origin = interval.origin(schedule.start, schedule.zone)?;
    (interval.unit > TimeUnit::Hour).then(|| schedule.zone.local(origin).time())
}

/// The time change between two actions.
fn change(before: FixedOffset, after: FixedOffset) -> Option<String> {
    let minutes = (after.local_minus_utc() - before.local_minus_utc()) / 60;
    let direction = match minutes {
        0 => return None,
        1.. => "forward",
        _ => "back",
    };
    let minutes = minutes.abs();
    Some(format!(
        "(clocks {direction} by {}:{:02} h)",
        minutes / 60,
        minutes % 60
    ))
}

fn events(
    out: &mut impl Write,
    arrow: &str,
    events: &[DataEvent],
    instances: &[EventInstances],
) -> Result<(), ListingStop> {
    for (event, instances) in events.iter().zip(instances) {
        let name = &event.name;
        let Some(uris) = instances.uris(&event.dataset) else {
            writeln!(
                out,
                "        {arrow} {name}  depends on the data that is there"
            )?;
            continue;
        };
        if uris.is_empty() {
            writeln!(
                out,
                "        {arrow} {name}  nothing: before the first instance, {}",
                first_instance(event)
            )?;
        }
        let n_hidden = if uris.len() > MOST_URIS {
            uris.len() - 2
        } else {
            0
        };
        let blank = " ".repeat(name.chars().count());
        for (at, uri) in uris.iter().enumerate() {
            let shown_name = if at == 0 { name } else { &blank };
            let arrow = if at == 0 { arrow } else { "  " };
            if n_hidden == 0 || at == 0 || at == uris.len() - 1 {
                writeln!(out, "        {arrow} {shown_name}  {uri}")?;
            } else if at == 1 {
                writeln!(out, "        {arrow} {shown_name}  ... {n_hidden} more ...")?;
            }
        }
    }
    Ok(())
}

fn first_instance(event: &DataEvent) -> String {
    let first: DateTime<Utc> = event.dataset.first;
    event.dataset.processing_zone.write(first)
}

/// The frequency in words, with the zone whose days it counts.
fn frequency(scheduled: &Scheduled) -> String {
    let schedule = &scheduled.coordinator.schedule;
    match &schedule.frequency {
        Frequency::Every(interval) => {
            let place = schedule.zone.place().map(str::to_owned);
            let is_by_clocks = interval.unit > TimeUnit::Hour;
            match place {
                Some(place) if is_by_clocks => format!("{interval} in {place}"),
                Some(_) | None => interval.to_string(),
            }
        }
        cron @ Frequency::Cron(_) => {
            let zone = schedule.processing_zone;
            let place = if zone.is_utc() {
                "UTC".to_owned()
            } else {
                format!("GMT{}", zone.ending())
            };
            format!("{cron} in {place}")
        }
    }
}

/// A number with separated thousands.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        for (number, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (525_600, "525,600"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(grouped(number), expected);
        }
    }

    #[test]
    fn changes_of_clocks_are_told() {
        let offset = |minutes: i32| FixedOffset::east_opt(minutes * 60).expect("is below a day");
        for (before, after, expected) in [
            (-480, -420, Some("(clocks forward by 1:00 h)")),
            (660, 630, Some("(clocks back by 0:30 h)")),
            (-600, 840, Some("(clocks forward by 24:00 h)")),
            (60, 60, None),
        ] {
            let found = change(offset(before), offset(after));
            assert_eq!(found.as_deref(), expected, "{before} {after}");
        }
    }

    #[test]
    fn end_of_the_list_says_what_is_left() {
        for (n_listed, n_all, last_number, expected) in [
            (0, 0, 0, "no actions: the coordinator would end at once"),
            (0, 1, 0, "none of 1 action in this time"),
            (5, 5, 5, "5 actions in all"),
            (10, 8760, 10, "10 of 8,760 actions; -n and --to list more"),
            (3, 8760, 8760, "3 of 8,760 actions"),
        ] {
            assert_eq!(summary(n_listed, n_all, last_number), expected);
        }
    }
}
