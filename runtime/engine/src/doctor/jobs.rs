//! Invariants of every job in the store, whatever drives it: final states are final, nothing runs in a job that has ended, the strand
//! counts of forks are right, parents and children agree. For jobs of this executable's own definition also that their strands are where
//! the graph leads.

use std::collections::BTreeMap;

use hpdlc_core::{
    status::{ActionStatus, JobStatus},
    step::audit,
};
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{
    hosts, query, schema,
    sql::{self, Connection},
};

use super::{DoctorProgress, DoctorReport};
use crate::{job::Job, session::Session};

const BUG: &str =
    "this is a bug in hpdlc: make a `backup` for the bug report; the job can be killed";

/// A job as far as the doctor reads it, with states by name, since they may be unknown.
#[derive(Clone, Debug)]
pub(super) struct ExaminedJob {
    pub(super) id: String,
    pub(super) status: String,
    pub(super) hash: String,
    pub(super) root: String,
    /// Another host of the database has driven it last.
    pub(super) is_of_other_host: bool,
    parent: Option<(String, String)>,
    created: i64,
    started: Option<i64>,
    ended: Option<i64>,
}

#[derive(Clone, Debug)]
struct ExaminedAction {
    name: String,
    type_name: String,
    status: String,
    started: Option<i64>,
    ended: Option<i64>,
    attempt: i64,
    strand: Option<String>,
    live_strands: i64,
    is_canceling: bool,
    due: Option<i64>,
    external_id: Option<String>,
    /// A rerun will skip it; the row describes an earlier run.
    is_to_be_skipped: bool,
    /// A launcher may start what follows by itself.
    is_leading: bool,
}

impl ExaminedJob {
    pub(super) fn is_over(&self) -> bool {
        JobStatus::from_name(&self.status).is_some_and(JobStatus::is_terminal)
    }
}

/// Checks all jobs, and returns them, each with whether something of it may still be running.
pub(super) fn examine(
    connection: &Connection,
    session: &Session,
    progress: DoctorProgress<'_>,
    report: &mut DoctorReport,
) -> sql::Result<Vec<(ExaminedJob, bool)>> {
    let mut jobs = read_jobs(connection)?;
    // Without its id this host drives no job.
    let own = session.home.host().unwrap_or_default();
    let of_others = hosts::roots_of_others(connection, own.as_deref())?;
    for job in &mut jobs {
        job.is_of_other_host = of_others.contains(&job.root);
    }
    let by_id: BTreeMap<&str, &ExaminedJob> =
        jobs.iter().map(|job| (job.id.as_str(), job)).collect();
    let mut may_run = Vec::with_capacity(jobs.len());
    for (n, job) in jobs.iter().enumerate() {
        progress("doctor: jobs", n, jobs.len());
        let actions = read_actions(connection, &job.id)?;
        report.n_actions += actions.len();
        check_job(job, report);
        check_family(job, &by_id, report);
        for action in &actions {
            check_action(job, action, &by_id, report);
        }
        if !job.is_over() && !check_graph(connection, job, session, report)? {
            check_strands(job, &actions, report);
        }
        let is_canceling = actions.iter().any(|action| action.is_canceling);
        check_owner(job, is_canceling, session, report);
        may_run.push(!job.is_over() || is_canceling);
    }
    check_slas(connection, &by_id, report)?;
    check_numbers(connection, &jobs, report)?;
    report.n_jobs = jobs.len();
    Ok(jobs.into_iter().zip(may_run).collect())
}

fn read_jobs(connection: &Connection) -> sql::Result<Vec<ExaminedJob>> {
    connection
        .prepare(
            "SELECT id, status, hash, root_id, parent_id, parent_node, created, started, ended FROM jobs ORDER BY id",
        )?
        .query_map([], |row| {
            let parent: Option<String> = row.get(4)?;
            let node: Option<String> = row.get(5)?;
            let id: String = row.get(0)?;
            // A job started by a coordinator or a bundle is not a sub-workflow.
            let node = node.filter(|_| JobKind::of(&id) == JobKind::Workflow);
            Ok(ExaminedJob {
                id,
                status: row.get(1)?,
                hash: row.get(2)?,
                root: row.get(3)?,
                parent: parent.zip(node),
                created: row.get(6)?,
                started: row.get(7)?,
                ended: row.get(8)?,
                is_of_other_host: false,
            })
        })?
        .collect()
}

