//! `rerun`: a job that has ended runs again, without what need not.

use std::{
    thread,
    time::{Duration, Instant},
};

use clap::Args;
use hpdlc_core::status::JobStatus;
use rusqlite::TransactionBehavior;

use crate::{
    bundle, clock,
    commands::{Given, background::Background, find, find_job, print, say, scheduled::Selected},
    control::{Order, Request, Verb},
    coordinator, detached,
    exit::{Exit, RunError},
    ids::Kind,
    owner::{Ownership, Session},
    registry,
    rerun::{self, Choice, Plan},
    settings::Settings,
    sla,
    store::{JobRow, LogRow, NewRun, SlaRow, commands, query, runs, writer},
    submit,
};

/// How long the owner of a job that has ended may take to end its processes.
const PATIENCE: Duration = Duration::from_secs(30);
const LOOK_AGAIN: Duration = Duration::from_millis(20);

#[derive(Debug, Args)]
pub(super) struct Rerun {
    #[arg(help = find::JOB)]
    id: String,
    #[command(flatten)]
    given: Given,
    /// Only say which nodes would run and which would be skipped
    #[arg(long)]
    dry_run: bool,
    /// The run and the attempt of the parent's action that the child runs again for
    #[arg(long, hide = true, value_name = "RUN:ATTEMPT")]
    for_parent: Option<String>,
    #[command(flatten)]
    background: Background,
    #[command(flatten)]
    selected: Selected,
    /// Of a bundle: coordinators by their names in it
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    coordinator: Vec<String>,
    /// Of a coordinator: make the actions anew, by its present definition and properties
    #[arg(long)]
    refresh: bool,
    /// Of a coordinator: leave what the actions have put out where it is
    #[arg(long)]
    nocleanup: bool,
    /// Of a coordinator: run only what has failed in the workflows
    #[arg(long, conflicts_with = "refresh")]
    failed: bool,
}

/// What a rerun would make of a job.
struct Prepared {
    row: JobRow,
    plan: Plan,
    choice: Choice,
    slas: Vec<SlaRow>,
}

impl Rerun {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let given = self.given.read()?;
        let job = find_job(session, &self.id)?;
        match Kind::of(&job.id) {
            Kind::Workflow => {}
            Kind::Coordinator => return self.rerun_actions(session, &job),
            Kind::Bundle => return self.rerun_coordinators(session, &job),
        }
        let prepared = self.prepare(session, &job, &given)?;
        let text = describe(session, &job, &prepared);
        if self.dry_run {
            print(&text)?;
            return Ok(Exit::Success);
        }
        self.background.tell(text.trim_end());
        let ownership = own(session, &job)?;
        // Another rerun may have come first.
        let now = find_job(session, &job.id)?;
        let prepared = self.prepare(session, &now, &given)?;
        if now.run != job.run {
            return Err(RunError::usage(format!(
                "job {} was rerun by somebody else meanwhile: it is {} in run {} (E0805)",
                job.id, now.status, now.run
            )));
        }
        let command = begin(session, &ownership, &prepared)?;
        let row = prepared.row;
        let request = Request::of_row(session, &row, Order::Workflow(Verb::Start), command)?;
        let exit = if self.background.waits() {
            self.background.drive(session, ownership, &request, &row)?
        } else {
            drop(ownership);
            request.see_through()?;
            say(&format!(
                "job {} {} in run {}",
                row.id,
                JobStatus::Running,
                row.run
            ));
            Exit::Success
        };
        if job.hash != row.hash {
            registry::sweep(session, &job.hash)?;
        }
        Ok(exit)
    }

    fn prepare(
        &self,
        session: &Session,
        job: &JobRow,
        given: &std::collections::BTreeMap<String, String>,
    ) -> Result<Prepared, RunError> {
        let parent = self.for_parent.as_deref().and_then(|place| {
            let (run, attempt) = place.split_once(':')?;
            Some((run.parse::<i64>().ok()?, attempt.parse::<i64>().ok()?))
        });
        let mut prepared = prepare(session, job, given, parent.is_some())?;
        if let Some((run, attempt)) = parent {
            prepared.row.parent_run = Some(run);
            prepared.row.parent_attempt = Some(attempt);
        }
        Ok(prepared)
    }
}

