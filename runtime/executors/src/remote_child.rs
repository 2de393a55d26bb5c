//! A `sub-workflow` of the proposal of 2009 with a `host-url`: a child job on another instance, an Oozie or an `hpdl serve`, by Oozie's Web
//! Services API (`SubWorkflowActionExecutor` of Oozie before it had local children alone).
//!
//! A worker process submits the child with an external id that no other attempt has, and waits for its end: it asks, and sooner where the
//! child's notification calls back. So it is found again, by the id that is stored here or by the external one, and never started twice:
//! where the answer to its submission is missing, it is looked for, and nothing is submitted again.
//!
//! | code | class | the child |
//! |---|---|---|
//! | `HTTP001` | transient | was not submitted: unknown host |
//! | `HTTP002` | transient | was not submitted: no connection, or the instance is busy |
//! | `HTTP003`, Oozie's code | error | was refused |
//! | `HTTP007` | error | cannot be submitted: no URL, an untrusted certificate |
//! | `SUBWF001` | error | would be nested too deep |
//! | `HPDL_LOST` | | was submitted perhaps, and is not there; or its instance does not answer any more |
//!
//! It has no time limit, as other sub-workflows.

use std::{
    collections::BTreeMap,
    fs, io,
    path::PathBuf,
    sync::OnceLock,
    thread,
    time::{Duration, Instant},
};

use hpdlc_launcher::Attempt;
use hpdlc_program::{
    failure::ActionError,
    table::{self, applications::user_of},
};
use hpdlc_store::callbacks::CallbackSubject;
use serde::{Deserialize, Serialize};

use crate::{
    Evaluate, Evaluation, Executor, RunsIn, Work,
    callbacks::{Callback, Callbacks},
    http, launcher_inheritance,
    sub_workflow::{MAX_DEPTH, SubWorkflow},
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod instance;
#[cfg(test)]
mod tests;

use self::instance::{Child, Instance, Trouble};

/// Properties that mean something on the child's own instance alone: its parent is not there.
const OF_LOCAL_CHILDREN: [&str; 4] = [
    "oozie.wf.parent.id",
    "oozie.wf.superparent.id",
    "oozie.action.yarn.tag",
    launcher_inheritance::PROPERTY,
];
const EXTERNAL_ID: &str = "oozie.wf.external.id";
const DEPTH: &str = "oozie.action.subworkflow.depth";
const NOTIFICATION: &str = "oozie.wf.workflow.notification.url";

/// How long killing a child may take.
const KILL_PATIENCE: Duration = Duration::from_secs(30);
/// Polling interval for its callback.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// The instance is asked at this interval at first, and twice as long after each time.
const FIRST_INTERVAL: Duration = Duration::from_millis(500);
const LONGEST_INTERVAL: Duration = Duration::from_secs(10);

/// Such an action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemoteChild {
    /// The instance, without a slash at the end: `http://host:11000/oozie`.
    pub url: String,
    /// The properties of the child's job; the external id is that of the first attempt.
    pub conf: BTreeMap<String, String>,
    /// In whose name it is submitted.
    pub user: String,
    /// The run of the parent.
    pub run: i64,
    /// Timeout in seconds for connecting, and again for the answer (`hpdl.http.timeout`).
    pub timeout: u64,
    /// Seconds without an answer after which the child is lost (`hpdl.host.url.timeout`).
    pub patience: u64,
    /// A file with a token for the instance (`hpdl.host.url.token.file`).
    pub token_file: Option<String>,
}

/// Kills the child of an attempt.
type Kill = fn(&RemoteChild, &str, &Attempt) -> Result<(), String>;

static KILL: OnceLock<Kill> = OnceLock::new();

/// Links the HTTP client for killing children: programs without such actions have none.
pub fn link() {
    let _ = KILL.set(RemoteChild::kill);
}

/// The work that waits is done by [`RemoteChild::attend`], which not every program contains.
impl Executor for RemoteChild {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn goes_on_elsewhere(&self) -> bool {
        true
    }

    fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        match KILL.get() {
            Some(kill) => kill(self, job, attempt),
            None => Err(format!(
                "the child on {} goes on: this program cannot send requests",
                self.shown()
            )),
        }
    }
}

impl Evaluate for table::SubWorkflow {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        let Some(url) = &self.host_url else {
            return Ok(Work::SubWorkflow(SubWorkflow::evaluate(cx, self)?));
        };
        let url = url.evaluate(cx.scope)?;
        Ok(Work::RemoteChild(RemoteChild::evaluate(cx, self, &url)?))
    }
}

