//! The worker process of an attempt in a container: submits the application, or finds it, waits for its end, and brings its results.

use std::{
    fs,
    io::{self, Write},
    thread,
    time::{Duration, Instant},
};

use hpdlc_files::{
    Access, AccessSettings, Uri,
    error::{self, Fault},
    hosts::Hosts,
    kerberos,
};
use hpdlc_host::comma_list;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    Container, NEVER_CANCELED,
    archive::pack,
    bell::Bell,
    call::{Containable, ContainerProgram},
    credentials,
    diagnostics::{next_step, waits_for},
    order::{self, ARCHIVE, ContainerOrder},
    staging::{self, Staging},
    submission::{self, ApplicationNames, LocalisedFile},
};
use crate::{
    StartError, attempt_state, fetch,
    process::{RemoteFile, Setting},
    tool::yarn::{CONTAINER, Yarn},
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod outcome;

use self::outcome::ApplicationOutcome;

/// The ending of the name of an attempt's state.
const STATE: &str = "container";

/// Between two requests for an application's state: a fiftieth of the time that it has taken, within these bounds. A request costs the
/// resource manager about a millisecond.
const SHORTEST_POLL: Duration = Duration::from_millis(250);
const LONGEST_POLL: Duration = Duration::from_secs(2);

/// An application that waits longer than that for its container says why.
const LONG_WAIT: Duration = Duration::from_secs(30);

/// How often in a row a resource manager may say that it does not know an application: one that has just started does not yet.
const MAX_UNKNOWN: u32 = 10;

/// How often in a row a resource manager may fail over a submission and answer otherwise.
const MAX_REFUSALS: u32 = 5;

/// More bytes than that of what a program prints are not brought back, unless more is captured.
const MAX_OUTPUT: u64 = 64 * 1024 * 1024;

/// How long after its time limit an application master that has not ended its program is ended itself.
const LIMIT_MARGIN: Duration = Duration::from_secs(15);

/// The progress of an attempt, for the process that goes on after a crash.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ContainerState {
    /// Stored before it is submitted.
    #[serde(default)]
    id: Option<String>,
    /// What is submitted with it.
    #[serde(default)]
    application: Value,
    /// The resource manager has it.
    #[serde(default)]
    is_submitted: bool,
}

pub(super) struct ContainerRun<'a> {
    container: &'a Container,
    context: &'a WorkContext<'a>,
    program: &'a dyn Containable,
    setting: Setting,
    yarn: Yarn,
    /// For the staging folder.
    access_settings: AccessSettings,
    tags: [String; 2],
    state: ContainerState,
    begun: Instant,
    /// The last problem that was printed.
    problem: String,
}

