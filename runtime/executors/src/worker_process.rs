//! The worker process: this executable once more, as the process of an action whose work is done by the runtime itself.
//!
//! Mail, requests and remote commands are sent by a process that the launcher starts like any other. So it outlives the
//! owner, is started once, is killed with its group, and what nobody knows of it is lost, as with every local process. What
//! it is to do is in a private file that it removes when it has read it; what came of it, in another that appears whole.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_core::step::FailureClass;
use hpdlc_files::{Access, AccessSettings};
use hpdlc_host::{home::Home, panic_hook};
use hpdlc_launcher::{Attempt, ExitRecord, StartRequest, TimeLimit};
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{AttemptPlace, Completion, ProcessOutcome, StartError, Work, process_end, time_limit};

/// The first argument of a worker process; the second is its attempt.
const ARGUMENT: &str = "hpdl-worker";

/// Does the work of a type of action that not every program brings along; `None` where the work is of another type.
pub type Carrier = fn(&Work, &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>>;

/// Nobody cancels the work of a process but by a signal.
static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// What a worker process is to do, and where.
#[derive(Serialize, Deserialize)]
struct Order {
    work: Work,
    job: String,
    node: String,
    app_folder: PathBuf,
    app_path: String,
    home: PathBuf,
}

/// What a worker process has to go by.
pub struct WorkContext<'a> {
    pub place: AttemptPlace<'a>,
    pub home: Home,
}

/// What came of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkResult {
    /// `OK` where it is empty.
    pub external_status: String,
    /// By which the work is known elsewhere; the process's own number where there is nothing else.
    pub external_id: Option<String>,
    /// What `wf:actionData` gives.
    pub data: BTreeMap<String, String>,
    /// For the job's log.
    pub warnings: Vec<String>,
}

/// Why there is no [`WorkResult`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkError {
    Action(ActionError),
    /// The work has ended elsewhere, with this status there.
    Ended(ActionError, String),
    /// As [`WorkError::Ended`], and it has a name there, and has left something.
    Known(ActionError, Box<WorkResult>),
    /// Nobody can say whether the work was done.
    Lost(String),
}

impl From<ActionError> for WorkError {
    fn from(error: ActionError) -> WorkError {
        WorkError::Action(error)
    }
}

/// As it is in the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WorkerReport {
    Done(WorkResult),
    Failed {
        class: Class,
        code: String,
        message: String,
        external_status: String,
        #[serde(default)]
        external_id: Option<String>,
        #[serde(default)]
        data: BTreeMap<String, String>,
    },
    Lost(String),
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Class {
    Transient,
    NonTransient,
    Error,
    Failed,
}

impl WorkContext<'_> {
    /// The way to files elsewhere.
    pub fn access<'a>(&self, settings: &'a AccessSettings) -> Access<'a> {
        Access::new(settings, &NEVER_CANCELED)
    }

    pub fn attempt(&self) -> &Attempt {
        self.place.attempt
    }
}

/// Writes the order down and says how the worker process is started, and how long it may run; its folder is there.
pub fn request(
    place: &AttemptPlace<'_>,
    work: &Work,
    limit: Option<TimeLimit>,
) -> Result<StartRequest, StartError> {
    let folder = place.attempt.folder();
    let order = Order {
        work: work.clone(),
        job: place.job_id.to_owned(),
        node: place.node.to_owned(),
        app_folder: place.app_folder.to_owned(),
        app_path: place.app_path.to_owned(),
        home: place.home.to_owned(),
    };
    let path = order_file(place.attempt);
    write_private(&path, &order).map_err(|error| StartError::machine(&path, &error))?;
    let attempt = folder.to_string_lossy().into_owned();
    let argv = vec![format!("hpdl-{}", place.node), ARGUMENT.to_owned(), attempt];
    // The launcher's own file: it has not been replaced since the owner started.
    place.request(Path::new("/proc/self/exe"), argv, Vec::new(), None, limit)
}

/// Judges a worker process that has ended.
///
/// # Errors
///
/// What it has left cannot be read.
pub fn ending(attempt: &Attempt, record: &ExitRecord) -> io::Result<ProcessOutcome> {
    if let Some(ending) = left(attempt)? {
        return Ok(ending);
    }
    if let Some(seconds) = record.exceeded {
        let error = time_limit::time_over("the process", seconds);
        return Ok(ProcessOutcome::Completed(Completion::failed(
            error,
            process_end::FAILED,
        )));
    }
    let how = match (record.code, record.signal, &record.error) {
        (_, Some(signal), _) => format!("was ended by signal {signal}"),
        (Some(code), None, _) => format!("ended with exit code {code}"),
        (None, None, Some(problem)) => problem.clone(),
        (None, None, None) => "ended".to_owned(),
    };
    let mut problem = format!("its process {how} before it could report its result");
    if let Some(line) = process_end::last_line(&attempt.stderr()) {
        problem.push_str(": ");
        problem.push_str(&line);
    }
    Ok(ProcessOutcome::Lost(problem))
}

