//! Reruns of workflow jobs.

use std::{
    collections::BTreeMap,
    thread,
    time::{Duration, Instant},
};

use hpdlc_core::empty_parts;
use hpdlc_engine::{
    control::{
        self, JobOrder, StoredCommand, Verb,
        coordinator_request::{CoordinatorRequest, WorkflowChange},
    },
    detached_owner,
    job::rerun_plan::{self, Busy, PlannedNode, PreparedRerun, RerunChoice},
    owner::{Ownership, Session},
    registry,
};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
    mask::Mask,
    property_names,
};
use hpdlc_program::table::{Entry, applications::workflow_of};
use hpdlc_store::{
    JobRow, LogRow, commands, query, runs,
    sql::{self, Connection},
};
use serde_json::{Value, json};

use super::Rerun;
use crate::commands::{find_job, print, print_json, say};

/// How long the owner of an ended job may take to end its processes.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

impl Rerun {
    pub(super) fn rerun_workflow(
        &self,
        session: &Session,
        job: &JobRow,
        given: BTreeMap<String, String>,
    ) -> Result<Exit, RunError> {
        let given = self.with_choice(given)?;
        let prepared = self.prepare(session, job, &given)?;
        if self.dry_run {
            match self.background.json {
                true => print_json(&to_json(session, job, &prepared))?,
                false => print(&describe(session, job, &prepared))?,
            }
            return Ok(Exit::Success);
        }
        let text = describe(session, job, &prepared);
        let ownership = own(session, job)?;
        // Another process may have rerun it meanwhile.
        let now = find_job(session, &job.id)?;
        let prepared = self.prepare(session, &now, &given)?;
        if now.run != job.run {
            return Err(RunError::usage(format!(
                "job {} was rerun by another process meanwhile: it is {} in run {} (E0805)",
                job.id, now.status, now.run
            )));
        }
        registry::unpack(&session.home, session.program)?;
        let (command, above) = begin(session, &ownership, &prepared)?;
        self.background.tell(text.trim_end());
        if let Some(above) = above
            && let Err(error) = control::see_to(session, &above)
        {
            say(&format!(
                "coordinator {above} has not processed it yet: {}",
                error.message
            ));
        }
        let row = prepared.row;
        let request =
            StoredCommand::of_row(session, &row, JobOrder::Workflow(Verb::Start), command)?;
        let exit = if self.background.waits() {
            self.background.drive(session, ownership, &request, &row)?
        } else {
            drop(ownership);
            request.see_through()?;
            say(&format!("job {} RUNNING in run {}", row.id, row.run));
            Exit::Success
        };
        if job.hash != row.hash {
            registry::sweep(session, &job.hash)?;
        }
        Ok(exit)
    }

    /// The given properties, with those that `--failed` implies.
    fn with_choice(
        &self,
        mut given: BTreeMap<String, String>,
    ) -> Result<BTreeMap<String, String>, RunError> {
        if self.failed {
            let before = given.insert(property_names::FAIL_NODES.to_owned(), "true".to_owned());
            if let Some(before) = before.filter(|before| before.trim() != "true") {
                return Err(RunError::usage(format!(
                    "--failed and {}={before} contradict each other: give one of them (E0404)",
                    property_names::FAIL_NODES
                )));
            }
        }
        Ok(given)
    }

    fn prepare(
        &self,
        session: &Session,
        job: &JobRow,
        given: &BTreeMap<String, String>,
    ) -> Result<PreparedRerun, RunError> {
        let parent = match self.for_parent.as_deref() {
            Some(place) => Some(parse_place(place)?),
            None => None,
        };
        let mut prepared = prepare(session, job, given, parent.is_some())?;
        if let Some((run, attempt)) = parent {
            prepared.row.parent_run = Some(run);
            prepared.row.parent_attempt = Some(attempt);
        }
        Ok(prepared)
    }
}

fn parse_place(place: &str) -> Result<(i64, i64), RunError> {
    let parsed = place
        .split_once(':')
        .and_then(|(run, attempt)| Some((run.parse().ok()?, attempt.parse().ok()?)));
    parsed.ok_or_else(|| RunError::usage(format!("`{place}` is not RUN:ATTEMPT")))
}

