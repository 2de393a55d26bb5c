//! A calendar as text: one line per week if days have few actions, else one line per day with its hours.

use std::collections::BTreeMap;

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use hpdlc_core::{time::ProcessingZone, visible};

use super::{
    CalendarEntry, CalendarMark, DAYS, SLOTS, about, by_day, days_of, length, look, looks, meaning,
    months, week_of, worst,
};
use crate::timeline::text::{TextCanvas, sign};

/// The maximum number of marks per day in a weekly line.
const MOST_IN_CELL: usize = 6;

/// Day, blank, marks, two blanks.
const CELL: usize = 2 + 1 + MOST_IN_CELL + 2;

/// The width left of the hours: `Wed 25  `.
const LEFT: usize = 8;

/// Characters per day: 15, 30 or 60 minutes each, depending on the width.
const LENGTHS: [usize; 3] = [96, 48, 24];

/// Minimum width right of the hours, for the counts.
const LEAST_RIGHT: usize = 20;

type CalendarDays = BTreeMap<u32, BTreeMap<u32, CalendarMark>>;

/// As [`calendar`](super::calendar), as text.
pub fn calendar_text(
    title: &str,
    zone: ProcessingZone,
    entries: impl IntoIterator<Item = CalendarEntry>,
    notes: &[(DateTime<Utc>, String)],
    paper: TextCanvas,
) -> String {
    let (months, n_left_out) = months(zone, entries);
    let notes = by_day(zone, notes);
    let mut text = String::new();
    for line in [title, &about(zone, n_left_out)] {
        text.push_str(&paper.cut(&visible::line(line)));
        text.push('\n');
    }
    let marks = months.values().flat_map(BTreeMap::values);
    let most = marks.map(BTreeMap::len).max().unwrap_or_default();
    let is_dense = most > MOST_IN_CELL || 7 * CELL > paper.width + 2;
    for (month, days) in &months {
        text.push('\n');
        if is_dense {
            hours(&mut text, *month, days, paper);
        } else {
            weeks(&mut text, *month, days, paper);
        }
        for day in days_of(*month) {
            for note in notes.get(&day).map_or(&[][..], Vec::as_slice) {
                let line = format!("{}: {note}", day.format("%-d %B"));
                text.push_str(&paper.cut(&visible::line(&line)));
                text.push('\n');
            }
        }
    }
    let legend: Vec<String> = looks(&months)
        .map(|look| format!("{} {}", paper.sign(look), meaning(look)))
        .collect();
    if !legend.is_empty() {
        text.push_str(&format!("\n{}\n", legend.join("   ")));
    }
    text
}

fn name_of((year, month): (i32, u32)) -> String {
    NaiveDate::from_ymd_opt(year, month, 1)
        .map_or_else(String::new, |day| day.format("%B %Y").to_string())
}

/// One line per week: `25 ███`.
fn weeks(text: &mut String, month: (i32, u32), days: &CalendarDays, paper: TextCanvas) {
    text.push_str(&format!("{}\n", name_of(month)));
    let names: String = DAYS.iter().map(|day| format!("{day:<CELL$}")).collect();
    text.push_str(&format!("{}\n", names.trim_end()));
    let mut line = String::new();
    let mut week = 0;
    for day in days_of(month) {
        if week_of(day) != week {
            text.push_str(&format!("{}\n", line.trim_end()));
            line.clear();
            week = week_of(day);
        }
        if line.is_empty() {
            let before = day.weekday().num_days_from_monday() as usize;
            line.push_str(&" ".repeat(before * CELL));
        }
        line.push_str(&format!("{:>2} ", day.day()));
        let mut n = 0;
        for mark in days.get(&day.day()).into_iter().flat_map(BTreeMap::values) {
            line.push_str(&paper.sign(look(worst(mark))));
            n += 1;
        }
        line.push_str(&" ".repeat(CELL.saturating_sub(3 + n)));
    }
    text.push_str(&format!("{}\n", line.trim_end()));
}

