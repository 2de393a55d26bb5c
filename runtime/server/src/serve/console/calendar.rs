//! A calendar of a coordinator's actions, by month, week, day or hour as its frequency wants: each action is a link with the sign of its
//! state. Days and hours are those of the coordinator's zone.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, Duration, Months, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use hpdlc_core::time::Zone;
use hpdlc_host::clock;
use hpdlc_store::coordinators::{self, CoordinatorActionRow, CoordinatorRow};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        head::{head, tabs},
        links,
        marks::Mark,
        page, subject, zones,
    },
    failure::Failure,
    reply::Reply,
};

/// A cell with more actions has numbers by state instead.
const MOST_MARKS: usize = 6;
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const FORMAT: &str = "%Y-%m-%dT%H:%M";

/// What the whole calendar shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum View {
    /// Days of weeks.
    Month,
    /// Hours of days.
    Week,
    /// Five minutes of hours.
    Day,
    /// Minutes.
    Hour,
}

impl View {
    const ALL: [View; 4] = [View::Month, View::Week, View::Day, View::Hour];

    fn name(self) -> &'static str {
        match self {
            View::Month => "month",
            View::Week => "week",
            View::Day => "day",
            View::Hour => "hour",
        }
    }

    /// The one in which an action has about a cell of its own.
    fn fitting(minutes: i64) -> View {
        match minutes {
            1_440.. => View::Month,
            60.. => View::Week,
            5.. => View::Day,
            _ => View::Hour,
        }
    }

    /// The beginning of the period with a local time.
    fn start(self, time: NaiveDateTime) -> NaiveDateTime {
        let date = time.date();
        let days = i64::from(date.weekday().num_days_from_monday());
        let day = match self {
            View::Month => date.with_day(1).unwrap_or(date),
            View::Week => date - Duration::days(days),
            View::Day | View::Hour => date,
        };
        let hour = match self {
            View::Hour => NaiveTime::from_hms_opt(time.hour(), 0, 0),
            View::Month | View::Week | View::Day => None,
        };
        day.and_time(hour.unwrap_or(NaiveTime::MIN))
    }

    /// The beginning of the next period, or of the one before.
    fn step(self, start: NaiveDateTime, is_forward: bool) -> NaiveDateTime {
        let sign = if is_forward { 1 } else { -1 };
        let moved = match (self, is_forward) {
            (View::Month, true) => start.checked_add_months(Months::new(1)),
            (View::Month, false) => start.checked_sub_months(Months::new(1)),
            (View::Week, _) => start.checked_add_signed(Duration::days(7 * sign)),
            (View::Day, _) => start.checked_add_signed(Duration::days(sign)),
            (View::Hour, _) => start.checked_add_signed(Duration::hours(sign)),
        };
        moved.unwrap_or(start)
    }

    fn title(self, start: NaiveDateTime) -> String {
        let format = match self {
            View::Month => "%B %Y",
            View::Week => "Week from %Y-%m-%d",
            View::Day => "%A, %Y-%m-%d",
            View::Hour => "%Y-%m-%d, %H:00 to %H:59",
        };
        start.format(format).to_string()
    }

    /// The row and the column of a local time.
    fn place(self, start: NaiveDateTime, time: NaiveDateTime) -> (u32, u32) {
        match self {
            View::Month => {
                let first = start.weekday().num_days_from_monday();
                let place = first + time.day0();
                (place / 7, place % 7)
            }
            View::Week => (time.hour(), time.weekday().num_days_from_monday()),
            View::Day => (time.hour(), time.minute() / 5),
            View::Hour => (time.minute() / 10, time.minute() % 10),
        }
    }

    /// The beginning of a cell; `None` for one beyond the month.
    fn time_of(self, start: NaiveDateTime, (row, column): (u32, u32)) -> Option<NaiveDateTime> {
        let (row, column) = (i64::from(row), i64::from(column));
        let after = match self {
            View::Month => {
                let first = i64::from(start.weekday().num_days_from_monday());
                Duration::days(row * 7 + column - first)
            }
            View::Week => Duration::days(column) + Duration::hours(row),
            View::Day => Duration::hours(row) + Duration::minutes(5 * column),
            View::Hour => Duration::minutes(10 * row + column),
        };
        let time = start.checked_add_signed(after)?;
        (self != View::Month || time.month() == start.month() && time >= start).then_some(time)
    }

    /// The numbers of rows and columns.
    fn size(self, start: NaiveDateTime) -> (u32, u32) {
        match self {
            View::Month => {
                let last = self.step(start, true) - Duration::days(1);
                (self.place(start, last).0 + 1, 7)
            }
            View::Week => (24, 7),
            View::Day => (24, 12),
            View::Hour => (6, 10),
        }
    }

    /// What stands above a column.
    fn column(self, start: NaiveDateTime, column: u32) -> String {
        let day = || {
            usize::try_from(column)
                .ok()
                .and_then(|column| DAYS.get(column))
        };
        let day = day().copied().unwrap_or_default();
        match self {
            View::Month => day.to_owned(),
            View::Week => {
                let date = start.date() + Duration::days(i64::from(column));
                format!("{day} {}", date.format("%m-%d"))
            }
            View::Day => format!(":{:02}", 5 * column),
            View::Hour => format!("+{column} min"),
        }
    }

    /// What stands before a row.
    fn row(self, start: NaiveDateTime, row: u32) -> String {
        match self {
            View::Month => {
                let time = start + Duration::days(7 * i64::from(row));
                format!("Week {}", time.iso_week().week())
            }
            View::Week | View::Day => format!("{row:02}:00"),
            View::Hour => format!("{:02}:{}0", start.hour(), row),
        }
    }
}