/// Validates the rerun, and plans the run.
fn prepare(
    session: &Session,
    job: &JobRow,
    given: &BTreeMap<String, String>,
    is_for_parent: bool,
) -> Result<PreparedRerun, RunError> {
    if !job.status.is_terminal() {
        return Err(RunError::usage(format!(
            "job {} is {}; only a job that has ended can be rerun (E0805)",
            job.id, job.status
        )));
    }
    let connection = session.store()?;
    rerun_plan::action_above(session, &connection, job)?;
    let mut conf = rerun_plan::stored(&job.conf);
    empty_parts::overlay(&mut conf, given.clone());
    if job.parent_node.is_some() && !is_for_parent {
        check_child(session, job, &conf)?;
    }
    let index = app_of(session, job)?;
    let folder = registry::folder(&session.home, session.program);
    let prepared = rerun_plan::prepare(session, &connection, job, index, conf, &folder)?;
    if job.hash != session.program.hash && prepared.row.app != job.app {
        return Err(of_another(session, job, &prepared.row.app));
    }
    Ok(prepared)
}

/// The application of this executable that a job of it, or of another version of it, runs.
fn app_of(session: &Session, job: &JobRow) -> Result<usize, RunError> {
    let program = session.program;
    if job.hash == program.hash {
        return Ok(usize::try_from(job.app_index).unwrap_or(usize::MAX));
    }
    match program.entry {
        Entry::Workflow => Ok(0),
        Entry::Coordinator | Entry::Bundle(_) => {
            let conf = rerun_plan::stored(&job.conf);
            let mut places = 0..program.coordinators.len().max(1);
            places
                .find_map(|place| workflow_of(program, place, &conf, &job.app_path))
                .ok_or_else(|| of_another(session, job, &program.name()))
        }
    }
}

fn of_another(session: &Session, job: &JobRow, own: &str) -> RunError {
    RunError::usage(format!(
        "job {} is one of the workflow {}, and this executable is {own}",
        job.id, job.app
    ))
    .with_help(format!(
        "rerun it with its own executable: {} rerun {}",
        session.home.bin().join(&job.hash).display(),
        job.id
    ))
}

/// Checks a rerun of a sub-workflow's job alone: its parent must not wait for it, and the setting must not forbid it.
fn check_child(
    session: &Session,
    job: &JobRow,
    conf: &BTreeMap<String, String>,
) -> Result<(), RunError> {
    let root = find_job(session, &job.root_id)?;
    let is_disabled = conf
        .get(property_names::DISABLE_CHILD)
        .or_else(|| session.site.get(property_names::DISABLE_CHILD))
        .is_some_and(|text| text.trim() == "true");
    let with_parent = format!(
        "rerun the job at the top, which runs this one again where it has failed: rerun {} --failed",
        root.id
    );
    if is_disabled {
        return Err(RunError::usage(format!(
            "job {} is a sub-workflow's, and {} is true (E0755)",
            job.id,
            property_names::DISABLE_CHILD
        ))
        .with_help(with_parent));
    }
    if !root.status.is_terminal() {
        return Err(RunError::usage(format!(
            "job {} is a sub-workflow's, and {} at its top is {} (E0805)",
            job.id, root.id, root.status
        ))
        .with_help("wait until that has ended"));
    }
    if job.hash != session.program.hash {
        return Err(RunError::usage(format!(
            "job {} is a sub-workflow's of another version of this workflow",
            job.id
        ))
        .with_help(with_parent));
    }
    Ok(())
}

