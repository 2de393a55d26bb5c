//! `update`: changes a coordinator to this executable's definition, or to other properties.

use std::collections::BTreeMap;

use clap::Args;
use hpdlc_core::empty_parts;
use hpdlc_engine::{
    control::{
        self, JobOrder,
        coordinator_request::{CoordinatorRequest, CoordinatorUpdate},
    },
    detached_owner,
    owner::Session,
    registry,
};
use hpdlc_host::{
    bell, clock,
    exit::{Exit, RunError},
    job_id::JobKind,
    mask::Mask,
};
use hpdlc_program::{
    coordinator_texts::CoordinatorTexts,
    table::{self, Entry, applications::COORDINATOR_PATH},
};
use hpdlc_scheduler::coordinator::submission::{Revision, SubmissionContext};
use hpdlc_store::{
    JobRow, commands,
    coordinators::{self as rows},
    query::{self, ApplicationOrigin},
};

use crate::commands::{
    PropertySources,
    linked::Linked,
    print, say,
    scheduled::{self, print_difference},
};

/// Evaluates a coordinator from its table and properties.
pub type EvaluateRevision = fn(
    &'static table::Coordinator,
    BTreeMap<String, String>,
    SubmissionContext<'_>,
) -> Result<Revision, RunError>;

/// The scheduler's implementation, if it is linked.
pub static SCHEDULED: Linked<EvaluateRevision> = Linked::new();

#[derive(Debug, Args)]
pub(super) struct Update {
    /// The coordinator
    id: String,
    #[command(flatten)]
    given: PropertySources,
    /// Only show what would differ
    #[arg(long)]
    dry_run: bool,
}

impl Update {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = scheduled::find_job_of(session, &self.id, &[JobKind::Coordinator], "update")?;
        let given = self.given.read()?;
        let request = prepare(session, &job, given)?;
        let order = CoordinatorRequest::Update(Box::new(request.clone()));
        control::check(session, &job, JobOrder::Coordinator(&order))?;
        let (before, conf) = present(session, &job)?;
        let mask = Mask::of(&conf);
        let new_mask = Mask::of(&request.conf);
        let definition = print_difference("definition", &before.lines(), &request.texts.lines())?;
        let properties = print_difference(
            "properties",
            &lines(&mask, &conf),
            &lines(&new_mask, &request.conf),
        )?;
        if !definition && !properties && request.hash == job.hash {
            say("nothing differs");
            return Ok(Exit::Success);
        }
        if job.hash != request.hash {
            print(&format!(
                "definition {} becomes {}\n",
                job.hash, request.hash
            ))?;
        }
        if self.dry_run {
            return Ok(Exit::Success);
        }
        let command = put(session, &job, &request, &order)?;
        bell::ring(&session.home, &job.root_id);
        control::StoredCommand::of_row(session, &job, JobOrder::Coordinator(&order), command)?
            .see_through()?;
        let job = crate::commands::find_job(session, &job.id)?;
        // Its owner has the old definition, and releases the job.
        let needs_owner = job.status == hpdlc_core::status::JobStatus::Running;
        if needs_owner && job.hash == session.program.hash {
            await_former(session, &job);
            detached_owner::start(session, &job)?;
        }
        say(&format!(
            "coordinator {} updated: further actions are made by definition {}",
            job.id, job.hash
        ));
        Ok(Exit::Success)
    }
}

/// Waits for the owner that has carried out an update to another definition to end; a new one could not take the lock before.
fn await_former(session: &Session, job: &JobRow) {
    const LOOKS: u32 = 500;
    for _ in 0..LOOKS {
        if !session.has_owner(&job.id) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
}

/// The coordinator as defined by this executable, with these properties over its own.
fn prepare(
    session: &Session,
    job: &JobRow,
    given: BTreeMap<String, String>,
) -> Result<CoordinatorUpdate, RunError> {
    let index = match session.program.entry {
        Entry::Coordinator => 0,
        Entry::Workflow | Entry::Bundle(_) => usize::try_from(job.app_index).unwrap_or(usize::MAX),
    };
    let table = session.program.coordinators.get(index);
    let (Some(&table), Some(evaluate)) = (table, SCHEDULED.of(session.program)) else {
        return Err(RunError::usage(format!(
            "this executable is no coordinator: it has nothing to update {} with",
            job.id
        )));
    };
    let folder = if table.includes.is_empty() {
        registry::folder(&session.home, session.program)
    } else {
        // The included files may be among them.
        registry::unpack(&session.home, session.program)?
    };
    let mut conf: BTreeMap<String, String> = serde_json::from_str(&job.conf).unwrap_or_default();
    // The unpacked files of the old definition are in another folder than those of the new one.
    let old_folder = session.home.apps().join(&job.hash).display().to_string();
    if conf.get(COORDINATOR_PATH) == Some(&old_folder) {
        conf.insert(COORDINATOR_PATH.to_owned(), folder.clone());
    }
    empty_parts::overlay(&mut conf, given);
    let around = SubmissionContext {
        program: session.program,
        folder: &folder,
        user: &job.user,
        site: &session.site,
        name: job.parent_node.as_deref(),
    };
    let revision = evaluate(table, conf, around)?;
    Ok(CoordinatorUpdate {
        hash: revision.hash.clone(),
        app: revision.coordinator.name.clone(),
        conf: revision.conf,
        texts: revision.texts,
    })
}

/// The current texts and properties of the coordinator.
fn present(
    session: &Session,
    job: &JobRow,
) -> Result<(CoordinatorTexts, BTreeMap<String, String>), RunError> {
    let connection = session.store()?;
    let revisions =
        rows::revisions(&connection, &job.id).map_err(|error| session.describe(error))?;
    let unreadable = || {
        RunError::machine(format!(
            "coordinator {} cannot be read from the store",
            job.id
        ))
    };
    let last = revisions.last().ok_or_else(unreadable)?;
    let texts = serde_json::from_str(&last.texts).map_err(|_| unreadable())?;
    let conf = serde_json::from_str(&last.conf).map_err(|_| unreadable())?;
    Ok((texts, conf))
}

fn lines(mask: &Mask, conf: &BTreeMap<String, String>) -> Vec<String> {
    let shown = mask.properties(conf);
    shown
        .into_iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .collect()
}

/// Requests the update, in the transaction that registers this executable: a process that removes unused executables sees both or
/// neither. Returns the command's number.
fn put(
    session: &Session,
    job: &JobRow,
    request: &CoordinatorUpdate,
    order: &CoordinatorRequest,
) -> Result<i64, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    registry::unpack(&session.home, session.program)?;
    registry::keep_executable(&session.home, session.program)?;
    let write_lock = session.write_lock();
    let _write_lock = write_lock.wait();
    let transaction = connection.transaction().map_err(describe)?;
    registry::keep_executable(&session.home, session.program)?;
    let definition =
        registry::definition(session.program, &request.app, ApplicationOrigin::Program);
    query::register_definition(&transaction, &definition).map_err(describe)?;
    let command = commands::add(&transaction, &job.id, &order.to_text(), clock::now_millis())
        .map_err(describe)?;
    transaction.commit().map_err(describe)?;
    Ok(command)
}
