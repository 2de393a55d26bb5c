//! What a mark of a calendar says of its actions.

use std::collections::BTreeMap;

use hpdlc_core::{coordinator::CoordinatorActionStatus, time::ProcessingZone};
use hpdlc_graph::Look;

use super::{CalendarEntry, CalendarMark, months::Months};

/// The number of slots that each mark of a day fills: the shortest distance between two marks, up to a maximum.
pub(super) fn length(marks: &BTreeMap<u32, CalendarMark>, most: u32) -> u32 {
    let slots: Vec<u32> = marks.keys().copied().collect();
    let nearest = slots.windows(2).map(|pair| pair[1] - pair[0]).min();
    nearest.unwrap_or(most).min(most)
}

/// `12`, or `1 of 12 failed` if there is room for it.
pub(super) fn count(marks: &BTreeMap<u32, CalendarMark>, has_room: bool) -> String {
    let all = || marks.values().flatten();
    let n = all().count();
    let n_bad = all()
        .filter(|entry| look(entry.status) == Look::Bad)
        .count();
    if n_bad > 0 && has_room {
        format!("{n_bad} of {n} failed")
    } else {
        n.to_string()
    }
}

/// `@3 2026-01-01T00:00Z SUCCEEDED`, one line per action if there are few.
pub(super) fn tooltip(mark: &CalendarMark, zone: ProcessingZone) -> String {
    const MOST_LINES: usize = 6;
    let shown = mark.iter().take(MOST_LINES).map(|entry| {
        let CalendarEntry {
            number,
            nominal,
            status,
        } = entry;
        format!("@{number} {} {status}", zone.write(*nominal))
    });
    let mut lines: Vec<String> = shown.collect();
    if mark.len() > MOST_LINES {
        lines.push(format!("and {} more", mark.len() - MOST_LINES));
    }
    lines.join("\n")
}

/// The state shown for several actions: the one that most needs attention.
pub(super) fn worst(mark: &CalendarMark) -> CoordinatorActionStatus {
    use CoordinatorActionStatus as A;
    const ORDER: [A; 11] = [
        A::Failed,
        A::TimedOut,
        A::Killed,
        A::Suspended,
        A::Running,
        A::Submitted,
        A::Ready,
        A::Waiting,
        A::Skipped,
        A::Ignored,
        A::Succeeded,
    ];
    let is_there = |status: &A| mark.iter().any(|entry| entry.status == *status);
    ORDER.into_iter().find(is_there).unwrap_or(A::Waiting)
}

pub(super) fn look(status: CoordinatorActionStatus) -> Look {
    use CoordinatorActionStatus as A;
    match status {
        A::Waiting | A::Ready | A::Submitted => Look::Waiting,
        A::Running => Look::Running,
        A::Suspended => Look::Stuck,
        A::Succeeded => Look::Good,
        A::TimedOut | A::Failed => Look::Bad,
        A::Killed => Look::Killed,
        A::Skipped | A::Ignored => Look::Untouched,
    }
}

pub(super) fn meaning(look: Look) -> &'static str {
    match look {
        Look::Untouched => "skipped or ignored",
        Look::Waiting => "waiting",
        Look::Running => "running",
        Look::Good => "succeeded",
        Look::Stuck => "suspended",
        Look::Bad => "failed or timed out",
        Look::Killed => "killed",
    }
}

/// The looks that occur in a calendar.
pub(super) fn looks(months: &Months) -> impl Iterator<Item = Look> {
    let marks = months.values().flat_map(BTreeMap::values);
    let marks: Vec<Look> = marks
        .flat_map(BTreeMap::values)
        .map(|mark| look(worst(mark)))
        .collect();
    Look::ALL
        .into_iter()
        .filter(move |look| marks.contains(look))
}
