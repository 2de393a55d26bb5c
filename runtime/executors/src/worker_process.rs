//! The worker process: this executable, started again as the process of an action whose work the runtime itself does.
//!
//! Mail, requests and remote commands are sent by a process that the launcher starts like any other. So it outlives the
//! owner, is started once, is killed with its process group, and is lost if its outcome is unknown, as with every local process.
//! Its order is in a private file that it removes after reading; its result is in another file, which is created atomically.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use hpdlc_files::{Access, AccessSettings};
use hpdlc_host::{home::Home, panic_hook};
use hpdlc_launcher::{Attempt, ExitRecord, StartRequest, TimeLimit};
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, ProcessOutcome, StartError, Work, process_end,
    stored_error::StoredError, time_limit,
};

/// The first argument of a worker process; the second is its attempt.
const ARGUMENT: &str = "hpdl-worker";

/// Does the work of an action type that not every program contains; `None` if the work is of another type.
pub type WorkCarrier = fn(&Work, &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>>;

/// The work of a process is only canceled by a signal.
static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// The work of a worker process, and its place.
#[derive(Serialize, Deserialize)]
struct WorkOrder {
    work: Work,
    job: String,
    node: String,
    app_folder: PathBuf,
    app_path: String,
    home: PathBuf,
}

/// The context of a worker process.
pub struct WorkContext<'a> {
    pub place: AttemptPlace<'a>,
    pub home: Home,
}

/// The result of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkResult {
    /// Empty means `OK`.
    pub external_status: String,
    /// The external id of the work; by default the process id.
    pub external_id: Option<String>,
    /// The value of `wf:actionData`.
    pub data: BTreeMap<String, String>,
    /// Lines for the job's log.
    pub warnings: Vec<String>,
}

/// Why there is no [`WorkResult`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkError {
    Action(ActionError),
    /// The work has failed elsewhere, with this external status.
    Ended(ActionError, String),
    /// As [`WorkError::Ended`], with an external id and results.
    Known(ActionError, Box<WorkResult>),
    /// It is unknown whether the work was done.
    Lost(String),
}

impl From<ActionError> for WorkError {
    fn from(error: ActionError) -> WorkError {
        WorkError::Action(error)
    }
}

/// The result, as stored in the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum WorkerReport {
    Done(WorkResult),
    Failed {
        #[serde(flatten)]
        error: StoredError,
        external_status: String,
        #[serde(default)]
        external_id: Option<String>,
        #[serde(default)]
        data: BTreeMap<String, String>,
    },
    Lost(String),
}

impl WorkContext<'_> {
    /// Access to other file systems.
    pub fn access<'a>(&self, settings: &'a AccessSettings) -> Access<'a> {
        Access::new(settings, &NEVER_CANCELED)
    }

    pub fn attempt(&self) -> &Attempt {
        self.place.attempt
    }
}

/// Writes the order and returns how to start the worker process, with its time limit; its folder exists.
pub fn request(
    place: &AttemptPlace<'_>,
    work: &Work,
    limit: Option<TimeLimit>,
) -> Result<StartRequest, StartError> {
    let folder = place.attempt.folder();
    let order = WorkOrder {
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
    // The launcher's own file: it is the same as when the owner started.
    place.request(Path::new("/proc/self/exe"), argv, Vec::new(), None, limit)
}

/// Judges a worker process that has exited.
///
/// # Errors
///
/// Its result cannot be read.
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

/// The result of an attempt's worker process; `None` if there is none.
///
/// # Errors
///
/// The file exists and cannot be read.
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
            error,
            external_status,
            external_id,
            data,
        } => ProcessOutcome::Completed(Completion {
            external_id,
            data,
            ..Completion::failed(error.into(), &external_status)
        }),
        WorkerReport::Lost(problem) => ProcessOutcome::Lost(problem),
    }))
}

/// Whether an attempt has begun, and its end is not known.
pub fn is_lost(attempt: &Attempt) -> bool {
    match left(attempt) {
        Ok(Some(ProcessOutcome::Completed(_))) => false,
        Ok(Some(ProcessOutcome::Lost(_))) | Err(_) => true,
        Ok(None) => attempt.claim_file().exists() || attempt.has_been_forgotten(),
    }
}

/// Becomes the worker process if the arguments say so; in this case it does not return.
pub fn serve_if_asked(carriers: impl Iterator<Item = WorkCarrier>) {
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

/// Does the work and stores the result.
fn carry(attempt: &Attempt, mut carriers: impl Iterator<Item = WorkCarrier>) -> io::Result<()> {
    let path = order_file(attempt);
    let order: WorkOrder = serde_json::from_slice(&fs::read(&path)?)?;
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
    store(attempt, &told)?;
    order.work.executor().tidy_up(&context);
    Ok(())
}

/// Stores the result of an attempt, and shows why it failed in the action's own log.
fn store(attempt: &Attempt, told: &WorkerReport) -> io::Result<()> {
    let message = match told {
        WorkerReport::Done(_) => None,
        WorkerReport::Failed { error, .. } => Some(error.message()),
        WorkerReport::Lost(message) => Some(message.as_str()),
    };
    if let Some(message) = message {
        let _ = writeln!(io::stderr(), "{message}");
    }
    let unfinished = attempt.beside("result.new");
    write_private(&unfinished, told)?;
    fs::rename(&unfinished, result_file(attempt))
}

/// Stores that an attempt has failed, for work that cannot return.
///
/// # Errors
///
/// It cannot be written.
pub fn store_failure(attempt: &Attempt, error: ActionError) -> io::Result<()> {
    store(attempt, &failed(error, of_status("ERROR")))
}

fn of_status(external_status: &str) -> WorkResult {
    WorkResult {
        external_status: external_status.to_owned(),
        ..WorkResult::default()
    }
}

fn failed(error: ActionError, delivery: WorkResult) -> WorkerReport {
    WorkerReport::Failed {
        error: error.into(),
        external_status: delivery.external_status,
        external_id: delivery.external_id,
        data: delivery.data,
    }
}

/// The compiler makes sure that this does not happen.
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