/// `job/ID/timeline?view=week&at=2026-11-28T00:00` of a coordinator; `at` is a time of its zone.
pub(crate) fn calendar(call: &Call, id: &str) -> Reply {
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let subject = subject::of(call, &connection, id)?;
    let job = &subject.job;
    let row = coordinators::coordinator(&connection, &job.id).map_err(failed)?;
    let row = row.ok_or_else(|| Failure::no_job(id))?;
    let (zone, zone_name) = zones::of(&row.timezone);
    let fitting = View::fitting(gap(&row));
    let named = call.parameters.filled("view");
    let named = named.and_then(|name| View::ALL.into_iter().find(|view| view.name() == name));
    let view = named.unwrap_or(fitting);
    let newest = coordinators::action(&connection, &job.id, row.record.last_number);
    let newest = newest.map_err(failed)?.map(|action| action.record.nominal);
    let now = DateTime::from_timestamp_millis(clock::now_millis()).unwrap_or_default();
    let at = match call.parameters.filled("at") {
        None => zone.local(newest.unwrap_or(now)),
        Some(text) => time(text)?,
    };
    let start = view.start(at);
    let end = view.step(start, true);
    // A time that clocks show twice is looked for with both its instants.
    let (from, to) = (
        zone.resolve_local(start) - Duration::hours(3),
        zone.resolve_local(end) + Duration::hours(3),
    );
    let actions = coordinators::actions_between(
        &connection,
        &job.id,
        from.timestamp_millis(),
        to.timestamp_millis(),
    );
    let is_inside = |action: &CoordinatorActionRow| {
        let local = zone.local(action.record.nominal);
        (start..end).contains(&local)
    };
    let actions: Vec<CoordinatorActionRow> = actions
        .map_err(failed)?
        .into_iter()
        .filter(is_inside)
        .collect();
    let base = &call.server.base;
    let address = links::of_job(base, &job.id, "timeline");
    let to_period = |view: View, at: NaiveDateTime| {
        let at = at.format(FORMAT).to_string();
        links::with_query(&address, &[("view", view.name()), ("at", &at)])
    };
    let changes = zones::changes(zone, &zone_name, from, to);
    let changed_days: Vec<NaiveDate> = zone
        .changes(from, to)
        .into_iter()
        .map(|change| zone.local(change).date())
        .collect();
    let views: Vec<Value> = View::ALL
        .into_iter()
        .map(|other| json!({ "name": other.name(), "href": to_period(other, at), "current": other == view }))
        .collect();
    let (n_rows, n_columns) = view.size(start);
    let columns: Vec<Value> = (0..n_columns)
        .map(|column| {
            let date = (start + Duration::days(i64::from(column))).date();
            let is_changed = view == View::Week && changed_days.contains(&date);
            json!({ "text": view.column(start, column), "changed": is_changed })
        })
        .collect();
    let local_now = zone.local(now);
    let mut cells = cells(call, &job.id, view, start, zone, &actions);
    let rows: Vec<Value> = (0..n_rows)
        .map(|row| {
            let of_row: Vec<Value> = (0..n_columns)
                .map(|column| {
                    let place = (row, column);
                    let time = view.time_of(start, place);
                    let is_now = time.is_some() && view.start(local_now) == start
                        && view.place(start, local_now) == place;
                    let shown = cells.remove(&place).unwrap_or_else(|| json!({ "marks": [], "counts": [] }));
                    let is_month = view == View::Month;
                    json!({
                        "is_inside": time.is_some(),
                        "is_now": is_now,
                        "day": time.filter(|_| is_month).map(|time| time.day()),
                        "href": time.filter(|_| is_month).map(|time| to_period(View::Week, time)),
                        "changed": is_month && time.is_some_and(|time| changed_days.contains(&time.date())),
                        "marks": shown["marks"], "counts": shown["counts"],
                    })
                })
                .collect();
            json!({ "text": view.row(start, row), "cells": of_row })
        })
        .collect();
    let values = json!({
        "head_html": head(call, &connection, &subject)?,
        "tabs": tabs(call, job, "timeline"),
        "title": view.title(start),
        "views": views,
        "before": to_period(view, view.step(start, false)),
        "after": to_period(view, end),
        "today": to_period(view, local_now),
        "newest": newest.map(|time| to_period(view, zone.local(time))),
        "zone": zone_name,
        "view": view.name(),
        "n_actions": actions.len(),
        "changes": changes,
        "columns": columns,
        "rows": rows,
    });
    let frame = subject::frame_below(call, &subject, "Calendar");
    page::html(call, frame, "calendar", &values)
}