/// Becomes the owner once the previous owner has ended all processes of the job. If that one died while doing so, another owner
/// finishes it: the next run would not know of them.
fn own(session: &Session, job: &JobRow) -> Result<Ownership, RunError> {
    let begun = Instant::now();
    loop {
        match rerun_plan::own(session, &job.root_id)? {
            Ok(ownership) => return Ok(ownership),
            Err(Busy::Canceling) => {
                let root = find_job(session, &job.root_id)?;
                let rest = PATIENCE.saturating_sub(begun.elapsed());
                detached_owner::start(session, &root)?.await_end(rest);
            }
            Err(Busy::Owner) => {}
        }
        if begun.elapsed() > PATIENCE {
            return Err(RunError::usage(format!(
                "job {} has ended, and its owner, {}, is still at work (E0805)",
                job.id,
                session.owner(&job.root_id)?
            ))
            .with_help(
                "it ends processes of the job, or drives a sub-workflow; try again in a moment",
            ));
        }
        let now = find_job(session, &job.id)?;
        if !now.status.is_terminal() {
            return Err(RunError::usage(format!(
                "job {} is {}; only a job that has ended can be rerun (E0805)",
                now.id, now.status
            )));
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// Archives the previous run and requests the start of the next one, in one transaction; the job is PREP then. If it is the
/// workflow of a coordinator's action, the coordinator is notified in it, too. Returns the request's number, and the coordinator.
fn begin(
    session: &Session,
    ownership: &Ownership,
    prepared: &PreparedRerun,
) -> Result<(i64, Option<String>), RunError> {
    let connection = session.store()?;
    registry::keep_executable(&session.home, session.program)?;
    let describe = |error| session.describe(error);
    let write_lock = session.write_lock();
    let write_lock = write_lock.wait();
    let transaction = connection.transaction().map_err(describe)?;
    let row = &prepared.row;
    ownership.check(session, &transaction)?;
    let above = rerun_plan::action_above(session, &transaction, row)?;
    let definition =
        registry::definition(session.program, &row.app, query::ApplicationOrigin::Program);
    registry::keep_executable(&session.home, session.program)?;
    let line = LogRow {
        job_id: row.id.clone(),
        time: clock::now_millis(),
        node: None,
        event: "RERUN".to_owned(),
        message: Some(format!("run {}: {}", row.run, of(&prepared.choice))),
    };
    let command = query::register_definition(&transaction, &definition)
        .and_then(|()| runs::begin(&transaction, &prepared.new_run()))
        .and_then(|()| line.write(&transaction))
        .and_then(|()| commands::add(&transaction, &row.id, Verb::Start.name(), line.time))
        .map_err(describe)?;
    let told = match &above {
        Some((coordinator, action)) => tell(&transaction, row, coordinator, *action, line.time),
        None => Ok(()),
    };
    told.and_then(|()| transaction.commit()).map_err(describe)?;
    drop(write_lock);
    Ok((command, above.map(|(coordinator, _)| coordinator.id)))
}

/// Notifies the coordinator that the workflow of one of its actions runs again.
fn tell(
    connection: &Connection,
    row: &JobRow,
    coordinator: &JobRow,
    action: u64,
    time: i64,
) -> sql::Result<()> {
    let told = CoordinatorRequest::WorkflowChanged(WorkflowChange {
        action,
        workflow: row.id.clone(),
    });
    commands::add(connection, &coordinator.id, &told.to_text(), time).map(drop)
}

fn of(choice: &RerunChoice) -> String {
    match choice {
        RerunChoice::All => "every node".to_owned(),
        RerunChoice::Skip(names) => format!("without {}", names.join(", ")),
        RerunChoice::FailedNodes => "without what ended OK".to_owned(),
    }
}

fn describe(session: &Session, job: &JobRow, prepared: &PreparedRerun) -> String {
    let row = &prepared.row;
    let mut text = format!(
        "rerun of job {} ({}) as run {}: {}\n",
        row.id,
        row.app,
        row.run,
        of(&prepared.choice)
    );
    if job.hash != row.hash {
        text.push_str(&format!(
            "  the job moves from definition {} to {}, this executable's\n",
            job.hash, session.program.hash
        ));
    }
    text.push_str(&mask(row).text(&prepared.plan.describe()));
    text
}

/// The plan for programs. `definition` is there if the job gets another one.
fn to_json(session: &Session, job: &JobRow, prepared: &PreparedRerun) -> Value {
    let row = &prepared.row;
    let mask = mask(row);
    let nodes = prepared.plan.nodes.iter().map(|node| PlannedNode {
        why: mask.text(&node.why),
        ..node.clone()
    });
    let mut plan = json!({
        "id": row.id,
        "app": row.app,
        "run": row.run,
        "choice": of(&prepared.choice),
        "nodes": nodes.collect::<Vec<PlannedNode>>(),
    });
    if job.hash != row.hash {
        plan["definition"] = json!({ "from": job.hash, "to": session.program.hash });
    }
    plan
}

fn mask(row: &JobRow) -> Mask {
    Mask::of(&serde_json::from_str(&row.conf).unwrap_or_default())
}