impl<'a> ContainerRun<'a> {
    /// # Errors
    ///
    /// Hadoop's own files or the attempt's state cannot be read.
    pub(super) fn new(
        container: &'a Container,
        context: &'a WorkContext<'a>,
    ) -> Result<ContainerRun<'a>, WorkError> {
        let attempt = context.attempt();
        let state = attempt_state::read(attempt, STATE)
            .map_err(|error| WorkError::Lost(format!("{}: {error}", attempt.folder().display())))?;
        let program = container.program()?;
        let setting = program.setting().into_owned();
        Ok(ContainerRun {
            container,
            context,
            program,
            yarn: container.yarn()?,
            access_settings: container.staging.access(&setting),
            setting,
            tags: container.applications.both_tags(&context.place),
            state: state.unwrap_or_default(),
            begun: Instant::now(),
            problem: String::new(),
        })
    }

    pub(super) fn carry(mut self) -> Result<WorkResult, WorkError> {
        self.await_ticket()?;
        // The access borrows its settings from here, and not from what is changed.
        let settings = self.access_settings.clone();
        let access = self.context.access(&settings);
        let staging = Staging::of(&access, &self.container.staging, &self.tags[1])?;
        let id = match self.found(&staging)? {
            Some(id) => id,
            None => self.prepare(&access, &staging)?,
        };
        self.submit(&id, &staging)?;
        let bell = Bell::listen(self.yarn.address()).ok();
        let bell = bell.filter(|bell| staging.store_bell(&bell.name()).is_ok());
        let outcome = self.follow(&id, bell.as_ref());
        match self.patiently("its staging folder", || staging.exit()) {
            Ok(Some(record)) => self.result(&id, &staging, &record),
            Ok(None) => self.without_result(&id, &staging, outcome),
            Err(error) => Err(WorkError::Lost(format!(
                "{id} has ended, and how cannot be read: {}: {error}",
                staging.uri()
            ))),
        }
    }

    /// Waits for the Kerberos ticket whose owner's staging folder it is, if an application of this attempt may already use that folder: looked
    /// for in another one, its result would be missing.
    fn await_ticket(&mut self) -> Result<(), WorkError> {
        if self.access_settings.user.is_some() || !kerberos::is_asked_by(&self.access_settings) {
            return Ok(());
        }
        loop {
            match kerberos::user() {
                Ok(_) => return Ok(()),
                Err(error) if self.state.id.is_some() => {
                    self.say_once(&format!("waiting for a ticket: {error}"));
                    thread::sleep(Duration::from_secs(1));
                }
                Err(error) => return Err(error::of_file(&error, "the user of Hadoop").into()),
            }
        }
    }

    /// The application that an earlier process of this attempt has submitted, or was about to submit.
    fn found(&mut self, staging: &Staging<'_>) -> Result<Option<String>, WorkError> {
        if self.state.id.is_some() {
            return Ok(self.state.id.clone());
        }
        let tagged = self
            .yarn
            .tagged(&self.tags[1])
            .map_err(|error| of_manager(&error))?;
        // What its program has started has the tag too.
        let mut containers = tagged.into_iter().filter(|app| app.framework == CONTAINER);
        let found = match containers.next() {
            Some(first) => Some(first.id),
            // One that has ended long ago is not known any more; what its program has started may go on.
            None => staging
                .claimer()
                .map_err(|error| error::of_file(&error, &staging.uri()))?,
        };
        if found.is_some() {
            self.state.id.clone_from(&found);
            self.state.is_submitted = true;
            self.record()?;
        }
        Ok(found)
    }

    /// Puts everything that the container needs into the staging folder; returns the id of the application, which is recorded.
    fn prepare(&mut self, access: &Access<'_>, staging: &Staging<'_>) -> Result<String, WorkError> {
        let attempt = self.context.attempt();
        let place = &self.context.place;
        let schedulers = self.schedulers()?;
        let mut files: Vec<LocalisedFile> = Vec::new();
        let mut leave = |remote: RemoteFile<'_>| {
            let Some(file) = left_there(access, remote) else {
                return false;
            };
            if files.iter().all(|known| known.name != file.name) {
                files.push(file);
            }
            true
        };
        let mut call = self
            .program
            .container_call(place, &mut leave)
            .map_err(of_start)?;
        if matches!(call.program, ContainerProgram::Client(_)) {
            // As that of Oozie's launcher; the action's own variables come later.
            let heap = self.container.resources.memory.saturating_mul(4) / 5;
            call.env
                .insert(0, ("HADOOP_HEAPSIZE".to_owned(), heap.to_string()));
        }
        let hosts = Hosts::new(&self.access_settings, &NEVER_CANCELED);
        let properties = hosts.properties();
        let properties = properties.map_err(|error| error::of_file(&error, &staging.uri()))?;
        let name_service = order::name_service(staging.system_name(), &properties);
        let order = ContainerOrder {
            call,
            folder: attempt.folder().display().to_string(),
            limit: self.setting.limit,
            results: self.program.results(),
            max_output: MAX_OUTPUT.max(self.setting.max_output),
            schedulers,
            staging: staging.uri(),
            access: self.access_settings.clone(),
            name_service,
        };
        let archive = attempt.beside("tar");
        pack(attempt.folder(), &order, &archive).map_err(|error| {
            ActionError::transient("JA009", format!("{}: {error}", archive.display()))
        })?;
        let of_staging = |error: io::Error| error::of_file(&error, &staging.uri());
        staging.make().map_err(of_staging)?;
        let own = submission::own_files(
            staging.executable().map_err(of_staging)?,
            staging.put(&archive, ARCHIVE).map_err(of_staging)?,
        );
        // It is on the cluster.
        let _ = fs::remove_file(&archive);
        files.extend(own);
        let id = self
            .yarn
            .new_application()
            .map_err(|error| of_manager(&error))?;
        let names = ApplicationNames {
            id: &id,
            app: &self.container.app_name,
            node: place.node,
            job: place.job_id,
            tags: &self.tags,
        };
        self.state.application = submission::application(&names, &self.container.resources, &files);
        self.state.id = Some(id.clone());
        self.record()?;
        Ok(id)
    }

    /// The addresses that the container connects to.
    fn schedulers(&self) -> Result<Vec<String>, WorkError> {
        let said = self
            .container
            .applications
            .cluster_settings(&self.setting.configuration);
        if let Some(addresses) = said.setting("hpdl.launcher.yarn.scheduler.address") {
            return Ok(comma_list::entries(addresses).map(str::to_owned).collect());
        }
        let found = self.yarn.schedulers().map_err(|error| of_manager(&error))?;
        if found.is_empty() {
            let problem = format!(
                "the resource manager at {} does not say the address of its scheduler; hpdl.launcher.yarn.scheduler.address can",
                self.yarn.address()
            );
            return Err(ActionError::error("JA018", problem).into());
        }
        Ok(found)
    }

    /// Submits the application until the resource manager has it: whether it has it after an answer that was lost is not known, and to
    /// submit it again changes nothing.
    fn submit(&mut self, id: &str, staging: &Staging<'_>) -> Result<(), WorkError> {
        if self.state.is_submitted {
            return Ok(());
        }
        let application = credentials::with_tokens(
            &self.state.application,
            &self.yarn,
            staging,
            &self.access_settings,
        )
        .map_err(|error| error::of_file(&error, &format!("the tokens of {id}")))?;
        let mut n_refused = 0;
        while !self.state.is_submitted {
            match self.yarn.submit(&application) {
                Ok(()) => {
                    self.state.is_submitted = true;
                    self.record()?;
                    self.say(&format!("submitted {id} to {}", self.yarn.address()));
                }
                Err(error) if error.kind() == io::ErrorKind::InvalidInput => {
                    let mut problem = error.to_string();
                    problem.push_str(next_step(&problem));
                    return Err(ActionError::error("JA018", problem).into());
                }
                Err(error) => {
                    self.say_once(&format!("cannot submit {id} yet: {error}"));
                    // One that answers otherwise, and fails over this application again and again, does not take it.
                    match self.yarn.application(id) {
                        Ok(Some(_)) => {
                            self.state.is_submitted = true;
                            self.record()?;
                        }
                        Ok(None) => n_refused += 1,
                        Err(_) => n_refused = 0,
                    }
                    if n_refused >= MAX_REFUSALS {
                        let problem = format!("the resource manager does not take {id}: {error}");
                        return Err(ActionError::error("JA018", problem).into());
                    }
                    thread::sleep(Duration::from_secs(1));
                }
            }
        }
        Ok(())
    }

    /// Waits for the end of the application, however long the resource manager is unavailable meanwhile.
    fn follow(&mut self, id: &str, bell: Option<&Bell>) -> ApplicationOutcome {
        let mut rung = None;
        let limit = self.setting.limit;
        let mut n_unknown = 0;
        let (mut is_shown, mut is_wait_shown) = (false, false);
        loop {
            match self.yarn.application(id) {
                Ok(Some(app)) => {
                    n_unknown = 0;
                    if let Some(end) = app.end {
                        return ApplicationOutcome::Ended(end, app);
                    }
                    if app.is_waiting && !is_wait_shown && self.begun.elapsed() > LONG_WAIT {
                        is_wait_shown = true;
                        let seconds = LONG_WAIT.as_secs();
                        let why = waits_for(&app);
                        self.say(&format!(
                            "{id} waits for its container, for more than {seconds} s{why}"
                        ));
                    }
                    if !is_shown && !app.url.is_empty() {
                        is_shown = true;
                        self.say(&format!(
                            "{id} runs, and its output is there until its end: {}",
                            app.url
                        ));
                    }
                }
                Ok(None) => {
                    n_unknown += 1;
                    if n_unknown > MAX_UNKNOWN {
                        return ApplicationOutcome::Unknown;
                    }
                }
                Err(error) => self.say_once(&format!("waiting for {id}: {error}")),
            }
            if let Some(limit) = limit {
                let margin = Duration::from_secs(limit.grace) + LIMIT_MARGIN;
                if self.begun.elapsed() > Duration::from_secs(limit.seconds) + margin {
                    let _ = self.yarn.kill(id);
                    return ApplicationOutcome::Exceeded(limit);
                }
            }
            // After the bell the end is a matter of moments, whatever the setting says.
            let pause = match rung {
                Some(rung) => interval(None, Instant::elapsed(&rung)),
                None => interval(self.set_interval(), self.begun.elapsed()),
            };
            match bell {
                Some(bell) if bell.wait(pause) => rung = Some(Instant::now()),
                Some(_) => {}
                None => thread::sleep(pause),
            }
        }
    }

    /// The seconds between two requests for the state, if they are set.
    fn set_interval(&self) -> Option<u64> {
        let said = self
            .container
            .applications
            .cluster_settings(&self.setting.configuration);
        let set = said.setting("hpdl.yarn.poll.interval");
        set.and_then(|seconds| seconds.parse().ok())
    }

    /// Repeats a request to the cluster's file system until it answers; a ticket that has expired may be replaced meanwhile.
    ///
    /// # Errors
    ///
    /// It answers that the request fails, whenever that is made.
    fn patiently<T>(&mut self, what: &str, request: impl Fn() -> io::Result<T>) -> io::Result<T> {
        loop {
            match request() {
                Err(error)
                    if error::transient(&error, "").is_some()
                        || Fault::of(&error) == Some(&Fault::Unproved) =>
                {
                    self.say_once(&format!("waiting for {what}: {error}"));
                    thread::sleep(Duration::from_secs(1));
                }
                answer => return answer,
            }
        }
    }

    fn record(&self) -> Result<(), WorkError> {
        attempt_state::write(self.context.attempt(), STATE, &self.state).map_err(|error| {
            let problem = format!("{}: {error}", self.context.attempt().folder().display());
            ActionError::transient("JA009", problem).into()
        })
    }

    fn say(&self, line: &str) {
        let _ = writeln!(io::stderr(), "{line}");
    }

    fn say_once(&mut self, problem: &str) {
        if self.problem != problem {
            problem.clone_into(&mut self.problem);
            self.say(problem);
        }
    }
}