impl RemoteChild {
    /// The child of `def` on the instance at `url`.
    ///
    /// # Errors
    ///
    /// A template has no value, it is nested too deep, or `url` is none.
    pub fn evaluate(
        cx: &Evaluation<'_>,
        def: &'static table::SubWorkflow,
        url: &str,
    ) -> Result<RemoteChild, ActionError> {
        let mut conf = SubWorkflow::evaluate(cx, def)?.conf;
        for name in OF_LOCAL_CHILDREN {
            conf.remove(name);
        }
        let depth = conf.get(DEPTH).and_then(|depth| depth.parse::<i64>().ok());
        if depth.is_some_and(|depth| depth > MAX_DEPTH) {
            let problem = format!("sub-workflows are nested deeper than {MAX_DEPTH}");
            return Err(ActionError::error("SUBWF001", problem));
        }
        let url = url.trim().trim_end_matches('/').to_owned();
        if !url.starts_with("http://") && !url.starts_with("https://") {
            let problem = format!(
                "host-url is `{}`; it must be the URL of an Oozie, such as http://host:11000/oozie",
                http::shown(&url)
            );
            return Err(ActionError::error("HTTP007", problem));
        }
        let seconds = |name: &str| cx.setting(name).and_then(|text| text.trim().parse().ok());
        let job = cx.scope.job();
        let job = job.map_err(|error| ActionError::failed("EL_ERROR", error.to_string()))?;
        Ok(RemoteChild {
            url,
            conf,
            user: user_of(cx.conf).to_owned(),
            run: job.run,
            timeout: seconds("hpdl.http.timeout").unwrap_or(60),
            patience: seconds("hpdl.host.url.timeout").unwrap_or(3600),
            token_file: cx.site.get("hpdl.host.url.token.file").cloned(),
        })
    }

    /// Submits the child or finds it, and waits for its end.
    ///
    /// # Errors
    ///
    /// As listed above.
    pub fn attend(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        let attempt = context.attempt();
        let instance = Instance::of(self)?;
        let id = match recorded(attempt) {
            Some(id) => id,
            None => {
                let id = self.find_or_submit(&instance, context)?;
                fs::write(child_file(attempt), &id).map_err(|error| {
                    WorkError::Lost(format!("{}: {error}", child_file(attempt).display()))
                })?;
                id
            }
        };
        let child = self.await_end(&instance, attempt, &id)?;
        judged(&instance, &id, &child)
    }

    /// The external id of the child of an attempt: that of Oozie, with the number of the attempt where it is not the first.
    fn external_id(&self, attempt: &Attempt) -> String {
        let id = self.conf.get(EXTERNAL_ID).map(String::as_str);
        let id = id.unwrap_or_default();
        let number = attempt.folder().file_name().unwrap_or_default();
        match number.to_string_lossy().as_ref() {
            "1" => id.to_owned(),
            number => format!("{id}@{number}"),
        }
    }

    fn find_or_submit(
        &self,
        instance: &Instance,
        context: &WorkContext<'_>,
    ) -> Result<String, WorkError> {
        let attempt = context.attempt();
        let external_id = self.external_id(attempt);
        let begun = begun_file(attempt);
        if begun.exists() {
            return self.find_submitted(instance, &external_id);
        }
        if let Some(id) = instance.find(&external_id)? {
            return Ok(id);
        }
        // From here on nothing is submitted again, whatever happens.
        fs::File::create(&begun)
            .map_err(|error| WorkError::Lost(format!("{}: {error}", begun.display())))?;
        let mut conf = self.conf.clone();
        conf.insert(EXTERNAL_ID.to_owned(), external_id.clone());
        if let Some(url) = self.callback_url(context) {
            conf.insert(NOTIFICATION.to_owned(), url);
        }
        match instance.submit(&conf) {
            Ok(id) => Ok(id),
            Err(Trouble::Unknown(_)) => self.find_submitted(instance, &external_id),
            Err(Trouble::Failed { is_certain, error }) => {
                if !is_certain && let Ok(Some(id)) = instance.find(&external_id) {
                    return Ok(id);
                }
                let _ = fs::remove_file(&begun);
                Err(error.into())
            }
        }
    }

    /// Looks for a child that was submitted, and of which no answer came: its instance may be compiling it.
    fn find_submitted(&self, instance: &Instance, external_id: &str) -> Result<String, WorkError> {
        let until = Instant::now() + Duration::from_secs(self.patience.min(self.timeout.max(1)));
        loop {
            if let Ok(Some(id)) = instance.find(external_id) {
                return Ok(id);
            }
            if Instant::now() >= until {
                return Err(WorkError::Lost(format!(
                    "{}: a child was submitted, and no job has its external id {external_id}",
                    self.shown()
                )));
            }
            thread::sleep(FIRST_INTERVAL);
        }
    }

    /// Where its notifications go; `None` where callbacks cannot be listened for, which delays nothing but the news.
    fn callback_url(&self, context: &WorkContext<'_>) -> Option<String> {
        let subject = CallbackSubject {
            job: context.place.job_id,
            run: self.run,
            node: context.place.node,
        };
        Callbacks::new(&context.home).url(subject, "$status").ok()
    }

