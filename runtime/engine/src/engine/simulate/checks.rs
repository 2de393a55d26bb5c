//! Invariants that are checked after every step of an owner, and for a job that has ended.

use std::collections::BTreeMap;

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::{ActionStatus, JobStatus},
    step::{JobState, NodeState, audit},
};
use hpdlc_host::home::Home;
use hpdlc_store::{
    ActionRow, JobRow, SkipMark, query,
    sql::{self, Connection},
};

use super::workflow::Workflow;
use crate::{job::Job, session::Session};

/// The states of all jobs, with their runs.
pub type States = BTreeMap<String, (i64, JobState)>;

pub fn states<'a>(jobs: impl Iterator<Item = &'a Job>) -> States {
    jobs.map(|job| (job.id().to_owned(), (job.row.run, job.state.clone())))
        .collect()
}

/// Compares the states after a step with those before.
pub fn check_change<'a>(
    before: &States,
    after: impl Iterator<Item = &'a Job>,
) -> Result<(), String> {
    for job in after {
        if let Some(violation) = audit(job.app, &job.state).first() {
            return Err(format!("job {}: {violation}", job.id()));
        }
        check_ended(job)?;
        let Some((run, then)) = before.get(job.id()) else {
            continue;
        };
        if *run == job.row.run {
            check_same_run(then, &job.state).map_err(|what| format!("job {}: {what}", job.id()))?;
        }
    }
    Ok(())
}

/// In a job that has ended nothing may start or go on.
fn check_ended(job: &Job) -> Result<(), String> {
    if !job.state.status.is_terminal() {
        return Ok(());
    }
    for (&node, state) in &job.state.nodes {
        let waits_for_strands = job.app.shape(node) == Shape::Join;
        if !state.status.is_terminal() && !waits_for_strands {
            return Err(format!(
                "job {} is {}, and its {} is {}",
                job.id(),
                job.state.status,
                job.def(node).name,
                state.status
            ));
        }
    }
    Ok(())
}

fn check_same_run(before: &JobState, after: &JobState) -> Result<(), String> {
    if before.status.is_terminal() && after.status != before.status {
        return Err(format!("it was {} and is {}", before.status, after.status));
    }
    if before.status != JobStatus::Prep && after.status == JobStatus::Prep {
        return Err("it began and is PREP again".to_owned());
    }
    for (node, then) in &before.nodes {
        let Some(now) = after.nodes.get(node) else {
            return Err(format!("node {} was forgotten", node.0));
        };
        let is_sound = if then.status.is_terminal() {
            // A fork counts its strands down, and killed work is confirmed as gone.
            let frozen = NodeState {
                live_strands: now.live_strands,
                is_canceling: now.is_canceling,
                ..then.clone()
            };
            frozen == *now
                && now.live_strands <= then.live_strands
                && (then.is_canceling || !now.is_canceling)
        } else {
            now.attempt >= then.attempt
        };
        if !is_sound {
            return Err(format!("node {} was {then:?} and is {now:?}", node.0));
        }
    }
    Ok(())
}

/// The store's state of each job must be its owner's state in memory.
pub fn check_memory<'a>(
    session: &Session,
    store: &Connection,
    jobs: impl Iterator<Item = &'a Job>,
) -> Result<(), String> {
    for job in jobs {
        let stored = load(session, store, job.id())?;
        if stored.state != job.state {
            return Err(format!(
                "job {} is {:?} in memory and {:?} in the store",
                job.id(),
                job.state,
                stored.state
            ));
        }
    }
    Ok(())
}

fn load(session: &Session, store: &Connection, id: &str) -> Result<Job, String> {
    let fault = |error: sql::Error| error.to_string();
    let row = query::job(store, id).map_err(fault)?;
    let row = row.ok_or_else(|| format!("job {id} is gone"))?;
    let rows = query::actions(store, id).map_err(fault)?;
    Job::load(session.program, &session.home, row, rows)
}

/// For a job that has ended: every node on the taken paths has ended once, and no other was entered.
pub fn check_walk(workflow: &Workflow, job: &JobRow, rows: &[ActionRow]) -> Result<(), String> {
    let app = app_of(job);
    let graph = workflow.graph(app);
    let table = workflow.program.apps[app];
    let by_name: BTreeMap<&str, &ActionRow> = rows
        .iter()
        .filter(|row| !row.skip.is_some_and(SkipMark::is_ahead))
        .map(|row| (row.name.as_str(), row))
        .collect();
    let row_of = |node: NodeId| by_name.get(table.node(node).name).copied();
    for row in by_name.values() {
        let is_join = row.type_name == ":JOIN:";
        if row.is_canceling || !(row.status.is_terminal() || is_join) {
            return Err(format!("{} is {} at the end", row.name, row.status));
        }
    }
    if job.status != JobStatus::Succeeded || graph.ends_in_forks {
        return Ok(());
    }
    let mut reached = vec![graph.start()];
    let mut walked = Vec::new();
    while let Some(node) = reached.pop() {
        if walked.contains(&node) {
            continue;
        }
        walked.push(node);
        let name = table.node(node).name;
        let Some(row) = row_of(node) else {
            return Err(format!("{name} was never entered"));
        };
        let follow = |outcome| graph.next(node, outcome);
        match graph.shape(node) {
            Shape::Start => reached.extend(follow(Outcome::Ok)),
            Shape::Join => reached.extend(follow(Outcome::Joined)),
            Shape::End => {}
            Shape::Fork { branches, join } => {
                reached.extend((0..branches).filter_map(|n| follow(Outcome::Branch(n))));
                reached.extend(join);
            }
            Shape::Kill | Shape::Fail => return Err(format!("{name} ended the job well")),
            Shape::Action | Shape::Decision => {
                let next = row.transition.as_deref();
                let next = next.and_then(|next| graph_node(workflow, app, next));
                reached.extend(next);
                if next.is_none() || row.status == ActionStatus::Killed {
                    return Err(format!("{name} is {} and leads nowhere", row.status));
                }
            }
        }
    }
    let strange = graph.nodes().find(|&(node, _)| {
        // A strand may reach the join of another fork, which does not wait for it.
        let is_entered = row_of(node).is_some_and(|row| row.status.is_terminal());
        is_entered && !walked.contains(&node)
    });
    match strange {
        Some((node, _)) => Err(format!("{} was entered", table.node(node).name)),
        None => Ok(()),
    }
}

fn graph_node(workflow: &Workflow, app: usize, name: &str) -> Option<NodeId> {
    let table = workflow.program.apps[app];
    table
        .nodes()
        .find(|(_, def)| def.name == name)
        .map(|(node, _)| node)
}

pub fn app_of(row: &JobRow) -> usize {
    usize::try_from(row.app_index).expect("applications are few")
}

/// An attempt, parsed from the path of its folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct AttemptName {
    pub job: String,
    pub run: i64,
    pub node: String,
    pub attempt: i64,
}

impl AttemptName {
    pub fn read(home: &Home, path: &str) -> Option<AttemptName> {
        let work = home.work();
        let path = path.strip_prefix(work.to_str()?)?.strip_prefix('/')?;
        let parts: Vec<&str> = path.split('/').collect();
        let (job, run, node, attempt) = match parts[..] {
            [job, node, attempt] => (job, "0", node, attempt),
            [job, run, node, attempt] => (job, run.strip_prefix('@')?, node, attempt),
            _ => return None,
        };
        Some(AttemptName {
            job: job.to_owned(),
            run: run.parse().ok()?,
            node: node.to_owned(),
            attempt: attempt.parse().ok()?,
        })
    }
}
