//! The situations that a useful simulation must cover.

use std::collections::BTreeSet;

use hpdlc_core::{
    definition::{Definition, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{Effect, Event, JobState, Step},
};

use super::{graph::SimulatedGraph, launcher::Fate};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Situation {
    /// The job ended, by itself or by a command.
    Ended(JobStatus),
    KilledByCommand,
    /// Failed by a node of the graph.
    FailedByNode,
    /// An end was reached while other strands were active.
    KilledBySuccess,
    /// Parked work continued and ended the job.
    EndedByResume,
    /// A node entered this state.
    Became(ActionStatus),
    ParkedError,
    JoinFired,
    InnerJoinFired,
    StrandEnded,
    /// An attempt ended while the job was suspended.
    EndedWhileSuspended,
    CancelConfirmed,
    /// A node suspended the job.
    SuspendPoint,
    /// After resume, the job reached the next suspend point immediately.
    SuspendedByResume,
    /// A join that every strand had reached waited for the job to be resumed.
    JoinHeld,
    Skipped,
    CrashBeforeCommit,
    CrashBetweenEffects,
    LostBeforeItBegan,
    /// An attempt in this state was attached to again.
    Attached(Fate),
}

impl Situation {
    /// Every situation that must occur.
    pub fn all() -> BTreeSet<Situation> {
        let ended = [JobStatus::Succeeded, JobStatus::Killed, JobStatus::Failed];
        let attached = [Fate::Runs, Fate::Exited, Fate::Lost];
        let others = [
            Situation::KilledByCommand,
            Situation::FailedByNode,
            Situation::KilledBySuccess,
            Situation::EndedByResume,
            Situation::ParkedError,
            Situation::JoinFired,
            Situation::InnerJoinFired,
            Situation::StrandEnded,
            Situation::EndedWhileSuspended,
            Situation::CancelConfirmed,
            Situation::SuspendPoint,
            Situation::SuspendedByResume,
            Situation::JoinHeld,
            Situation::Skipped,
            Situation::CrashBeforeCommit,
            Situation::CrashBetweenEffects,
            Situation::LostBeforeItBegan,
        ];
        let became = ActionStatus::ALL.into_iter().map(Situation::Became);
        became
            .chain(ended.into_iter().map(Situation::Ended))
            .chain(attached.into_iter().map(Situation::Attached))
            .chain(others)
            .collect()
    }
}

/// The situations in a step.
pub fn situations(
    graph: &SimulatedGraph,
    before: &JobState,
    event: Event,
    step: &Step,
    after: &JobState,
) -> Vec<Situation> {
    let mut seen = Vec::new();
    for &effect in &step.effects {
        match effect {
            Effect::Finished(status) => {
                seen.push(Situation::Ended(status));
                if event == Event::Kill {
                    seen.push(Situation::KilledByCommand);
                }
                if event == Event::Resume {
                    seen.push(Situation::EndedByResume);
                }
            }
            Effect::StrandEnded { .. } => seen.push(Situation::StrandEnded),
            Effect::Skipped { .. } => seen.push(Situation::Skipped),
            Effect::Suspended => {
                if event != Event::Suspend {
                    seen.push(Situation::SuspendPoint);
                }
                if event == Event::Resume {
                    seen.push(Situation::SuspendedByResume);
                }
            }
            Effect::Cancel { .. } if after.status == JobStatus::Succeeded => {
                seen.push(Situation::KilledBySuccess);
            }
            Effect::Choose { .. }
            | Effect::Prepare { .. }
            | Effect::Launch { .. }
            | Effect::Cancel { .. }
            | Effect::Wait { .. } => {}
            Effect::Message { node } => {
                if graph.shape(node) == Shape::Fail {
                    seen.push(Situation::FailedByNode);
                }
            }
        }
    }
    for &node in &step.changed {
        let now = &after.nodes[&node];
        let then = before.nodes.get(&node);
        if then.is_some_and(|then| then.is_canceling && !now.is_canceling) {
            seen.push(Situation::CancelConfirmed);
        }
        let is_join = graph.shape(node) == Shape::Join;
        if is_join && now.status == ActionStatus::Prep && now.attempt == 1 {
            seen.push(Situation::JoinHeld);
        }
        if then.map(|then| then.status) == Some(now.status) {
            continue;
        }
        seen.push(Situation::Became(now.status));
        if now.status == ActionStatus::Done && now.outcome == Some(Outcome::Error) {
            seen.push(Situation::ParkedError);
        }
        if before.status == JobStatus::Suspended && after.status == JobStatus::Suspended {
            seen.push(Situation::EndedWhileSuspended);
        }
        if is_join && now.outcome == Some(Outcome::Joined) {
            seen.push(Situation::JoinFired);
            if now.strand.is_some() {
                seen.push(Situation::InnerJoinFired);
            }
        }
    }
    seen
}