impl Rerun {
    /// Actions of a coordinator, in the background.
    fn rerun_actions(&self, session: &Session, job: &JobRow) -> Result<Exit, RunError> {
        let Some(selection) = self.selected.selection() else {
            return Err(RunError::usage("which actions are to run again? (E1018)")
                .with_help("name them by --action 1,3-4 or --date FROM::TO"));
        };
        let request = coordinator::request::Request::Rerun(coordinator::request::RerunRequest {
            selection,
            refresh: self.refresh,
            nocleanup: self.nocleanup,
            failed: self.failed,
        });
        self.background
            .ask(session, job, Order::Coordinator(&request))
    }

    /// Coordinators of a bundle, in the background.
    fn rerun_coordinators(&self, session: &Session, job: &JobRow) -> Result<Exit, RunError> {
        let dates = self.selected.dates();
        if self.selected.has_numbers() || (self.coordinator.is_empty() && dates.is_none()) {
            return Err(
                RunError::usage("which coordinators are to run again? (E1018)").with_help(
                    "name them by --coordinator NAME, or their actions by --date FROM::TO",
                ),
            );
        }
        let request = bundle::Request::Rerun(bundle::RerunRequest {
            coordinators: self.coordinator.clone(),
            dates: dates.cloned(),
            refresh: self.refresh,
            nocleanup: self.nocleanup,
        });
        self.background.ask(session, job, Order::Bundle(&request))
    }
}

/// Checks everything that can be wrong, and plans the run.
fn prepare(
    session: &Session,
    job: &JobRow,
    given: &std::collections::BTreeMap<String, String>,
    is_for_parent: bool,
) -> Result<Prepared, RunError> {
    if !job.status.is_terminal() {
        return Err(RunError::usage(format!(
            "job {} is {}; only a job that has ended can be rerun (E0805)",
            job.id, job.status
        )));
    }
    let mut conf = rerun::stored(&job.conf);
    conf.extend(given.clone());
    let app_index = if job.parent_node.is_some() {
        if !is_for_parent {
            check_child(session, job, &conf)?;
        }
        usize::try_from(job.app_index).unwrap_or(usize::MAX)
    } else {
        0
    };
    let Some(&app) = session.program.apps.get(app_index) else {
        return Err(RunError::machine(format!(
            "job {} belongs to no application of this executable",
            job.id
        )));
    };
    let choice = rerun::choice(&conf).map_err(RunError::usage)?;
    let folder = registry::unpack(&session.home, session.program)?;
    // The folder of the old definition's files is not that of the new one's.
    let old_folder = session.home.apps().join(&job.hash).display().to_string();
    if conf.get(submit::APP_PATH_PROPERTY) == Some(&old_folder) {
        conf.insert(submit::APP_PATH_PROPERTY.to_owned(), folder.clone());
    }
    let submission = submit::complete(app, conf, &folder, &job.user)?;
    if job.hash != session.program.hash && submission.app_name != job.app {
        return Err(RunError::usage(format!(
            "job {} is one of the workflow {}, and this executable is {}",
            job.id, job.app, submission.app_name
        ))
        .with_help(format!(
            "rerun it with its own executable: {} rerun {}",
            session.home.bin().join(&job.hash).display(),
            job.id
        )));
    }
    let connection = session.store()?;
    let rows = query::actions(&connection, &job.id).map_err(|error| session.describe(error))?;
    let run = job.run + 1;
    let plan = rerun::plan(app, &rows, &choice, run).map_err(RunError::usage)?;
    let last_error_node = job
        .last_error_node
        .clone()
        .filter(|name| plan.skipped.contains_key(name));
    let row = JobRow {
        app: submission.app_name,
        app_path: submission.app_path,
        status: JobStatus::Prep,
        run,
        started: None,
        ended: None,
        conf: serde_json::to_string(&submission.conf).expect("a map of strings is JSON"),
        hash: session.program.hash.to_owned(),
        last_error_node,
        error_code: None,
        error_message: None,
        ..job.clone()
    };
    let settings = Settings {
        conf: &submission.conf,
        site: &session.site,
    };
    let slas = sla::registered(&row.id, &submission.slas, settings);
    Ok(Prepared {
        row,
        plan,
        choice,
        slas,
    })
}