    /// The child at its end.
    fn await_end(
        &self,
        instance: &Instance,
        attempt: &Attempt,
        id: &str,
    ) -> Result<Child, WorkError> {
        let mut answered = Instant::now();
        let mut interval = FIRST_INTERVAL;
        let mut n_created = 0;
        loop {
            match instance.look(id) {
                Ok(child) if child.is_over() => return Ok(child),
                Ok(child) => {
                    answered = Instant::now();
                    // Submitted and not started: its instance died between.
                    n_created = if child.status == "PREP" {
                        n_created + 1
                    } else {
                        0
                    };
                    if n_created > 1 {
                        let _ = instance.command(id, "start");
                    }
                }
                Err(Trouble::Failed {
                    is_certain: true,
                    error,
                }) if error.code == "E0604" => {
                    let problem = format!(
                        "{} is not there any more: {}",
                        self.named(id),
                        error.message
                    );
                    return Err(WorkError::Lost(problem));
                }
                Err(trouble) if answered.elapsed() > Duration::from_secs(self.patience) => {
                    let problem = format!("{}: {}", self.named(id), trouble.message());
                    return Err(WorkError::Lost(problem));
                }
                Err(_) => {}
            }
            let next = Instant::now() + interval;
            interval = (interval * 2).min(LONGEST_INTERVAL);
            while Instant::now() < next {
                if was_called_back(attempt) {
                    interval = FIRST_INTERVAL;
                    break;
                }
                thread::sleep(LOOK_AGAIN);
            }
        }
    }

    /// Kills the child of an attempt, if it has one.
    ///
    /// # Errors
    ///
    /// Why it may go on.
    fn kill(&self, _job: &str, attempt: &Attempt) -> Result<(), String> {
        let may_exist = |problem: &str| {
            format!(
                "FAILED_TO_KILL: a child on {} may go on: {problem}",
                self.shown()
            )
        };
        let instance = Instance::of(self).map_err(|error| may_exist(&error.message))?;
        if let Some(id) = recorded(attempt) {
            return self.kill_known(&instance, &id).map_err(|it| may_exist(&it));
        }
        if !begun_file(attempt).exists() {
            return Ok(());
        }
        let external_id = self.external_id(attempt);
        let until = Instant::now() + KILL_PATIENCE / 2;
        loop {
            let problem = match instance.find(&external_id) {
                Ok(Some(id)) => {
                    return self.kill_known(&instance, &id).map_err(|it| may_exist(&it));
                }
                Ok(None) => format!("no job has its external id {external_id} yet"),
                Err(trouble) => trouble.message().to_owned(),
            };
            if Instant::now() >= until {
                return Err(may_exist(&problem));
            }
            thread::sleep(FIRST_INTERVAL);
        }
    }

    fn kill_known(&self, instance: &Instance, id: &str) -> Result<(), String> {
        let until = Instant::now() + KILL_PATIENCE;
        loop {
            let killed = instance.command(id, "kill");
            let problem = match (instance.look(id), killed) {
                (Ok(child), _) if child.is_over() => return Ok(()),
                (Err(trouble), _) | (_, Err(trouble)) => trouble.message().to_owned(),
                (Ok(child), Ok(())) => format!("{} is {}", self.named(id), child.status),
            };
            if Instant::now() >= until {
                return Err(problem);
            }
            thread::sleep(FIRST_INTERVAL);
        }
    }

    fn named(&self, id: &str) -> String {
        format!("job {id} on {}", self.shown())
    }

    fn shown(&self) -> String {
        http::shown(&self.url)
    }
}

/// The end of a child as that of its action.
fn judged(instance: &Instance, id: &str, child: &Child) -> Result<WorkResult, WorkError> {
    if child.status == "SUCCEEDED" {
        return Ok(WorkResult {
            external_status: child.status.clone(),
            external_id: Some(id.to_owned()),
            ..WorkResult::default()
        });
    }
    let mut problem = format!("sub-workflow job {id} ended {}", child.status);
    if let Some(message) = instance.message_of(id) {
        problem.push_str(": ");
        problem.push_str(&message);
    }
    Err(known(ActionError::error("", problem), id, &child.status))
}

fn known(error: ActionError, id: &str, status: &str) -> WorkError {
    let result = WorkResult {
        external_status: status.to_owned(),
        external_id: Some(id.to_owned()),
        ..WorkResult::default()
    };
    WorkError::Known(error, Box::new(result))
}

/// Exists from before the submission on.
fn begun_file(attempt: &Attempt) -> PathBuf {
    attempt.beside("begun")
}

/// Has the id of the child, once that is known.
fn child_file(attempt: &Attempt) -> PathBuf {
    attempt.beside("child")
}

fn recorded(attempt: &Attempt) -> Option<String> {
    let id = fs::read_to_string(child_file(attempt)).ok()?;
    (!id.is_empty()).then_some(id)
}

/// Whether a notification has arrived since this was asked last.
fn was_called_back(attempt: &Attempt) -> bool {
    let has_come = matches!(Callback::of(attempt), Ok(Some(_)));
    has_come && forget_callback(attempt).is_ok()
}

fn forget_callback(attempt: &Attempt) -> io::Result<()> {
    fs::remove_file(attempt.beside("callback"))
}
