//! `info` of coordinators and their actions: what waits, for which data, since when.

use chrono::{DateTime, Utc};
use hpdlc_core::{
    coordinator::{
        ActionCounts, Coordinator, CoordinatorActionStatus, CoordinatorStatus,
        machine::{self, ActionRecord},
    },
    time::ProcessingZone,
};
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock::{self, format_duration},
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_scheduler::{
    clock::Clock,
    coordinator::{self, submission::Revision},
};
use hpdlc_store::{
    self as store, JobRow, SlaRow, coordinators as rows,
    coordinators::{CoordinatorActionRow, CoordinatorRow},
    sql::{self, Connection},
};
use serde_json::{Value, json};

use crate::{
    commands::{
        find::no_action,
        info::{self, columns::Columns, format_age, format_local, slas},
        print, print_json, status_of,
    },
    masks::Masks,
};

/// The number of active actions shown one by one, and of ended ones.
const MAX_SHOWN: usize = 20;

/// What is needed to explain the actions of a coordinator.
pub(in crate::commands) struct Explainer<'c> {
    connection: &'c Connection,
    job: String,
    pub(in crate::commands) zone: ProcessingZone,
    pub(in crate::commands) clock: Clock,
    revisions: Vec<(u32, Result<Revision, RunError>)>,
}