fn read_actions(connection: &Connection, job: &str) -> sql::Result<Vec<ExaminedAction>> {
    connection
        .prepare_cached(
            "SELECT name, type, status, started, ended, attempt, strand, live_strands, canceling, due, external_id,
                 coalesce(skip, '') = 'ENTERED', ahead IS NOT NULL
             FROM actions WHERE job_id = ?1 ORDER BY name",
        )?
        .query_map([job], |row| {
            Ok(ExaminedAction {
                name: row.get(0)?,
                type_name: row.get(1)?,
                status: row.get(2)?,
                started: row.get(3)?,
                ended: row.get(4)?,
                attempt: row.get(5)?,
                strand: row.get(6)?,
                live_strands: row.get(7)?,
                is_canceling: row.get(8)?,
                due: row.get(9)?,
                external_id: row.get(10)?,
                is_to_be_skipped: row.get(11)?,
                is_leading: row.get(12)?,
            })
        })?
        .collect()
}

fn check_job(job: &ExaminedJob, report: &mut DoctorReport) {
    let about = format!("job {}", job.id);
    let Some(status) = JobStatus::from_name(&job.status) else {
        report.problem(
            about,
            format!("this executable does not know its state: {}", job.status),
            "use an executable that a matching version of hpdlc built",
        );
        return;
    };
    if status.is_terminal() != job.ended.is_some() {
        let problem = match job.ended {
            Some(_) => format!("it is {status}, but it has an end time"),
            None => format!("it is {status}, but it has no end time"),
        };
        report.problem(about.clone(), problem, BUG);
    }
    let order = [Some(job.created), job.started, job.ended];
    let times: Vec<i64> = order.into_iter().flatten().collect();
    if times.windows(2).any(|two| two[0] > two[1]) {
        report.note(
            about,
            "its end time is before its start time: the clock was set back",
            "nothing to do; the durations of this job are not reliable",
        );
    }
}

/// Every expected SLA event of a job that has ended must be decided, met or missed. Stores of older formats have no such table.
fn check_slas(
    connection: &Connection,
    by_id: &BTreeMap<&str, &ExaminedJob>,
    report: &mut DoctorReport,
) -> sql::Result<()> {
    if !schema::has_table(connection, "slas")? {
        return Ok(());
    }
    let open: Vec<String> = connection
        .prepare("SELECT DISTINCT job_id FROM slas WHERE is_over = 0 ORDER BY job_id")?
        .query_map([], |row| row.get(0))?
        .collect::<sql::Result<_>>()?;
    for id in open {
        if by_id.get(id.as_str()).is_some_and(|job| job.is_over()) {
            let problem = "it has ended, but its SLA is still monitored";
            report.problem(format!("job {id}"), problem, BUG);
        }
    }
    Ok(())
}

/// A job's root and its parent must exist, and the parent must not end before it.
fn check_family(
    job: &ExaminedJob,
    by_id: &BTreeMap<&str, &ExaminedJob>,
    report: &mut DoctorReport,
) {
    let about = format!("job {}", job.id);
    if !by_id.contains_key(job.root.as_str()) {
        let problem = format!(
            "the job at the top of its tree, {}, does not exist",
            job.root
        );
        report.problem(about, problem, "restore a backup");
        return;
    }
    let Some((parent, node)) = &job.parent else {
        return;
    };
    match by_id.get(parent.as_str()) {
        None => report.problem(
            about,
            format!("its parent {parent} does not exist"),
            "restore a backup",
        ),
        Some(parent) if parent.is_over() && !job.is_over() => report.problem(
            about,
            format!(
                "it is {}, but its parent {} (node {node}) has ended {}",
                job.status, parent.id, parent.status
            ),
            BUG,
        ),
        Some(_) => {}
    }
}

fn check_action(
    job: &ExaminedJob,
    action: &ExaminedAction,
    by_id: &BTreeMap<&str, &ExaminedJob>,
    report: &mut DoctorReport,
) {
    let about = format!("job {}, node {}", job.id, action.name);
    let Some(status) = ActionStatus::from_name(&action.status) else {
        report.problem(
            about,
            format!("this executable does not know its state: {}", action.status),
            "use an executable that a matching version of hpdlc built",
        );
        return;
    };
    // Joins that wait for strands, and nodes without work, are left as they are.
    let is_work = !action.type_name.starts_with(':');
    if job.is_over() && is_work && !status.is_terminal() {
        let problem = format!("it is {status}, but the job has ended {}", job.status);
        report.problem(about.clone(), problem, BUG);
    }
    if status.is_terminal() && action.ended.is_none() {
        report.problem(
            about.clone(),
            format!("it is {status}, but it has no end time"),
            BUG,
        );
    }
    if !status.is_terminal() && action.ended.is_some() {
        report.problem(
            about.clone(),
            format!("it is {status}, but it has an end time"),
            BUG,
        );
    }
    if status.is_terminal() && action.is_leading {
        report.problem(
            about.clone(),
            format!("it is {status}, but the launcher may still start the node that follows it"),
            BUG,
        );
    }
    if action.is_canceling && status != ActionStatus::Killed {
        report.problem(
            about.clone(),
            format!("it is marked to be killed, but it is {status}"),
            BUG,
        );
    }
    if is_work
        && status == ActionStatus::Running
        && (action.attempt < 1 || action.started.is_none())
    {
        report.problem(
            about.clone(),
            "it is RUNNING, but it was never started",
            BUG,
        );
    }
    let waits = matches!(status, ActionStatus::StartRetry | ActionStatus::UserRetry);
    if waits && action.due.is_none() {
        report.problem(
            about.clone(),
            "it is waiting for its next attempt, which has no time",
            BUG,
        );
    }
    let child = action.external_id.as_deref().and_then(|id| by_id.get(id));
    if let ("sub-workflow", ActionStatus::Running, Some(child)) =
        (action.type_name.as_str(), status, child)
        && child.is_over()
    {
        let problem = format!(
            "it is RUNNING, but its job {} has ended {}",
            child.id, child.status
        );
        report.problem(about, problem, BUG);
    }
}

