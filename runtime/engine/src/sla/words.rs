//! Events as text, for logs and the user.

use hpdlc_core::sla::SlaEvent;
use hpdlc_host::{
    clock::{self, format_duration},
    job_id::JobKind,
};
use hpdlc_store::SlaRow;

/// Describes an event: what was expected, and what happened.
pub fn describe(row: &SlaRow, event: SlaEvent) -> String {
    let (record, state) = (&row.record, &row.state);
    let late = |actual: Option<i64>, expected: i64, what: &str| match actual {
        Some(actual) if actual > expected => {
            format!(", {what} {} late", format_duration(actual - expected))
        }
        Some(_) | None => String::new(),
    };
    match event {
        SlaEvent::StartMet | SlaEvent::StartMiss => {
            let expected = record.expected_start.unwrap_or(record.nominal);
            format!(
                "should start by {}{}",
                time(expected),
                late(state.actual_start, expected, "started")
            )
        }
        SlaEvent::DurationMet | SlaEvent::DurationMiss => {
            let longest = format_duration(record.expected_duration.unwrap_or_default());
            let took = match (state.actual_start, state.actual_end) {
                (Some(start), Some(end)) => format!(", took {}", format_duration(end - start)),
                (_, _) => String::new(),
            };
            format!("should take at most {longest}{took}")
        }
        SlaEvent::EndMet | SlaEvent::EndMiss => {
            let expected = record.expected_end;
            let how = match state.actual_end {
                Some(end) if end <= expected && event == SlaEvent::EndMiss => {
                    ", ended without success".to_owned()
                }
                end => late(end, expected, "ended"),
            };
            format!("should end by {}{how}", time(expected))
        }
    }
}

/// The node of a workflow, or the action of a coordinator (`@7`), as shown to the user; `None` for a job.
pub fn part(row: &SlaRow) -> Option<String> {
    let node = row.node.as_ref()?;
    Some(match JobKind::of(&row.job_id) {
        JobKind::Coordinator => format!("@{node}"),
        JobKind::Workflow | JobKind::Bundle => node.clone(),
    })
}

/// A time, with its fractional second unless that is zero.
pub fn time(millis: i64) -> String {
    let text = clock::format_millis(millis).unwrap_or_default();
    text.replace(".000Z", "Z")
}

#[cfg(test)]
mod tests {
    use hpdlc_core::sla::{Happened, SlaState};

    use super::*;
    use crate::sla::testing::record;

    /// The descriptions for a job that should start by the first minute, end by the third and take one.
    fn told(story: &[Happened]) -> Vec<String> {
        let mut row = SlaRow {
            job_id: "1".to_owned(),
            node: None,
            record: record(60_000, 180_000, 60_000),
            is_silent: false,
            state: SlaState::NEW,
            due: None,
        };
        let mut told = Vec::new();
        for &happened in story {
            let events = row.state.take(&row.record, happened);
            told.extend(
                events
                    .into_iter()
                    .map(|event| format!("{event}: {}", describe(&row, event))),
            );
        }
        told
    }

    #[test]
    fn events_say_what_was_expected_and_what_came() {
        let ended = |at, has_succeeded| Happened::Ended { at, has_succeeded };
        for (story, expected) in [
            (
                vec![Happened::Started { at: 90_000 }, ended(200_000, true)],
                vec![
                    "START_MISS: should start by 1970-01-01T00:01:00Z, started 30s late",
                    "DURATION_MISS: should take at most 1m00s, took 1m50s",
                    "END_MISS: should end by 1970-01-01T00:03:00Z, ended 20s late",
                ],
            ),
            (
                vec![Happened::Started { at: 1 }, ended(1_001, false)],
                vec![
                    "START_MET: should start by 1970-01-01T00:01:00Z",
                    "DURATION_MET: should take at most 1m00s, took 1.0s",
                    "END_MISS: should end by 1970-01-01T00:03:00Z, ended without success",
                ],
            ),
            (
                vec![Happened::Looked { at: 180_001 }],
                vec![
                    "START_MISS: should start by 1970-01-01T00:01:00Z",
                    "END_MISS: should end by 1970-01-01T00:03:00Z",
                ],
            ),
        ] {
            assert_eq!(told(&story), expected, "{story:?}");
        }
    }
}
