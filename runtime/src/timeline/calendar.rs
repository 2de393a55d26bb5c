//! A calendar of a coordinator's actions. As SVG: the days of each month as cells, and in each cell a mark for every action at
//! its time of day, colored by its state.

mod marks;
mod months;
mod text;

use std::{collections::BTreeMap, fmt::Write};

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use hpdlc_core::{
    coordinator::{Coordinator, CoordinatorActionStatus, simulate::audit},
    time::ProcessingZone,
};
use hpdlc_graph::svg::{
    markup::{self, N},
    text as measure,
};

use super::svg::{STYLE, line};

pub use self::text::calendar_text;
use self::{
    marks::{count, length, look, looks, meaning, tooltip, worst},
    months::{Months, by_day, days_of, months, week_of},
};

const MARGIN: f64 = 16.0;
const TITLE_HEIGHT: f64 = 44.0;
const MONTH_HEIGHT: f64 = 40.0;
const CELL_WIDTH: f64 = 118.0;
const CELL_HEIGHT: f64 = 46.0;
const LEGEND_HEIGHT: f64 = 30.0;
const SMALL: f64 = 10.5;
const PADDING: f64 = 5.0;

/// The number of slots per day, each of which can have a mark.
const SLOTS: u32 = 96;

/// The maximum length of a mark, in slots.
const MOST_LENGTH: u32 = 12;

/// With more marks per day than this, there is no gap between them.
const MOST_APART: usize = 6;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// An action, as a calendar shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarEntry {
    pub number: u64,
    pub nominal: DateTime<Utc>,
    pub status: CoordinatorActionStatus,
}

/// The actions of one mark.
type CalendarMark = Vec<CalendarEntry>;

/// The picture as an SVG document. Days and times are those of `zone`; `notes` are shown on their days.
pub fn calendar(
    title: &str,
    zone: ProcessingZone,
    entries: impl IntoIterator<Item = CalendarEntry>,
    notes: &[(DateTime<Utc>, String)],
) -> String {
    let (months, n_left_out) = months(zone, entries);
    draw(title, zone, &months, &by_day(zone, notes), n_left_out)
}

/// The text below the title.
fn about(zone: ProcessingZone, n_left_out: usize) -> String {
    let mut about = match zone.is_utc() {
        true => "times are UTC".to_owned(),
        false => format!("times are {}", zone.ending()),
    };
    if n_left_out > 0 {
        about.push_str(&format!(
            "; {n_left_out} actions of earlier months are left out"
        ));
    }
    about
}

fn draw(
    title: &str,
    zone: ProcessingZone,
    months: &Months,
    notes: &BTreeMap<NaiveDate, Vec<&str>>,
    n_left_out: usize,
) -> String {
    let heights = months.keys().map(|month| month_height(*month));
    let width = 2.0 * MARGIN + 7.0 * CELL_WIDTH;
    let height = 2.0 * MARGIN + TITLE_HEIGHT + heights.sum::<f64>() + LEGEND_HEIGHT;
    let mut out = String::new();
    line(
        &mut out,
        format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="hpdlc-time" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">"#,
            N(width),
            N(height),
            markup::attribute(title)
        ),
    );
    let shown = markup::text(title);
    line(&mut out, format_args!("<title>{shown}</title>"));
    line(
        &mut out,
        format_args!("<style>{}</style>", markup::text(STYLE)),
    );
    line(
        &mut out,
        format_args!(
            r#"<rect class="paper" width="{}" height="{}"/>"#,
            N(width),
            N(height)
        ),
    );
    let about = about(zone, n_left_out);
    write_text(&mut out, "title", MARGIN, MARGIN + 12.0, title);
    write_text(&mut out, "small", MARGIN, MARGIN + 28.0, &about);
    let mut top = MARGIN + TITLE_HEIGHT;
    for (month, days) in months {
        draw_month(&mut out, *month, days, notes, zone, top);
        top += month_height(*month);
    }
    legend(&mut out, months, height - MARGIN);
    line(&mut out, format_args!("</svg>"));
    out
}

fn month_height(month: (i32, u32)) -> f64 {
    let weeks = days_of(month).last().map_or(0, |day| week_of(*day) + 1);
    MONTH_HEIGHT + CELL_HEIGHT * f64::from(weeks)
}