/// Checks a job of this executable's definition against its graph; `false` if the graph is not available.
fn check_graph(
    connection: &Connection,
    job: &ExaminedJob,
    session: &Session,
    report: &mut DoctorReport,
) -> sql::Result<bool> {
    let row = match query::job(connection, &job.id) {
        Ok(Some(row)) if row.hash == session.program.hash => row,
        // An unknown state has been reported already.
        Ok(_) | Err(_) => return Ok(false),
    };
    let Ok(rows) = query::actions(connection, &job.id) else {
        return Ok(false);
    };
    let about = format!("job {}", job.id);
    match Job::load(session.program, &session.home, row, rows) {
        Ok(loaded) => {
            let violations = audit(loaded.app, &loaded.state);
            for violation in violations {
                let name = |node| loaded.def(node).name.to_owned();
                report.problem(about.clone(), violation.describe(name), BUG);
            }
        }
        Err(problem) => report.problem(about, problem, "restore a backup"),
    }
    Ok(true)
}

/// The count of a fork must be that of its live strands: the nodes and the forks in it.
fn check_strands(job: &ExaminedJob, actions: &[ExaminedAction], report: &mut DoctorReport) {
    let mut live: BTreeMap<&str, i64> = BTreeMap::new();
    for action in actions {
        let lives = match action.type_name.as_str() {
            ":FORK:" => action.live_strands > 0,
            ":JOIN:" => false,
            _ => {
                action.is_to_be_skipped
                    || ActionStatus::from_name(&action.status)
                        .is_some_and(|status| !status.is_terminal())
            }
        };
        if let (true, Some(fork)) = (lives, &action.strand) {
            *live.entry(fork).or_default() += 1;
        }
    }
    for fork in actions.iter().filter(|action| action.type_name == ":FORK:") {
        let n_live = live.get(fork.name.as_str()).copied().unwrap_or_default();
        if n_live != fork.live_strands {
            report.problem(
                format!("job {}, fork {}", job.id, fork.name),
                format!(
                    "it counts {} active branches, but {n_live} are active",
                    fork.live_strands
                ),
                BUG,
            );
        }
    }
}

fn check_owner(
    job: &ExaminedJob,
    is_canceling: bool,
    session: &Session,
    report: &mut DoctorReport,
) {
    if job.id != job.root {
        return;
    }
    let about = format!("job {}", job.id);
    let has_owner = session.has_owner(&job.id);
    match job.status.as_str() {
        "RUNNING" if !has_owner => report.note(
            about,
            "it has no owner process",
            &format!("type: recover {}", job.id),
        ),
        // An owner releases the job a moment after the job's end.
        _ if job.is_over() && !is_canceling && has_owner && still_owned(session, &job.id) => {
            report.problem(
                about,
                format!("it has ended {}, but a process still owns it", job.status),
                "kill that process; the job has nothing left to do",
            );
        }
        _ if job.is_over() && is_canceling && !has_owner => report.note(
            about,
            "it has ended, but it is not known whether everything that it started has stopped",
            &format!("type: recover {}", job.id),
        ),
        _ => {}
    }
}

/// Whether it is still owned after the time that a release takes.
fn still_owned(session: &Session, root: &str) -> bool {
    let looks = 20;
    (0..looks).all(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        session.has_owner(root)
    })
}

/// The next job number must be unused.
fn check_numbers(
    connection: &Connection,
    jobs: &[ExaminedJob],
    report: &mut DoctorReport,
) -> sql::Result<()> {
    let highest = jobs
        .iter()
        .filter_map(|job| job.id.split('-').next()?.parse::<i64>().ok())
        .max();
    let last: i64 = connection.query_row(
        "SELECT coalesce(max(value), 0) FROM sequences WHERE name = 'jobs'",
        [],
        |row| row.get(0),
    )?;
    if let Some(highest) = highest.filter(|highest| *highest > last) {
        report.problem(
            "the numbers of jobs",
            format!("the last number given is {last}, but job {highest} exists"),
            "restore a backup",
        );
    }
    Ok(())
}