impl<'c> Explainer<'c> {
    pub(in crate::commands) fn new(
        session: &Session,
        connection: &'c Connection,
        job: &JobRow,
        row: &CoordinatorRow,
    ) -> Result<Explainer<'c>, RunError> {
        let stored =
            rows::revisions(connection, &job.id).map_err(|error| session.describe(error))?;
        let revisions = stored
            .into_iter()
            .map(|stored| {
                let number = stored.revision;
                (number, coordinator::of_row(session, job, stored))
            })
            .collect();
        Ok(Explainer {
            connection,
            job: job.id.clone(),
            zone: coordinator::submission::processing_zone(&session.site)?,
            clock: Clock::stored(row.clock.as_deref()),
            revisions,
        })
    }

    fn revision(&self, number: u32) -> Option<&Revision> {
        let mut revisions = self.revisions.iter();
        let (_, revision) = revisions.find(|(other, _)| *other == number)?;
        revision.as_ref().ok()
    }

    /// The data that an action waits for: fixed instances, in the order in which they are checked.
    pub(in crate::commands) fn missing(&self, record: &ActionRecord) -> Vec<machine::Missing> {
        if record.status != CoordinatorActionStatus::Waiting {
            return Vec::new();
        }
        match self.revision(record.revision) {
            Some(revision) => machine::missing(&revision.coordinator, record),
            None => Vec::new(),
        }
    }

    /// What an action waits for, as text; `None` if it does not wait.
    pub(in crate::commands) fn why(&self, record: &ActionRecord) -> Option<String> {
        let now = self.clock.now();
        match record.status {
            CoordinatorActionStatus::Waiting => {
                let since = format_duration((now - record.since).num_milliseconds());
                let missing = self.missing(record);
                let words = match missing.as_slice() {
                    [] if now < record.nominal => "its time".to_owned(),
                    [] if self.searches(record) => {
                        "enough instances for latest or future".to_owned()
                    }
                    [] => "being looked at".to_owned(),
                    [first, more @ ..] => {
                        let mut words = format!(
                            "{} of {} ({}): {}",
                            self.zone.write(first.instance),
                            first.dataset,
                            first.event,
                            first.uri
                        );
                        if !more.is_empty() {
                            words.push_str(&format!(", and {} more", more.len()));
                        }
                        words
                    }
                };
                let mut words = format!("waits for {words}, {since}");
                if let Some(timeout) = record.timeout {
                    let left = record.since + chrono::Duration::minutes(timeout + 1) - now;
                    let left = format_duration(left.num_milliseconds());
                    words.push_str(&format!("; times out in {left}"));
                }
                if let Some(error) = &record.error {
                    words.push_str(&format!("; {}: {}", error.code, error.message));
                }
                Some(words)
            }
            CoordinatorActionStatus::Ready => {
                Some("waits for others to end: the concurrency limit is reached".to_owned())
            }
            CoordinatorActionStatus::Submitted
            | CoordinatorActionStatus::Running
            | CoordinatorActionStatus::Suspended
            | CoordinatorActionStatus::TimedOut
            | CoordinatorActionStatus::Succeeded
            | CoordinatorActionStatus::Killed
            | CoordinatorActionStatus::Failed
            | CoordinatorActionStatus::Ignored
            | CoordinatorActionStatus::Skipped => None,
        }
    }

    fn searches(&self, record: &ActionRecord) -> bool {
        let data = self
            .revision(record.revision)
            .and_then(|revision| revision.coordinator.data_of(record.nominal).ok());
        data.is_some_and(|data| data.inputs.iter().any(|input| !input.searches.is_empty()))
    }

    /// The definition by which a coordinator creates its actions now.
    pub(in crate::commands) fn current(&self, row: &CoordinatorRow) -> Option<&Coordinator> {
        let revision = self.revision(row.record.revision)?;
        Some(&revision.coordinator)
    }

    /// The SLA of an action.
    fn sla(&self, number: u64) -> sql::Result<Option<SlaRow>> {
        let mut revisions = self.revisions.iter().map(|(_, revision)| revision);
        let has_any =
            revisions.any(|revision| revision.as_ref().is_ok_and(|it| !it.texts.sla.is_empty()));
        if !has_any {
            return Ok(None);
        }
        store::slas::of_action(self.connection, &self.job, number)
    }

    /// The format of `actions --json`.
    pub(in crate::commands) fn json(&self, row: &CoordinatorActionRow) -> sql::Result<Value> {
        let CoordinatorActionRow {
            record,
            workflow_id,
        } = row;
        let missing = self.missing(record);
        let uris: Vec<&str> = missing.iter().map(|missing| missing.uri.as_str()).collect();
        let waits: Value = missing
            .iter()
            .map(|missing| {
                json!({
                    "event": missing.event,
                    "dataset": missing.dataset,
                    "instance": self.zone.write(missing.instance),
                    "uri": missing.uri,
                })
            })
            .collect();
        let sla = self.sla(record.number)?;
        Ok(json!({
            "id": format!("{}@{}", self.job, record.number),
            "number": record.number,
            "status": record.status.name(),
            "nominal_time": self.zone.write(record.nominal),
            "created": clock::format_millis(record.created.timestamp_millis()),
            "workflow_id": workflow_id,
            "missing": uris,
            "error_code": record.error.as_ref().map(|error| &error.code),
            "error_message": record.error.as_ref().map(|error| &error.message),
            "waits": waits,
            "since": clock::format_millis(record.since.timestamp_millis()),
            "why": self.why(record),
            "run": record.run,
            "sla": sla.as_ref().map(slas::row_json),
        }))
    }
}

/// A coordinator with its row.
pub(in crate::commands) fn coordinator_of(
    session: &Session,
    connection: &Connection,
    job: &JobRow,
) -> Result<CoordinatorRow, RunError> {
    rows::coordinator(connection, &job.id)
        .map_err(|error| session.describe(error))?
        .ok_or_else(|| {
            RunError::machine(format!("coordinator {} is no longer in the store", job.id))
        })
}

