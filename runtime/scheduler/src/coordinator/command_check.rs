//! Checks commands on a coordinator: which actions they select, and why they would be refused.
//!
//! Used by its driver and by the command line: a command refused here is refused before anything is written.

use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use hpdlc_core::coordinator::machine::{
    self, CommandRefusal, CoordinatorChange, CoordinatorEvent, CoordinatorState, NewStatus, Rerun,
    Revisions, Scope,
};
use hpdlc_engine::{
    control::coordinator_request::{
        CoordinatorRequest, CoordinatorRerun, CoordinatorUpdate, Selection,
    },
    owner::Session,
};
use hpdlc_host::exit::RunError;
use hpdlc_store::{
    JobRow,
    coordinators::{self as rows, CoordinatorActionRow},
    query,
    sql::{self, Connection},
};

use crate::{
    clock::Clock,
    coordinator::{
        StoredCoordinator,
        submission::{Revision, compiled_texts},
    },
};

/// Why a command is not carried out, with Oozie's code.
pub type Refused = String;

/// The state of a coordinator, of its driver or of the store.
pub struct KnownCoordinator<'a> {
    pub session: &'a Session,
    pub connection: &'a Connection,
    pub row: &'a JobRow,
    pub revisions: &'a BTreeMap<u32, Rc<Revision>>,
    pub definitions: &'a Revisions,
    pub state: &'a CoordinatorState,
    /// Whether it was started; one that was only submitted waits.
    pub is_started: bool,
}

impl StoredCoordinator {
    pub fn known<'a>(
        &'a self,
        session: &'a Session,
        connection: &'a Connection,
    ) -> KnownCoordinator<'a> {
        KnownCoordinator {
            session,
            connection,
            row: &self.row,
            revisions: &self.revisions,
            definitions: &self.definitions,
            state: &self.state,
            is_started: self.row.started.is_some()
                || self.row.status != hpdlc_core::status::JobStatus::Prep,
        }
    }

    /// By the coordinator's clock.
    pub fn now(&self) -> chrono::DateTime<chrono::Utc> {
        Clock::stored(self.coordinator.clock.as_deref()).now()
    }

    /// The coordinator's state after `request`, unless it would refuse it.
    ///
    /// # Errors
    ///
    /// The refusal.
    pub fn foresee(
        &self,
        session: &Session,
        connection: &Connection,
        request: &CoordinatorRequest,
    ) -> Result<CoordinatorState, Refused> {
        let known = self.known(session, connection);
        if let CoordinatorRequest::Update(update) = request {
            known.check_update(update)?;
            return Ok(self.state.clone());
        }
        if let CoordinatorRequest::Sla(request) = request {
            known.sla_changes(request)?;
            return Ok(self.state.clone());
        }
        if let CoordinatorRequest::Rerun(rerun) = request {
            if known.awaits_kill(rerun) {
                // Its owner carries it out when the workflows are dead.
                return Ok(self.state.clone());
            }
            known.check_rerun(rerun)?;
        }
        let event = known.event(request)?;
        let mut state = self.state.clone();
        let step = machine::step(&self.definitions, &mut state, self.now(), event);
        match step.refusal {
            Some(refusal) => Err(known.words(&refusal)),
            None => Ok(state),
        }
    }
}