/// What the worker process of an attempt has left; `None` where it has left nothing.
///
/// # Errors
///
/// The file is there and cannot be read.
pub fn left(attempt: &Attempt) -> io::Result<Option<ProcessOutcome>> {
    let text = match fs::read(result_file(attempt)) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    Ok(Some(match serde_json::from_slice::<WorkerReport>(&text)? {
        WorkerReport::Done(WorkResult {
            external_id,
            data,
            warnings,
            external_status,
        }) => ProcessOutcome::Completed(Completion {
            external_id,
            data,
            warnings,
            ..Completion::ok(if external_status.is_empty() {
                "OK"
            } else {
                &external_status
            })
        }),
        WorkerReport::Failed {
            class,
            code,
            message,
            external_status,
            external_id,
            data,
        } => {
            let class = match class {
                Class::Transient => FailureClass::Transient,
                Class::NonTransient => FailureClass::NonTransient,
                Class::Error => FailureClass::Error,
                Class::Failed => FailureClass::Failed,
            };
            let error = ActionError::new(class, code, message);
            ProcessOutcome::Completed(Completion {
                external_id,
                data,
                ..Completion::failed(error, &external_status)
            })
        }
        WorkerReport::Lost(problem) => ProcessOutcome::Lost(problem),
    }))
}

/// Becomes the worker process where the arguments say so; does not return then.
pub fn serve_if_asked(carriers: impl Iterator<Item = Carrier>) {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next().is_none_or(|argument| argument != ARGUMENT) {
        return;
    }
    panic_hook::install("a worker process".to_owned(), || false);
    let attempt = Attempt::new(arguments.next().unwrap_or_default());
    let code = match carry(&attempt, carriers) {
        Ok(()) => 0,
        Err(error) => {
            let _ = writeln!(io::stderr(), "{error}");
            71
        }
    };
    std::process::exit(code)
}

/// Does the work and leaves what came of it.
fn carry(attempt: &Attempt, mut carriers: impl Iterator<Item = Carrier>) -> io::Result<()> {
    let path = order_file(attempt);
    let order: Order = serde_json::from_slice(&fs::read(&path)?)?;
    fs::remove_file(&path)?;
    let home =
        Home::open_at(order.home.clone()).map_err(|error| io::Error::other(error.message))?;
    let context = WorkContext {
        place: AttemptPlace {
            job_id: &order.job,
            node: &order.node,
            attempt,
            app_folder: &order.app_folder,
            app_path: &order.app_path,
            home: &order.home,
            is_canceled: &NEVER_CANCELED,
        },
        home,
    };
    let done = match order.work.executor().carry(&context) {
        Some(done) => done,
        None => carriers
            .find_map(|carrier| carrier(&order.work, &context))
            .unwrap_or_else(|| Err(not_brought_along().into())),
    };
    let told = match done {
        Ok(delivery) => WorkerReport::Done(delivery),
        Err(WorkError::Action(error)) => {
            let mut delivery = of_status("ERROR");
            delivery.external_id = order.work.executor().external_id().map(str::to_owned);
            failed(error, delivery)
        }
        Err(WorkError::Ended(error, status)) => failed(error, of_status(&status)),
        Err(WorkError::Known(error, delivery)) => failed(error, *delivery),
        Err(WorkError::Lost(problem)) => WorkerReport::Lost(problem),
    };
    if let WorkerReport::Failed { message, .. } | WorkerReport::Lost(message) = &told {
        // For whoever looks at the action's own log.
        let _ = writeln!(io::stderr(), "{message}");
    }
    let unfinished = attempt.beside("result.new");
    write_private(&unfinished, &told)?;
    fs::rename(&unfinished, result_file(attempt))?;
    order.work.executor().tidy_up(&context);
    Ok(())
}

fn of_status(external_status: &str) -> WorkResult {
    WorkResult {
        external_status: external_status.to_owned(),
        ..WorkResult::default()
    }
}

fn failed(error: ActionError, delivery: WorkResult) -> WorkerReport {
    WorkerReport::Failed {
        class: match error.class {
            FailureClass::Transient => Class::Transient,
            FailureClass::NonTransient => Class::NonTransient,
            FailureClass::Error => Class::Error,
            FailureClass::Failed => Class::Failed,
        },
        code: error.code,
        message: error.message,
        external_status: delivery.external_status,
        external_id: delivery.external_id,
        data: delivery.data,
    }
}

/// The compiler sees to it that this does not happen.
fn not_brought_along() -> ActionError {
    let problem =
        "this program was started by `init_with`, and brings nothing along for this action";
    ActionError::failed("E0723", problem)
}

fn order_file(attempt: &Attempt) -> PathBuf {
    attempt.beside("order")
}

fn result_file(attempt: &Attempt) -> PathBuf {
    attempt.beside("result")
}

fn write_private(path: &Path, value: &impl Serialize) -> io::Result<()> {
    let mut file = File::options()
        .create(true)
        .truncate(true)
        .write(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(&serde_json::to_vec(value)?)
}