/// `info --json` of a coordinator.
pub(super) fn to_json(session: &Session, job: &JobRow) -> Result<Value, RunError> {
    let connection = session.store()?;
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let conf = serde_json::from_str(&job.conf).unwrap_or_default();
    let masks = Masks::of(session, job)?;
    let mut value = info::job_json(job);
    let record = &row.record;
    let date = |time: DateTime<Utc>| explainer.zone.write(time);
    value["status"] = record.status.name().into();
    value["conf"] = json!(masks.properties(&conf));
    let current = explainer.current(&row);
    let frequency = current.map(|current| current.schedule.frequency.in_units());
    let (number, unit) = match &frequency {
        Some((number, unit)) => (number.as_str(), Some(*unit)),
        None => (row.frequency.as_str(), None),
    };
    value["frequency"] = number.into();
    value["time_unit"] = unit.into();
    let zone = current.map(|current| current.schedule.zone.to_string());
    value["timezone"] = zone.unwrap_or_else(|| row.timezone.clone()).into();
    value["start_time"] = date(row.start).into();
    value["end_time"] = date(record.end).into();
    value["pause_time"] = record.pause_time.map(date).into();
    value["next_time"] = record.next_time.map(date).into();
    value["concurrency"] = record.concurrency.into();
    value["revision"] = record.revision.into();
    let counts = rows::counts(&connection, &job.id).map_err(|error| session.describe(error))?;
    value["counts"] = CoordinatorActionStatus::ALL
        .into_iter()
        .filter(|status| counts.of(*status) > 0)
        .map(|status| (status.name().to_owned(), Value::from(counts.of(status))))
        .collect::<serde_json::Map<_, _>>()
        .into();
    let mut actions = Vec::new();
    rows::each_action(&connection, &job.id, |action| {
        actions.push(explainer.json(&action)?);
        Ok::<(), sql::Error>(())
    })
    .map_err(|error| session.describe(error))?;
    value["actions"] = actions.into();
    masks.json(&mut value);
    Ok(value)
}

/// `info` of a coordinator as text.
pub(super) fn to_text(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let masks = Masks::of(session, job)?;
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let record = &row.record;
    let date = |time: DateTime<Utc>| explainer.zone.write(time);
    let optional = |time: Option<DateTime<Utc>>| time.map_or_else(|| "-".to_owned(), date);
    let now = clock::now_millis();
    let mut text = format!(
        "Coordinator  {}\nName         {}\nStatus       {}",
        job.id,
        job.app,
        info::painted(record.status.name())
    );
    let (frequency, timezone) = match explainer.current(&row) {
        Some(current) => {
            let schedule = &current.schedule;
            (schedule.frequency.to_string(), schedule.zone.to_string())
        }
        None => (row.frequency.clone(), row.timezone.clone()),
    };
    text.push_str(&info::driven_by(session, job)?);
    text.push_str(&format!(
        "\nUser         {}\nCreated      {}  {} ago\nFrequency    {} in {}\nStart        {}\nEnd          {}\n",
        job.user,
        format_local(Some(job.created)),
        format_age(now - job.created),
        frequency,
        timezone,
        date(row.start),
        date(record.end),
    ));
    text.push_str(&info::key_line(job, 13));
    if record.pause_time.is_some() {
        text.push_str(&format!("Pause        {}\n", optional(record.pause_time)));
    }
    let next = record.next_time.filter(|_| !record.is_done);
    text.push_str(&format!("Next         {}\n", optional(next)));
    if let Some(speed) = explainer.clock.speed() {
        text.push_str(&format!(
            "Clock        {} ({speed} times as fast)\n",
            date(explainer.clock.now())
        ));
    }
    if let Some(parent) = &job.parent_id {
        text.push_str(&format!("Bundle       {parent}\n"));
    }
    if record.revision > 1 {
        text.push_str(&format!("Revision     {}\n", record.revision));
    }
    let counts = rows::counts(&connection, &job.id).map_err(describe)?;
    text.push_str(&format!("Actions      {}\n", counted(&counts)));
    let living = rows::living(&connection, &job.id).map_err(describe)?;
    let first = record.last_number.saturating_sub(MAX_SHOWN as u64 - 1);
    let mut over = Vec::new();
    for number in first.max(1)..=record.last_number {
        let action = rows::action(&connection, &job.id, number).map_err(describe)?;
        over.extend(action.filter(|action| action.record.is_at_rest()));
    }
    let n_living = living.len();
    let mut columns = Columns::new(&["ACTION", "NOMINAL TIME", "STATUS", "WORKFLOW"]).states(2);
    for action in over.into_iter().chain(living.into_iter().take(MAX_SHOWN)) {
        add_row(&mut columns, &explainer, &action).map_err(describe)?;
    }
    if record.last_number > 0 {
        text.push_str(&format!("\n{}", columns.text()));
    }
    if n_living > MAX_SHOWN {
        text.push_str(&format!(
            "... and {} more that wait or run; all: actions {}\n",
            n_living - MAX_SHOWN,
            job.id
        ));
    }
    if let Some(next) = next_step(session, job)? {
        text.push_str(&format!("\n{next}\n"));
    }
    Ok(masks.text(&text))
}

