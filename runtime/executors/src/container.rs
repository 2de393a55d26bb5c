//! Programs of actions in containers of YARN (`hpdl.launcher=yarn`), as Oozie's launcher runs them there.
//!
//! A worker process fills the attempt's folder as for a program on this machine, puts it into a *staging folder* on the cluster's file
//! system, submits an application, and waits for its end ([`run`]). The container runs this executable again as a native *application
//! master* ([`application_master`]), which starts the program and leaves its results in the staging folder before it says that it has
//! finished. Then it rings the worker process's bell ([`bell`]), where that can be reached.
//!
//! | where it dies | what happens |
//! |---|---|
//! | the worker process, or its whole machine | another one finds the application by the id in the attempt's state, else by its tag |
//! | between the id and the submission | the same application is submitted again: the resource manager takes an id once |
//! | the resource manager | the program goes on; both sides wait for it |
//! | the container, before the program began | the action fails, or is tried again if the cluster has taken the container back |
//! | the container, or its node, later | lost, unless the cluster ended it on purpose |
//!
//! A program is started once: the application master claims the attempt in the staging folder before.
//!
//! The clients of tools run there too ([`client`], [`client_process`]). What they start has the tags of the container's own application,
//! which is told from it by its type. An attempt without its client is over, unless the client has submitted one job that goes on: then
//! that is waited for.

use std::{borrow::Cow, sync::atomic::AtomicBool, thread, time::Duration};

use hpdlc_files::Access;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{
    Evaluation, Executor, RunsIn, Work,
    launcher_choice::Launcher,
    process::Setting,
    tool::{Applications, cluster, yarn::Yarn},
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod application_master;
mod archive;
mod bell;
pub mod call;
mod children;
pub mod client;
mod client_process;
mod credentials;
mod diagnostics;
mod order;
mod process_tree;
mod resources;
mod run;
mod staging;
mod submission;

use self::{
    call::Containable,
    resources::ContainerResources,
    staging::{Staging, StagingPlace},
};

/// Whether staging folders are kept.
const KEEP: &str = "oozie.action.keep.action.dir";

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// How long after its end an application may write into its staging folder, and start others: nodes end its processes 250 ms after they have asked them to.
const LAST_WRITES: Duration = Duration::from_secs(1);

/// A program with every expression evaluated, and the container that it runs in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Container {
    /// What runs in it.
    program: Work,
    resources: ContainerResources,
    /// The application's name in lists of the cluster.
    app_name: String,
    /// The tags and the cluster.
    applications: Applications,
    staging: StagingPlace,
}

/// Becomes a process of a container, if the arguments say so; in this case it does not return.
pub fn serve_if_asked() {
    application_master::serve_if_asked();
    client_process::serve_if_asked();
}

/// The work in the container that it is to run in, or itself.
///
/// # Errors
///
/// JA010, failed: the setting is another word, or a number of the container is none. E0701, failed: no cluster is known.
pub fn placed(cx: &Evaluation<'_>, work: Work) -> Result<Work, ActionError> {
    if Launcher::of(cx, &work)? == Launcher::Local {
        return Ok(work);
    }
    let Some(program) = work.containable() else {
        return Ok(work);
    };
    let setting = program.setting();
    let configuration = &setting.configuration;
    let Some(applications) = setting.applications.clone() else {
        let problem = "hpdl.launcher is yarn, and no cluster is known: the action has no resource-manager, and there is no yarn-site.xml \
                       in HADOOP_CONF_DIR";
        return Err(ActionError::failed("E0701", problem));
    };
    let said = |name: &str| cx.action_setting(configuration, name);
    let container = Container {
        resources: ContainerResources::of(&said)?,
        app_name: cx
            .scope
            .job()
            .map(|job| job.name.clone())
            .unwrap_or_default(),
        applications,
        staging: StagingPlace::of(&said, configuration),
        program: work,
    };
    Ok(Work::Container(Box::new(container)))
}

impl Container {
    /// # Errors
    ///
    /// The program is of a type that no container runs: the attempt was begun by a newer executable.
    fn program(&self) -> Result<&dyn Containable, ActionError> {
        self.program.containable().ok_or_else(|| {
            let problem = "its program cannot run in a container; it was begun by another version of this executable";
            ActionError::failed("E0723", problem)
        })
    }

    fn setting(&self) -> Cow<'_, Setting> {
        let setting = self.program.program_setting();
        setting.unwrap_or_else(|| Cow::Owned(Setting::default()))
    }

    /// Removes the staging folder of an attempt, unless it is to be kept.
    fn remove_staging(&self, job: &str, attempt: &Attempt) {
        let setting = self.setting();
        let said = self.applications.cluster_settings(&setting.configuration);
        if said.setting(KEEP) != Some("true") {
            self.with_staging(&setting, &self.applications.own_tag(job, attempt), |it| {
                it.remove();
            });
        }
    }

    /// What `ask` gets from the staging folder of the attempt with this tag, if there is one.
    fn with_staging<T>(
        &self,
        setting: &Setting,
        tag: &str,
        ask: impl FnOnce(&Staging<'_>) -> T,
    ) -> Option<T> {
        let settings = self.staging.access(setting);
        let access = Access::new(&settings, &NEVER_CANCELED);
        let staging = Staging::of(&access, &self.staging, tag).ok()?;
        Some(ask(&staging))
    }

    fn yarn(&self) -> Result<Yarn, ActionError> {
        let setting = self.setting();
        let said = self.applications.cluster_settings(&setting.configuration);
        Ok(Yarn::of(&said, &cluster::installed_site()?))
    }
}

impl Executor for Container {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn when_lost(&self) -> Option<&str> {
        self.program.executor().when_lost()
    }

    fn goes_on_elsewhere(&self) -> bool {
        true
    }

    fn carry(&self, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        Some(run::ContainerRun::new(self, context).and_then(run::ContainerRun::carry))
    }

    fn tidy_up(&self, context: &WorkContext<'_>) {
        self.remove_staging(context.place.job_id, context.attempt());
        self.program.executor().tidy_up(context);
    }

    /// Ends the application of an attempt, and those that its program has started: they have its tag, or the program has printed them.
    fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        let yarn = self.yarn().map_err(|error| error.message)?;
        let tag = self.applications.own_tag(job, attempt);
        let setting = self.setting();
        // A file system that does not answer names none.
        let named = || {
            let children = self.with_staging(&setting, &tag, |it| it.children().ok());
            children.flatten().unwrap_or_default()
        };
        cluster::end_patiently(&yarn, &tag, &named())?;
        // A container that is being ended may still write, and start applications.
        thread::sleep(LAST_WRITES);
        cluster::end_patiently(&yarn, &tag, &named())?;
        self.remove_staging(job, attempt);
        Ok(())
    }

    fn end_lost(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        self.program.executor().end_lost(job, attempt)
    }
}