/// A line for each day that has actions.
fn hours(text: &mut String, month: (i32, u32), days: &CalendarDays, paper: TextCanvas) {
    let room = paper.width.saturating_sub(LEFT + LEAST_RIGHT);
    let length_of_day = LENGTHS
        .into_iter()
        .find(|length| *length <= room)
        .unwrap_or(24);
    let mut axis = String::new();
    for hour in (0..24).step_by(6) {
        axis.push_str(&format!("{hour:02}:00"));
        let until = length_of_day * (hour + 6) / 24;
        axis.push_str(&" ".repeat(until.saturating_sub(axis.len())));
    }
    text.push_str(&format!(
        "{}\n{:LEFT$}{}\n",
        name_of(month),
        "",
        axis.trim_end()
    ));
    let each = SLOTS as usize / length_of_day;
    for day in days_of(month) {
        let Some(marks) = days.get(&day.day()) else {
            continue;
        };
        let n_slots = length(marks, 8) as usize;
        let mut cells = vec![None; length_of_day];
        for (slot, mark) in marks {
            let first = *slot as usize / each;
            let last = (*slot as usize + n_slots).div_ceil(each).max(first + 1);
            let seen = look(worst(mark));
            for cell in cells.iter_mut().take(last).skip(first) {
                *cell = match *cell {
                    // A failure is not overwritten by a success in the same character.
                    Some(other) if first + 1 == last && sign(other).1 > sign(seen).1 => Some(other),
                    _ => Some(seen),
                };
            }
        }
        text.push_str(&format!("{} {:>2}  ", day.format("%a"), day.day()));
        let mut line = String::new();
        for cell in cells {
            match cell {
                Some(look) => line.push_str(&paper.sign(look)),
                None => line.push(' '),
            }
        }
        let count = super::count(marks, true);
        text.push_str(&format!("{line}  {count}\n"));
    }
}

#[cfg(test)]
mod tests {
    use chrono::Duration;
    use hpdlc_core::coordinator::CoordinatorActionStatus as A;

    use super::*;

    /// Actions at this interval from 27 February 2026 on, the second of which has timed out and the last of which waits.
    fn drawn(n: i64, minutes: i64, width: usize) -> String {
        let utc = ProcessingZone::UTC;
        let start = utc.read("2026-02-27T00:00Z").unwrap().instant;
        let entries = (0..n).map(|k| CalendarEntry {
            number: u64::try_from(k).unwrap() + 1,
            nominal: start + Duration::minutes(minutes * k),
            status: match k {
                1 => A::TimedOut,
                k if k + 1 == n => A::Waiting,
                _ => A::Succeeded,
            },
        });
        let note = (start, "the clocks of X change\u{1b}[2J".to_owned());
        let paper = TextCanvas {
            width,
            has_color: false,
        };
        calendar_text("logs 8 RUNNING", utc, entries, &[note], paper)
    }

    #[test]
    fn every_two_hours_are_a_line_a_day() {
        let text = drawn(20, 120, 80);
        expect_test::expect![[r#"
            logs 8 RUNNING
            times are UTC

            February 2026
                    00:00       06:00       12:00       18:00
            Fri 27  ████XXXX████████████████████████████████████████  1 of 12 failed
            Sat 28  ████████████████████████████░░░░                  8
            27 February: the clocks of X change\x1b[2J

            ░ waiting   █ succeeded   X failed or timed out
        "#]]
        .assert_eq(&text);
        for width in [40, 60, 200] {
            let text = drawn(20, 120, width);
            let longest = text.lines().map(|line| line.chars().count()).max();
            assert!(longest <= Some(width.max(52)), "{width}: {text}");
        }
    }

    #[test]
    fn few_a_day_are_a_line_a_week() {
        expect_test::expect![[r#"
            logs 8 RUNNING
            times are UTC

            February 2026
            Mon        Tue        Wed        Thu        Fri        Sat        Sun
                                                                               1
             2          3          4          5          6          7          8
             9         10         11         12         13         14         15
            16         17         18         19         20         21         22
            23         24         25         26         27 █X      28 █░
            27 February: the clocks of X change\x1b[2J

            ░ waiting   █ succeeded   X failed or timed out
        "#]]
        .assert_eq(&drawn(4, 720, 80));
    }

    #[test]
    fn what_failed_is_seen_where_many_share_a_place() {
        let text = drawn(180, 1, 80);
        assert!(text.contains("\nFri 27  X█"), "{text}");
        assert!(text.contains("  1 of 180 failed\n"), "{text}");
    }
}
