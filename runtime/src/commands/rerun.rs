//! `rerun`: runs a job that has ended again, skipping what need not run again.

use clap::Args;
use hpdlc_engine::{
    control::{
        JobOrder,
        bundle_request::{BundleRequest, BundleRerun},
        coordinator_request::{CoordinatorRequest, CoordinatorRerun, Selection},
    },
    owner::Session,
};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_store::JobRow;

mod workflow;

use crate::commands::{
    PropertySources,
    background::{Background, HAS_JSON},
    find,
    linked::Linked,
    other_executable, print,
    scheduled::{self, Selected},
};

/// Describes what a rerun of a coordinator or a bundle would do.
pub type RerunPlanner = fn(&Session, &JobRow, JobOrder<'_>) -> Result<String, RunError>;

/// The scheduler's implementation, if it is linked.
pub static SCHEDULED: Linked<RerunPlanner> = Linked::new();

#[derive(Debug, Args)]
#[command(mut_arg("json", |json| json.help("With --wait: print events, then the job, as JSON; with --dry-run of a workflow: the plan")))]
pub struct Rerun {
    #[arg(help = find::JOB_OR_ACTION)]
    id: String,
    #[command(flatten)]
    given: PropertySources,
    /// Only print what would run again, what would be skipped and what would be deleted
    #[arg(long, group = HAS_JSON)]
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
    /// Of a coordinator or a bundle: create the actions again, with the current definition and properties
    #[arg(long)]
    refresh: bool,
    /// Of a coordinator or a bundle: do not delete the output of the actions
    #[arg(long)]
    nocleanup: bool,
    /// Run only what has failed: the nodes of a workflow, or those of the workflows of a coordinator's actions
    #[arg(long, conflicts_with = "refresh")]
    failed: bool,
}

impl Rerun {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let given = self.given.read()?;
        let (job, selection) = self.selected.subject(session, &self.id)?;
        self.check_options(&job, !given.is_empty())?;
        match JobKind::of(&job.id) {
            JobKind::Workflow => {
                if session.program.apps.is_empty() {
                    // `hpdl` knows no workflow.
                    other_executable::repeat(session, &job, true)?;
                }
                self.rerun_workflow(session, &job, given)
            }
            JobKind::Coordinator => self.rerun_actions(session, &job, selection),
            JobKind::Bundle => self.rerun_coordinators(session, &job),
        }
    }

    /// Refuses options that do not apply to a job of this kind.
    fn check_options(&self, job: &JobRow, has_properties: bool) -> Result<(), RunError> {
        let kind = JobKind::of(&job.id);
        let (of_workflow, of_coordinator, of_bundle) = (
            kind == JobKind::Workflow,
            kind == JobKind::Coordinator,
            kind == JobKind::Bundle,
        );
        let options = [
            ("--action", self.selected.has_numbers(), of_coordinator),
            (
                "--date",
                self.selected.dates().is_some(),
                of_coordinator || of_bundle,
            ),
            ("--coordinator", !self.coordinator.is_empty(), of_bundle),
            ("--refresh", self.refresh, of_coordinator || of_bundle),
            ("--nocleanup", self.nocleanup, of_coordinator || of_bundle),
            ("--failed", self.failed, of_workflow || of_coordinator),
            ("-c and -D", has_properties, of_workflow),
            ("--for-parent", self.for_parent.is_some(), of_workflow),
            (
                "--dry-run with --json",
                self.dry_run && self.background.json,
                of_workflow,
            ),
        ];
        let wrong: Vec<&str> = options
            .into_iter()
            .filter(|(_, is_given, fits)| *is_given && !fits)
            .map(|(option, ..)| option)
            .collect();
        if wrong.is_empty() {
            return Ok(());
        }
        let (what, help) = match kind {
            JobKind::Workflow => (
                "workflow",
                "its failed nodes alone run with --failed; -D oozie.wf.rerun.skip.nodes=A,B leaves nodes out".to_owned(),
            ),
            JobKind::Coordinator => (
                "coordinator",
                format!(
                    "other properties come by `update {} -D NAME=VALUE`, and reach an action by `rerun --refresh`; \
                     for one run alone give them to the workflow of an action: rerun WORKFLOW -D NAME=VALUE",
                    job.id
                ),
            ),
            JobKind::Bundle => (
                "bundle",
                "choose coordinators by --coordinator NAME and times by --date; actions by number and --failed are for one coordinator"
                    .to_owned(),
            ),
        };
        Err(RunError::usage(format!(
            "{} is a {what}, and {} {} nothing to its rerun",
            job.id,
            wrong.join(", "),
            if wrong.len() == 1 && wrong[0] != "-c and -D" {
                "means"
            } else {
                "mean"
            }
        ))
        .with_help(help))
    }

    /// Reruns actions of a coordinator, in the background.
    fn rerun_actions(
        &self,
        session: &Session,
        job: &JobRow,
        selection: Option<Selection>,
    ) -> Result<Exit, RunError> {
        let Some(selection) = selection else {
            return Err(RunError::usage("which actions are to run again? (E1018)")
                .with_help("name them by --action 1,3-4 or --date FROM::TO"));
        };
        let request = CoordinatorRequest::Rerun(CoordinatorRerun {
            selection,
            refresh: self.refresh,
            nocleanup: self.nocleanup,
            failed: self.failed,
        });
        self.ask(session, job, JobOrder::Coordinator(&request))
    }

    /// Reruns coordinators of a bundle, in the background.
    fn rerun_coordinators(&self, session: &Session, job: &JobRow) -> Result<Exit, RunError> {
        let dates = self.selected.dates();
        if self.coordinator.is_empty() && dates.is_none() {
            return Err(
                RunError::usage("which coordinators are to run again? (E1018)").with_help(
                    "name them by --coordinator NAME, or their actions by --date FROM::TO",
                ),
            );
        }
        let request = BundleRequest::Rerun(BundleRerun {
            coordinators: self.coordinator.clone(),
            dates: dates.cloned(),
            refresh: self.refresh,
            nocleanup: self.nocleanup,
        });
        self.ask(session, job, JobOrder::Bundle(&request))
    }

    fn ask(&self, session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<Exit, RunError> {
        if !self.dry_run {
            return self.background.ask(session, job, order);
        }
        scheduled::by_its_own_program(session, job, true)?;
        if let Some(plan) = SCHEDULED.of(session.program) {
            print(&plan(session, job, order)?)?;
        }
        Ok(Exit::Success)
    }
}