/// Minutes between two actions, on average.
fn gap(row: &CoordinatorRow) -> i64 {
    let last = i64::try_from(row.record.last_number).unwrap_or(i64::MAX);
    let end = row.record.next_time.unwrap_or(row.record.end);
    (end - row.start).num_minutes() / last.max(1)
}

/// A local time: `2026-11-28` or `2026-11-28T12:00`.
fn time(text: &str) -> Result<NaiveDateTime, Failure> {
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
    let time = NaiveDateTime::parse_from_str(text, FORMAT).ok();
    let time = time.or_else(|| Some(day()?.and_time(NaiveTime::MIN)));
    // The years that all its neighbours have, too.
    let is_usual = |time: &NaiveDateTime| (1..9_999).contains(&time.year());
    time.filter(is_usual)
        .ok_or_else(|| Failure::argument(format!("{text} is no time such as 2026-11-28T12:00")))
}

/// The cells that have actions, by row and column.
fn cells(
    call: &Call,
    job: &str,
    view: View,
    start: NaiveDateTime,
    zone: Zone,
    actions: &[CoordinatorActionRow],
) -> BTreeMap<(u32, u32), Value> {
    let mut by_place: BTreeMap<(u32, u32), Vec<&CoordinatorActionRow>> = BTreeMap::new();
    for action in actions {
        let place = view.place(start, zone.local(action.record.nominal));
        by_place.entry(place).or_default().push(action);
    }
    let base = &call.server.base;
    let shown = |actions: Vec<&CoordinatorActionRow>| {
        let mark_of = |action: &CoordinatorActionRow| Mark::of(action.record.status.name());
        if actions.len() > MOST_MARKS {
            let mut counts: BTreeMap<&str, (Mark, usize)> = BTreeMap::new();
            for action in actions {
                let name = action.record.status.name();
                counts.entry(name).or_insert_with(|| (mark_of(action), 0)).1 += 1;
            }
            let counts: Vec<Value> = counts
                .into_iter()
                .map(|(status, (mark, n))| {
                    let href = links::with_query(&links::job(base, job), &[("state", status)]);
                    json!({ "mark": mark, "n": n, "href": href })
                })
                .collect();
            return json!({ "marks": [], "counts": counts });
        }
        let marks: Vec<Value> = actions
            .into_iter()
            .map(|action| {
                let record = &action.record;
                let href = match &action.workflow_id {
                    Some(id) => links::job(base, id),
                    None => format!("{}#action-{}", links::job(base, job), record.number),
                };
                let local = zone.local(record.nominal).format("%H:%M");
                json!({
                    "look": mark_of(action).look,
                    "href": href,
                    "label": format!("action {}, {local}, {}", record.number, record.status),
                })
            })
            .collect();
        json!({ "marks": marks, "counts": [] })
    };
    let all = by_place.into_iter();
    all.map(|(place, actions)| (place, shown(actions)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> NaiveDateTime {
        time(text).unwrap()
    }

    #[test]
    fn a_view_fits_its_frequency() {
        for (minutes, view) in [
            (43_200, View::Month),
            (1_440, View::Month),
            (60, View::Week),
            (15, View::Day),
            (1, View::Hour),
            (0, View::Hour),
        ] {
            assert_eq!(View::fitting(minutes), view, "{minutes}");
        }
    }

    #[test]
    fn every_time_has_a_cell_whose_period_contains_it() {
        for (view, text, start, end, place, size) in [
            (
                View::Month,
                "2026-11-28T13:47",
                "2026-11-01",
                "2026-12-01",
                (4, 5),
                (6, 7),
            ),
            (
                View::Week,
                "2026-11-28T13:47",
                "2026-11-23",
                "2026-11-30",
                (13, 5),
                (24, 7),
            ),
            (
                View::Day,
                "2026-11-28T13:47",
                "2026-11-28",
                "2026-11-29",
                (13, 9),
                (24, 12),
            ),
            (
                View::Hour,
                "2026-11-28T13:47",
                "2026-11-28T13:00",
                "2026-11-28T14:00",
                (4, 7),
                (6, 10),
            ),
            (
                View::Month,
                "2024-02-29",
                "2024-02-01",
                "2024-03-01",
                (4, 3),
                (5, 7),
            ),
        ] {
            let time = at(text);
            let begin = view.start(time);
            assert_eq!(
                (begin, view.step(begin, true)),
                (at(start), at(end)),
                "{view:?}"
            );
            assert_eq!(view.step(view.step(begin, true), false), begin, "{view:?}");
            assert_eq!(view.place(begin, time), place, "{view:?}");
            assert_eq!(view.size(begin), size, "{view:?}");
            let cell = view.time_of(begin, place).unwrap();
            assert!(cell <= time, "{view:?}: {cell}");
        }
        // Beyond the month.
        assert_eq!(View::Month.time_of(at("2026-11-01"), (0, 0)), None);
        assert_eq!(View::Month.time_of(at("2026-11-01"), (5, 1)), None);
        for wrong in ["", "soon", "2026-13-01", "99999-01-01", "-0001-01-01"] {
            assert!(time(wrong).is_err(), "{wrong}");
        }
    }
}