/// `3 RUNNING, 12 SUCCEEDED`.
pub(super) fn counted(counts: &ActionCounts) -> String {
    let counted: Vec<String> = CoordinatorActionStatus::ALL
        .into_iter()
        .filter(|status| counts.of(*status) > 0)
        .map(|status| format!("{} {status}", counts.of(status)))
        .collect();
    if counted.is_empty() {
        "none yet".to_owned()
    } else {
        counted.join(", ")
    }
}

/// Adds an action as a row, with a note below it that says why it waits.
pub(in crate::commands) fn add_row(
    columns: &mut Columns,
    explainer: &Explainer<'_>,
    action: &CoordinatorActionRow,
) -> sql::Result<()> {
    let record = &action.record;
    columns.row(vec![
        record.number.to_string(),
        explainer.zone.write(record.nominal),
        record.status.to_string(),
        action.workflow_id.clone().unwrap_or_else(|| "-".to_owned()),
    ]);
    if let Some(why) = explainer.why(record) {
        columns.note(why);
    } else if let Some(error) = &record.error {
        columns.note(format!("{}: {}", error.code, error.message));
    }
    if let Some(missed) = explainer
        .sla(record.number)?
        .and_then(|sla| slas::missed(&sla))
    {
        columns.note(missed);
    }
    Ok(())
}

/// `info C@3`.
pub(super) fn show_action(
    session: &Session,
    job: &JobRow,
    number: u64,
    json: bool,
) -> Result<Exit, RunError> {
    let connection = session.store()?;
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let describe = |error| session.describe(error);
    let action = rows::action(&connection, &job.id, number)
        .map_err(describe)?
        .ok_or_else(|| no_action(job, number))?;
    let masks = Masks::of(session, job)?;
    if json {
        let mut value = explainer.json(&action).map_err(describe)?;
        masks.json(&mut value);
        print_json(&value)?;
    } else {
        let mut columns = Columns::new(&["ACTION", "NOMINAL TIME", "STATUS", "WORKFLOW"]).states(2);
        add_row(&mut columns, &explainer, &action).map_err(describe)?;
        let mut text = columns.text();
        if let Some(sla) = explainer.sla(number).map_err(describe)? {
            text.push_str(&format!("\n{}\n", slas::to_text(&[sla])));
        }
        for missing in explainer.missing(&action.record) {
            text.push_str(&format!(
                "missing: {} of {} ({}): {}\n",
                explainer.zone.write(missing.instance),
                missing.dataset,
                missing.event,
                missing.uri
            ));
        }
        if let Some(workflow) = &action.workflow_id {
            text.push_str(&format!("its workflow: info {workflow}\n"));
        }
        print(&masks.text(&text))?;
    }
    Ok(Exit::Success)
}

/// What the user can do about a coordinator or a bundle that waits for the user.
pub(super) fn next_step(session: &Session, job: &JobRow) -> Result<Option<String>, RunError> {
    use CoordinatorStatus as C;
    let status = status_of(session, job)?;
    let word = JobKind::of(&job.id).word();
    let (id, is_driven) = (&job.id, session.has_owner(&job.root_id));
    Ok(match CoordinatorStatus::from_name(&status) {
        Some(C::Prep | C::PrepPaused) if job.started.is_none() => {
            Some(format!("not started yet; start it with: start {id}"))
        }
        Some(C::PrepSuspended | C::Suspended | C::SuspendedWithError) => {
            Some(format!("suspended; continue with: resume {id}"))
        }
        Some(C::Paused | C::PausedWithError) => {
            Some(format!("paused; continue with: change {id} --pausetime ''"))
        }
        Some(C::Prep | C::PrepPaused | C::Running | C::RunningWithError) if !is_driven => Some(
            format!("no process drives this {word}; continue with: recover {id}"),
        ),
        _ => None,
    })
}
