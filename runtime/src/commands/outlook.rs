//! What a job's live display shows besides its events: the number of actions, and what a coordinator waits for.

use std::collections::HashMap;

use hpdlc_core::coordinator::{ActionCounts, CoordinatorActionStatus as A};
use hpdlc_engine::{owner::Session, progress::JobOutlook};
use hpdlc_host::{
    clock::{self, format_duration},
    exit::RunError,
    job_id::JobKind,
};
use hpdlc_program::table::NodeKind;
use hpdlc_store::{JobRow, coordinators as rows, query};

use crate::{
    commands::info::scheduled::{Explainer, coordinator_of},
    masks::Masks,
};

/// The number of a bundle's coordinators that are shown.
const MOST: usize = 6;

pub(super) fn of(session: &Session, job: &JobRow) -> JobOutlook {
    if JobKind::of(&job.id) == JobKind::Workflow {
        return JobOutlook {
            total: n_actions(session, job),
            status: None,
        };
    }
    let session = session.clone();
    let id = job.id.clone();
    let mut totals = HashMap::new();
    JobOutlook {
        total: None,
        // On a temporary error nothing is shown; the next call tries again.
        status: Some(Box::new(move || {
            lines(&session, &id, &mut totals).unwrap_or_default()
        })),
    }
}

/// The number of actions in a job's workflow; known only if the job is this executable's.
fn n_actions(session: &Session, job: &JobRow) -> Option<usize> {
    if job.hash != session.program.hash {
        return None;
    }
    let index = usize::try_from(job.app_index).ok()?;
    let app = session.program.apps.get(index)?;
    let actions = app
        .nodes()
        .filter(|(_, def)| matches!(def.kind, NodeKind::Action(_)));
    Some(actions.count())
}

/// The number of actions that coordinators will have, by job and end time.
type Totals = HashMap<(String, i64), u64>;

/// Lines about a coordinator, or about each one of a bundle.
fn lines(session: &Session, id: &str, totals: &mut Totals) -> Result<Vec<String>, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let ids = match JobKind::of(id) {
        JobKind::Bundle => rows::coordinators_of(&connection, id).map_err(describe)?,
        JobKind::Coordinator | JobKind::Workflow => vec![id.to_owned()],
    };
    let n_more = ids.len().saturating_sub(MOST);
    let mut lines = Vec::new();
    for id in ids.into_iter().take(MOST) {
        let Some(job) = query::job(&connection, &id).map_err(describe)? else {
            continue;
        };
        let row = coordinator_of(session, &connection, &job)?;
        let explainer = Explainer::new(session, &connection, &job, &row)?;
        let record = &row.record;
        let key = (id.clone(), record.end.timestamp_millis());
        let total = match (totals.get(&key), explainer.current(&row)) {
            (Some(total), _) => Some(*total),
            (None, Some(coordinator)) => {
                let total = coordinator.schedule.count_before(record.end);
                totals.insert(key, total);
                Some(total)
            }
            (None, None) => None,
        };
        let counts = rows::counts(&connection, &id).map_err(describe)?;
        let name = job.parent_node.as_deref().unwrap_or(&job.app);
        let elapsed = job.started.map(|started| clock::now_millis() - started);
        lines.push(summary(name, elapsed, &counts, total));
        if record.status.is_terminal() {
            continue;
        }
        let living = rows::living(&connection, &id).map_err(describe)?;
        let waits = living
            .iter()
            .filter(|action| action.record.status == A::Waiting)
            .find_map(|action| Some((action.record.number, explainer.why(&action.record)?)));
        let next = record.next_time.filter(|_| !record.is_done);
        let line = match (waits, next) {
            (Some((number, why)), _) => format!("  {name}@{number} {why}"),
            (None, Some(next)) => {
                let left = (next - explainer.clock.now()).num_milliseconds();
                let when = explainer.zone.write(next);
                format!("  next action for {when}, in {}", format_duration(left))
            }
            (None, None) => continue,
        };
        lines.push(Masks::of(session, &job)?.text(&line));
    }
    if n_more > 0 {
        lines.push(format!("... and {n_more} more coordinators"));
    }
    Ok(lines)
}

/// `ingest 12s: 11 of 25 done, 1 running, 3 waiting`.
fn summary(name: &str, elapsed: Option<i64>, counts: &ActionCounts, total: Option<u64>) -> String {
    let n = |statuses: &[A]| -> u64 { statuses.iter().map(|status| counts.of(*status)).sum() };
    let done = n(&[A::Succeeded]);
    let done = match total {
        Some(total) => format!("{done} of {total} done"),
        None => format!("{done} done"),
    };
    let counted = [
        (n(&[A::Killed, A::Failed]), "failed"),
        (n(&[A::TimedOut]), "timed out"),
        (n(&[A::Skipped, A::Ignored]), "skipped"),
        (n(&[A::Submitted, A::Running]), "running"),
        (n(&[A::Suspended]), "suspended"),
        (n(&[A::Waiting, A::Ready]), "waiting"),
    ];
    let counted = counted
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, word)| format!("{n} {word}"));
    let parts: Vec<String> = [done].into_iter().chain(counted).collect();
    let time = elapsed.map_or_else(String::new, |time| format!(" {}", format_duration(time)));
    format!("{name}{time}: {}", parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coordinator_is_summed_up_in_a_line() {
        let mut counts = ActionCounts::default();
        counts.add(A::Succeeded, 11);
        counts.add(A::Killed, 1);
        counts.add(A::TimedOut, 1);
        counts.add(A::Running, 1);
        counts.add(A::Waiting, 2);
        counts.add(A::Ready, 1);
        assert_eq!(
            summary("ingest", Some(12_000), &counts, Some(25)),
            "ingest 12s: 11 of 25 done, 1 failed, 1 timed out, 1 running, 3 waiting"
        );
        assert_eq!(
            summary("ingest", None, &ActionCounts::default(), None),
            "ingest: 0 done"
        );
    }
}