fn draw_month(
    out: &mut String,
    month: (i32, u32),
    days: &BTreeMap<u32, BTreeMap<u32, CalendarMark>>,
    notes: &BTreeMap<NaiveDate, Vec<&str>>,
    zone: ProcessingZone,
    top: f64,
) {
    let days_of_month = days_of(month);
    let name = days_of_month
        .first()
        .map_or_else(String::new, |day| day.format("%B %Y").to_string());
    write_text(out, "title", MARGIN, top + 14.0, &name);
    for (column, name) in (0_u32..).zip(DAYS) {
        let x = MARGIN + CELL_WIDTH * f64::from(column) + PADDING;
        write_text(out, "small", x, top + MONTH_HEIGHT - 8.0, name);
    }
    for day in days_of_month {
        let left = MARGIN + CELL_WIDTH * f64::from(day.weekday().num_days_from_monday());
        let top = top + MONTH_HEIGHT + CELL_HEIGHT * f64::from(week_of(day));
        let notes = notes.get(&day).map_or(&[][..], Vec::as_slice);
        draw_day(out, day, days.get(&day.day()), notes, zone, (left, top));
    }
}

fn draw_day(
    out: &mut String,
    day: NaiveDate,
    marks: Option<&BTreeMap<u32, CalendarMark>>,
    notes: &[&str],
    zone: ProcessingZone,
    (left, top): (f64, f64),
) {
    line(
        out,
        format_args!(
            r#"<rect class="band" x="{}" y="{}" width="{}" height="{}" rx="3"/>"#,
            N(left + 1.0),
            N(top + 1.0),
            N(CELL_WIDTH - 2.0),
            N(CELL_HEIGHT - 2.0)
        ),
    );
    let number = day.day().to_string();
    write_text(out, "number", left + PADDING, top + 14.0, &number);
    if !notes.is_empty() {
        line(
            out,
            format_args!(
                r#"<text class="small" x="{}" y="{}">clocks change<title>{}</title></text>"#,
                N(left + PADDING + 18.0),
                N(top + 14.0),
                markup::text(&notes.join("\n"))
            ),
        );
    }
    let Some(marks) = marks else {
        return;
    };
    let count = count(marks, notes.is_empty());
    let x = left + CELL_WIDTH - PADDING - measure::width(&count, SMALL);
    write_text(out, "small", x, top + 14.0, &count);
    let room = CELL_WIDTH - 2.0 * PADDING;
    let slot_width = room / f64::from(SLOTS);
    let length = length(marks, MOST_LENGTH);
    // Many marks look like one bar, in which exceptions stand out by color.
    let (gap, edges) = if marks.len() > MOST_APART {
        (0.0, r#" shape-rendering="crispEdges""#)
    } else {
        (0.6, "")
    };
    let width = slot_width * f64::from(length) - gap;
    for (slot, mark) in marks {
        let x = (left + PADDING + slot_width * f64::from(*slot))
            .min(left + CELL_WIDTH - PADDING - width);
        line(
            out,
            format_args!(
                r#"<rect class="{}" x="{}" y="{}" width="{}" height="18"{edges}><title>{}</title></rect>"#,
                look(worst(mark)).class(),
                N(x),
                N(top + 21.0),
                N(width),
                markup::text(&tooltip(mark, zone))
            ),
        );
    }
}

/// The legend of the colors that occur in the picture.
fn legend(out: &mut String, months: &Months, y: f64) {
    let mut x = MARGIN;
    for look in looks(months) {
        let meaning = meaning(look);
        line(
            out,
            format_args!(
                r#"<rect class="{}" x="{}" y="{}" width="12" height="10" rx="2"/>"#,
                look.class(),
                N(x),
                N(y - 9.0)
            ),
        );
        write_text(out, "small", x + 17.0, y, meaning);
        x += 17.0 + measure::width(meaning, SMALL) + 18.0;
    }
}

fn write_text(out: &mut String, class: &str, x: f64, y: f64, words: &str) {
    writeln!(
        out,
        r#"<text class="{class}" x="{}" y="{}">{}</text>"#,
        N(x),
        N(y),
        markup::text(words)
    )
    .expect("writing to a string cannot fail");
}

/// The clock changes that affect a coordinator and its datasets, as text.
pub fn notes(
    coordinator: &Coordinator,
    from: DateTime<Utc>,
    to: DateTime<Utc>,
) -> Vec<(DateTime<Utc>, String)> {
    let mut notes = Vec::new();
    for audit in audit(coordinator, from, to) {
        let zone = audit.zone.place().unwrap_or("the time zone");
        let dataset = audit.dataset.as_ref();
        let whose = dataset.map_or_else(String::new, |name| format!(", of dataset {name},"));
        for change in audit.changes {
            let (before, after) = (change.before, change.after);
            let words = format!("the clocks of {zone}{whose} change from {before} to {after}");
            notes.push((change.at, words));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use chrono::Duration;

    use super::*;

    /// Actions at this interval, the second of which has timed out.
    fn entries(n: i64, minutes: i64) -> Vec<CalendarEntry> {
        let start = ProcessingZone::UTC
            .read("2026-02-27T00:00Z")
            .unwrap()
            .instant;
        (0..n)
            .map(|k| CalendarEntry {
                number: u64::try_from(k).unwrap() + 1,
                nominal: start + Duration::minutes(minutes * k),
                status: match k {
                    1 => CoordinatorActionStatus::TimedOut,
                    _ => CoordinatorActionStatus::Succeeded,
                },
            })
            .collect()
    }

    fn n_marks(svg: &str, class: &str) -> usize {
        let start = format!(r#"<rect class="{class}""#);
        let marks = svg.lines().filter(|line| line.starts_with(&start));
        marks.filter(|line| line.contains("<title>@")).count()
    }

    #[test]
    fn every_action_has_its_day_and_its_color() {
        let svg = calendar("c", ProcessingZone::UTC, entries(72, 60), &[]);
        assert_eq!((n_marks(&svg, "good"), n_marks(&svg, "bad")), (71, 1));
        for words in [
            "February 2026",
            "March 2026",
            ">24</text>",
            "<title>@2 2026-02-27T01:00Z TIMEDOUT</title>",
            "failed or timed out",
        ] {
            assert!(svg.contains(words), "{words}");
        }
        assert!(!svg.contains("April"), "it has no action");
    }

    #[test]
    fn what_is_too_near_to_be_told_apart_shares_a_mark_and_bad_is_seen() {
        let svg = calendar("c", ProcessingZone::UTC, entries(30, 1), &[]);
        assert_eq!((n_marks(&svg, "good"), n_marks(&svg, "bad")), (1, 1));
        assert!(svg.contains("and 9 more"), "{svg}");
    }

    #[test]
    fn every_two_hours_are_a_bar_a_day_with_what_failed_in_it() {
        let svg = calendar("c", ProcessingZone::UTC, entries(12 * 30, 120), &[]);
        let first: Vec<&str> = svg
            .lines()
            .filter(|line| line.contains("<title>@"))
            .take(12)
            .collect();
        let number = |line: &str, name: &str| -> f64 {
            let rest = line.split(&format!(" {name}=\"")).nth(1).unwrap();
            rest.split('"').next().unwrap().parse().unwrap()
        };
        for pair in first.windows(2) {
            let end = number(pair[0], "x") + number(pair[0], "width");
            assert!((number(pair[1], "x") - end).abs() < 0.2, "{pair:?}");
        }
        assert!(svg.contains(">1 of 12 failed</text>"), "{svg}");
        assert_eq!(svg.matches(">12</text>").count(), 29 + 2, "and two days");
    }

    #[test]
    fn months_beyond_the_most_are_counted_and_left_out() {
        let svg = calendar("c", ProcessingZone::UTC, entries(30, 60 * 24 * 31), &[]);
        assert!(svg.contains("; 6 actions of earlier months are left out"));
        // From September on.
        assert_eq!(svg.matches(" 2026</text>").count(), 4);
    }

    #[test]
    fn days_are_those_of_the_processing_zone_and_changes_stand_on_theirs() {
        let zone = ProcessingZone::parse("GMT+0530").unwrap();
        let late = CalendarEntry {
            number: 1,
            nominal: ProcessingZone::UTC
                .read("2026-02-28T20:00Z")
                .unwrap()
                .instant,
            status: CoordinatorActionStatus::Waiting,
        };
        let note = (late.nominal, "the clocks change & more".to_owned());
        let svg = calendar("<c>", zone, [late], &[note]);
        assert!(svg.contains("March 2026") && !svg.contains("February"));
        assert!(svg.contains("the clocks change &amp; more"));
        assert!(svg.contains("<title>&lt;c&gt;</title>"));
    }
}