/// A sub-workflow's job by itself: its parent must not wait for it, and nobody may have forbidden it.
fn check_child(
    session: &Session,
    job: &JobRow,
    conf: &std::collections::BTreeMap<String, String>,
) -> Result<(), RunError> {
    let root = find_job(session, &job.root_id)?;
    let is_disabled = conf
        .get(rerun::DISABLE_CHILD)
        .or_else(|| session.site.get(rerun::DISABLE_CHILD))
        .is_some_and(|text| text.trim() == "true");
    let with_parent = format!(
        "rerun the job at the top, which runs this one again where it has failed: rerun {} -D {}=true",
        root.id,
        rerun::FAIL_NODES
    );
    if is_disabled {
        return Err(RunError::usage(format!(
            "job {} is a sub-workflow's, and {} is true (E0755)",
            job.id,
            rerun::DISABLE_CHILD
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

/// Becomes the owner once the last one has ended all processes of the job. Where that has died in the middle of it, another one
/// sees it through: the next run would not know of them.
fn own(session: &Session, job: &JobRow) -> Result<Ownership, RunError> {
    let begun = Instant::now();
    loop {
        if let Some(ownership) = session.own(&job.root_id)? {
            let is_canceling = query::is_canceling(&session.store()?, &job.root_id)
                .map_err(|error| session.describe(error))?;
            if !is_canceling {
                return Ok(ownership);
            }
            drop(ownership);
            let root = find_job(session, &job.root_id)?;
            detached::start(session, &root)?.await_end(PATIENCE.saturating_sub(begun.elapsed()));
        }
        if begun.elapsed() > PATIENCE {
            return Err(RunError::usage(format!(
                "job {} has ended, and its owner, process {}, is still at work (E0805)",
                job.id,
                session.owner_pid(&job.root_id)?.unwrap_or_default()
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

/// Puts the former run aside and asks for the start of the next, in one transaction; the job is PREP then. Returns the
/// request's number.
fn begin(session: &Session, ownership: &Ownership, prepared: &Prepared) -> Result<i64, RunError> {
    let mut connection = session.store()?;
    registry::keep_executable(&session.home, session.program)?;
    let describe = |error| session.describe(error);
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(describe)?;
    let row = &prepared.row;
    ownership.check(session, &transaction)?;
    let definition = registry::definition(session.program, &row.app, query::Door::Program);
    registry::keep_executable(&session.home, session.program)?;
    let new_run = NewRun {
        job: row.clone(),
        skipped: prepared.plan.stored_skips(),
        slas: prepared.slas.clone(),
    };
    let line = LogRow {
        job_id: row.id.clone(),
        time: clock::now_millis(),
        node: None,
        event: "RERUN".to_owned(),
        message: Some(format!("run {}: {}", row.run, of(&prepared.choice))),
    };
    query::register_definition(&transaction, &definition)
        .and_then(|()| runs::begin(&transaction, &new_run))
        .and_then(|()| writer::write_log(&transaction, &line))
        .and_then(|()| commands::add(&transaction, &row.id, Verb::Start.name(), line.time))
        .and_then(|command| transaction.commit().map(|()| command))
        .map_err(describe)
}

fn of(choice: &Choice) -> String {
    match choice {
        Choice::All => "every node".to_owned(),
        Choice::Skip(names) => format!("without {}", names.join(", ")),
        Choice::FailedNodes => "without what ended OK".to_owned(),
    }
}

fn describe(session: &Session, job: &JobRow, prepared: &Prepared) -> String {
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
    let conf = serde_json::from_str(&row.conf).unwrap_or_default();
    text.push_str(&crate::secrets::Mask::of(&conf).text(&prepared.plan.describe()));
    text
}