impl KnownCoordinator<'_> {
    /// The state machine's event for a command. There is none for an update or a notification about a workflow.
    pub fn event(&self, request: &CoordinatorRequest) -> Result<CoordinatorEvent, Refused> {
        Ok(match request {
            CoordinatorRequest::Start => {
                if self.is_started {
                    return Err(format!(
                        "coordinator {} is {} and was started before; only a PREP one can be started (E0801)",
                        self.row.id,
                        self.state.job().status
                    ));
                }
                CoordinatorEvent::Tick
            }
            CoordinatorRequest::Suspend => CoordinatorEvent::Suspend,
            CoordinatorRequest::Resume => CoordinatorEvent::Resume,
            CoordinatorRequest::Kill => CoordinatorEvent::Kill,
            CoordinatorRequest::KillActions(selection) => {
                let selected = self.select(selection)?;
                CoordinatorEvent::KillActions(
                    selected.iter().map(|row| row.record.number).collect(),
                )
            }
            CoordinatorRequest::IgnoreActions(selection) => {
                let selected = self.select(selection)?;
                CoordinatorEvent::IgnoreActions(
                    selected.into_iter().map(|row| row.record).collect(),
                )
            }
            CoordinatorRequest::Ignore => CoordinatorEvent::Change(CoordinatorChange {
                status: Some(NewStatus::Ignored),
                ..CoordinatorChange::default()
            }),
            CoordinatorRequest::Change(text) => {
                let zone = self.definitions.current().job.processing_zone();
                CoordinatorEvent::Change(
                    CoordinatorChange::parse(text, zone).map_err(|refusal| self.words(&refusal))?,
                )
            }
            CoordinatorRequest::Rerun(request) => {
                let selected = self.select(&request.selection)?;
                CoordinatorEvent::Rerun {
                    actions: selected.into_iter().map(|row| row.record).collect(),
                    how: Rerun {
                        refresh: request.refresh,
                        failed: request.failed,
                    },
                }
            }
            CoordinatorRequest::Update(_)
            | CoordinatorRequest::Sla(_)
            | CoordinatorRequest::WorkflowChanged(_) => CoordinatorEvent::Tick,
        })
    }

    pub fn words(&self, refusal: &CommandRefusal) -> Refused {
        format!(
            "coordinator {}: {} ({})",
            self.row.id, refusal.message, refusal.code
        )
    }

    /// The rows of the actions that the command line selects. Unknown numbers are ignored; a single date must be that of an action.
    pub fn select(&self, selection: &Selection) -> Result<Vec<CoordinatorActionRow>, Refused> {
        let zone = self.definitions.current().job.processing_zone();
        let scope = match selection {
            Selection::Actions(text) => Scope::numbers(text),
            Selection::Dates(text) => Scope::times(text, zone),
        };
        let scope = scope.map_err(|error| error.to_string())?;
        let id = &self.row.id;
        let failed = |error: sql::Error| format!("the store: {error}");
        let mut found: Vec<CoordinatorActionRow> = Vec::new();
        match scope {
            Scope::Numbers(ranges) => {
                let last = self.state.job().last_number;
                let mut numbers = BTreeSet::new();
                for (first, end) in ranges {
                    numbers.extend(first..=end.min(last));
                }
                for number in numbers {
                    found.extend(rows::action(self.connection, id, number).map_err(failed)?);
                }
            }
            Scope::Times(ranges) => {
                for (first, end) in ranges {
                    let (from, to) = (first.timestamp_millis(), end.timestamp_millis());
                    let between =
                        rows::actions_between(self.connection, id, from, to).map_err(failed)?;
                    if between.is_empty() && first == end {
                        return Err(format!(
                            "coordinator {id} has no action at {} (E0605)",
                            zone.write(first)
                        ));
                    }
                    found.extend(between);
                }
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|row| seen.insert(row.record.number));
        Ok(found)
    }

    /// Whether actions that are to run again were just killed, and their workflows have not ended yet.
    pub fn awaits_kill(&self, request: &CoordinatorRerun) -> bool {
        let selected = self.select(&request.selection).unwrap_or_default();
        let records: Vec<_> = selected.into_iter().map(|row| row.record).collect();
        self.state.awaits_kill(&records)
    }

    /// Whether these actions can run again, by their own states and by those of their workflows.
    pub fn check_rerun(&self, request: &CoordinatorRerun) -> Result<(), Refused> {
        let selected = self.select(&request.selection)?;
        let records: Vec<_> = selected.iter().map(|row| row.record.clone()).collect();
        if let Some(refusal) = self.state.refuses_rerun(&records) {
            return Err(self.words(&refusal));
        }
        for row in &selected {
            let Some(workflow) = self.workflow_of(row)? else {
                continue;
            };
            let number = row.record.number;
            if !workflow.status.is_terminal() {
                return Err(format!(
                    "coordinator {}: workflow {} of action {number} is {}; only one that has ended can run again (E1018)",
                    self.row.id, workflow.id, workflow.status
                ));
            }
            if request.failed && workflow.hash != self.row.hash {
                return Err(format!(
                    "coordinator {}: workflow {} of action {number} belongs to another definition ({}), whose failed nodes \
                     are not known here: type `rerun {} --failed`, and the action follows; or leave out --failed, and it gets \
                     a new workflow (E1018)",
                    self.row.id, workflow.id, workflow.hash, workflow.id
                ));
            }
        }
        Ok(())
    }

    /// The workflow job of an action, if it has one.
    pub fn workflow_of(&self, row: &CoordinatorActionRow) -> Result<Option<JobRow>, Refused> {
        match &row.workflow_id {
            Some(id) => {
                query::job(self.connection, id).map_err(|error| format!("the store: {error}"))
            }
            None => Ok(None),
        }
    }

    fn check_update(&self, request: &CoordinatorUpdate) -> Result<(), Refused> {
        let revision = self.revision_of(request)?;
        let old = self.definitions.current();
        match machine::refuses_update(self.state.job(), old, &revision.coordinator) {
            Some(refusal) => Err(self.words(&refusal)),
            None => Ok(()),
        }
    }

    /// What an update makes the current revision.
    pub fn revision_of(&self, request: &CoordinatorUpdate) -> Result<Revision, Refused> {
        let CoordinatorUpdate {
            hash, conf, texts, ..
        } = request.clone();
        Revision::new(
            texts,
            compiled_texts(self.session.program, self.row),
            conf,
            self.row.parent_node.as_deref(),
            &self.session.site,
            hash,
        )
    }
}

/// Checks whether a coordinator would accept `request`, by its stored state.
///
/// # Errors
///
/// Exit 2 with the refusal; exit 5 if the store cannot be read.
pub fn check(
    session: &Session,
    job: &JobRow,
    request: &CoordinatorRequest,
) -> Result<(), RunError> {
    let connection = session.store()?;
    let stored = StoredCoordinator::load(session, &connection, &job.id)?;
    stored
        .foresee(session, &connection, request)
        .map(drop)
        .map_err(RunError::usage)
}