/// Between two requests for the state of an application: the setting in seconds, else by the time that it has taken.
fn interval(set: Option<u64>, taken: Duration) -> Duration {
    match set {
        Some(seconds) => Duration::from_secs(seconds).max(SHORTEST_POLL),
        None => (taken / 50).clamp(SHORTEST_POLL, LONGEST_POLL),
    }
}

/// A file that the container gets from where it is; `None` if YARN cannot localise it.
fn left_there(access: &Access<'_>, remote: RemoteFile<'_>) -> Option<LocalisedFile> {
    let uri = Uri::parse(remote.uri);
    let scheme = uri.scheme?.to_ascii_lowercase();
    if !["hdfs", "webhdfs", "swebhdfs"].contains(&scheme.as_str()) {
        return None;
    }
    let located = fetch::locate(access, remote.uri).ok()?;
    // One that is missing is reported where it is fetched.
    let resource = staging::resource(&*located.system, &located.path()).ok()?;
    Some(LocalisedFile {
        name: remote.name.to_owned(),
        resource,
        is_archive: remote.is_archive,
        is_kept: true,
    })
}

fn of_manager(error: &io::Error) -> WorkError {
    error::of_file(error, "the resource manager").into()
}

fn of_start(error: StartError) -> WorkError {
    match error {
        StartError::Action(error) => error.into(),
        StartError::Machine(problem) => ActionError::transient("JA009", problem).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_an_application_takes_the_less_often_it_is_asked_for() {
        for (set, seconds, expected) in [
            (None, 0, 250),
            (None, 60, 1200),
            (None, 3600, 2000),
            (Some(0), 3600, 250),
            (Some(30), 0, 30_000),
        ] {
            let interval = interval(set, Duration::from_secs(seconds));
            assert_eq!(interval, Duration::from_millis(expected), "{seconds} s");
        }
    }
}
