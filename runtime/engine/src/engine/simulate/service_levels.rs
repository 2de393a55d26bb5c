//! Invariants of service levels: each event occurs once, as in the log, and is correct.

use hpdlc_core::{
    sla::{Fired, SlaEvent, SlaEventKind},
    status::JobStatus,
};
use hpdlc_store::SlaRow;

use super::notifications::NotificationLine;

const KINDS: [SlaEventKind; 3] = [
    SlaEventKind::Start,
    SlaEventKind::Duration,
    SlaEventKind::End,
];

/// Whether the log has events of this service level.
pub fn has_events(row: &SlaRow, lines: &[&NotificationLine]) -> bool {
    events(row, lines).next().is_some()
}

fn events(row: &SlaRow, lines: &[&NotificationLine]) -> impl Iterator<Item = SlaEvent> {
    let of_part = lines.iter().filter(|line| line.node == row.node);
    of_part.filter_map(|line| SlaEvent::ALL.into_iter().find(|it| it.name() == line.event))
}

/// Checks a job that has ended: `lines` are those of its current run.
pub fn check(row: &SlaRow, lines: &[&NotificationLine], status: JobStatus) -> Result<(), String> {
    for kind in KINDS {
        let told: Vec<SlaEvent> = events(row, lines)
            .filter(|event| event.kind() == kind)
            .collect();
        let fired = row.state.fired(kind);
        let expected: Vec<SlaEvent> = fired.iter().map(|fired| fired.event).collect();
        if told != expected {
            return Err(format!(
                "{:?}: the log has {told:?} and the store {expected:?}",
                row.node
            ));
        }
        if let Some(fired) = fired
            && !is_true(row, fired, status)
        {
            return Err(format!("{fired:?} of {row:?} is not true"));
        }
    }
    if !row.state.is_over || row.due.is_some() {
        return Err(format!("{row:?} is still watched"));
    }
    Ok(())
}

/// Whether an event is consistent with the recorded times.
fn is_true(row: &SlaRow, Fired { event, at }: Fired, status: JobStatus) -> bool {
    let (record, state) = (&row.record, &row.state);
    let has_succeeded = status == JobStatus::Succeeded;
    match event {
        SlaEvent::StartMet => state
            .actual_start
            .zip(record.expected_start)
            .is_some_and(|(start, expected)| start <= expected),
        SlaEvent::StartMiss => record.expected_start.is_some_and(|expected| at > expected),
        SlaEvent::DurationMet => took(row).is_some_and(|(took, longest)| took <= longest),
        SlaEvent::DurationMiss => state
            .actual_start
            .zip(record.expected_duration)
            .is_some_and(|(start, longest)| at - start > longest),
        SlaEvent::EndMet => {
            let in_time = state
                .actual_end
                .is_some_and(|end| end <= record.expected_end);
            in_time && (row.node.is_some() || has_succeeded)
        }
        // An action may have failed in a job that succeeded.
        SlaEvent::EndMiss => at > record.expected_end || row.node.is_some() || !has_succeeded,
    }
}

fn took(row: &SlaRow) -> Option<(i64, i64)> {
    let (start, end) = row.state.actual_start.zip(row.state.actual_end)?;
    Some((end - start, row.record.expected_duration?))
}

#[cfg(test)]
mod tests {
    use hpdlc_core::sla::{Happened, SlaState};

    use super::*;
    use crate::sla::testing::record;

    /// Expected to start by 10, end by 30, take 15; the actual events, and whether they met this.
    fn row(happened: &[Happened]) -> SlaRow {
        let mut row = SlaRow {
            job_id: "1-W".to_owned(),
            node: None,
            record: record(10, 30, 15),
            is_silent: false,
            state: SlaState::NEW,
            due: None,
        };
        for &happened in happened {
            row.state.take(&row.record, happened);
        }
        row.set_due(true);
        row
    }

    fn checked(row: &SlaRow, log: &[&str], status: JobStatus) -> bool {
        let lines: Vec<NotificationLine> = log
            .iter()
            .map(|event| NotificationLine {
                job: "1-W".to_owned(),
                node: None,
                event: (*event).to_owned(),
            })
            .collect();
        check(row, &lines.iter().collect::<Vec<_>>(), status).is_ok()
    }

    #[test]
    fn what_is_lost_doubled_or_false_is_found() {
        let ended = |at| Happened::Ended {
            at,
            has_succeeded: true,
        };
        let good = row(&[Happened::Started { at: 5 }, ended(12)]);
        let log = ["START_MET", "NOTE", "DURATION_MET", "END_MET"];
        let succeeded = JobStatus::Succeeded;
        assert!(checked(&good, &log, succeeded));
        assert!(!checked(&good, &log[1..], succeeded), "one is lost");
        let twice = ["START_MET", "START_MET", "DURATION_MET", "END_MET"];
        assert!(!checked(&good, &twice, succeeded));
        assert!(!checked(&good, &log, JobStatus::Failed), "it was not met");
        let mut late = good.clone();
        late.state.actual_end = Some(31);
        assert!(!checked(&late, &log, succeeded), "it was not in time");
        let open = row(&[Happened::Started { at: 5 }]);
        assert!(!checked(&open, &["START_MET"], succeeded), "it is not over");
        let missed = row(&[Happened::Looked { at: 31 }, ended(40)]);
        assert!(checked(&missed, &["START_MISS", "END_MISS"], succeeded));
        let mut early = missed.clone();
        early.state.end = Some(Fired {
            event: SlaEvent::EndMiss,
            at: 30,
        });
        assert!(!checked(&early, &["START_MISS", "END_MISS"], succeeded));
    }
}
