//! The `rust` action: a function of this executable, in a process of its own. Oozie has none; [`action`](crate::action) has what
//! authors of such functions see, and the codes.

mod remote;
mod remote_kill;
mod remote_state;
mod remote_work;

use std::{
    any::Any,
    io::{self, Write},
    panic::{self, AssertUnwindSafe, PanicHookInfo},
    process,
    sync::{Mutex, OnceLock, PoisonError},
};

use hpdlc_host::{home::secret, settings::LOST};
use hpdlc_launcher::{Attempt, StartRequest, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{self, Program},
};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Evaluate, Evaluation, Executor, RunsIn, StartError, Work,
    action::{Action, Actions, Context, DataMap, Error, Extension, error},
    attempt_folder,
    process_end::{self, MAX_OUTPUT_DATA},
    time_limit,
    worker_process::{self, WorkContext, WorkError, WorkResult},
};

pub use self::remote_kill::serve_if_asked;

/// The code of an action whose function panicked.
const PANIC: &str = "HPDL_PANIC";

/// The functions that `main` has named.
static LINKED: OnceLock<Actions> = OnceLock::new();

/// The extensions that `main` has named.
static EXTENSIONS: OnceLock<Extensions> = OnceLock::new();

static OWN_BUILD: OnceLock<String> = OnceLock::new();

/// The message of the last panic, with its place.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Crates whose actions a program can call.
pub type Extensions = &'static [&'static Extension];

/// Makes the functions known to this executable; the first call counts.
pub fn link(actions: Actions, extensions: Extensions) {
    let _ = LINKED.set(actions);
    let _ = EXTENSIONS.set(extensions);
}

/// The functions that the actions of a program call and this executable does not have.
pub fn missing(program: &Program) -> Vec<String> {
    let functions = table::called_functions(program).into_iter();
    functions
        .filter(|name| find(name).is_none())
        .map(|name| name.into_owned())
        .collect()
}

/// The build of this executable, the second part of the hashes of its jobs; the first call counts.
pub fn know_build(build: &str) {
    OWN_BUILD.get_or_init(|| build.to_owned());
}

/// The names of the functions that `main` has named.
pub fn names() -> Vec<&'static str> {
    let linked = LINKED.get().into_iter().copied().flatten();
    linked.map(|(name, _)| *name).collect()
}

/// Calls a function outside of any job, in this process.
///
/// # Errors
///
/// That of the function, or there is no such function.
pub fn call_once(name: &str, arguments: &[String]) -> Result<DataMap, ActionError> {
    let action = find(name).ok_or_else(|| unknown(name))?;
    if action.remote.is_some() {
        let problem = format!("`{name}` goes on elsewhere: it is called by jobs only");
        return Err(ActionError::failed("E0723", problem));
    }
    let context = Context::new("", name, 1, ".");
    guarded(None, || (action.run)(&context, arguments)).map_err(ActionError::from)
}

fn unknown(name: &str) -> ActionError {
    let problem = format!(
        "this program has no function `{name}`: `main` must name it by `Parts::with_actions`, or its crate by `Parts::with_extensions`"
    );
    ActionError::failed("E0723", problem)
}

fn find(name: &str) -> Option<&'static Action> {
    let mut actions = LINKED.get().copied().unwrap_or_default().iter().copied();
    let own = actions.find_map(|(known, action)| (known == name).then_some(action));
    let extensions = EXTENSIONS.get().copied().unwrap_or_default();
    own.or_else(|| extensions.iter().find_map(|extension| extension.find(name)))
}

/// A call with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rust {
    pub function: String,
    pub arguments: Vec<String>,
    /// The hash of its job: definition and build.
    pub hash: String,
    /// Maximum bytes of data.
    pub max_output: u64,
    /// Time limit of the whole action.
    pub limit: Option<TimeLimit>,
    /// What the action's configuration says of a lost attempt.
    pub lost: Option<String>,
}

impl Evaluate for table::Rust {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        let configuration = cx.effective_configuration(&self.settings)?;
        let setting = |name: &str| cx.action_setting(&configuration, name);
        let max_output = setting(MAX_OUTPUT_DATA).and_then(|limit| limit.trim().parse().ok());
        Ok(Work::Rust(Rust {
            function: self.function.evaluate(cx.scope)?,
            arguments: cx.texts(self.arguments)?,
            hash: cx.program.hash.to_owned(),
            max_output: max_output.unwrap_or_else(|| cx.max_output()),
            limit: time_limit::time_limit(&setting)?,
            lost: configuration.get(LOST).cloned(),
        }))
    }
}

impl Executor for Rust {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn start(&self, place: &AttemptPlace<'_>, work: &Work) -> Result<StartRequest, StartError> {
        attempt_folder::make_empty_folder(place.attempt.folder())?;
        let request = worker_process::request(place, work, self.worker_limit())?;
        let Some(build) = self.other_build() else {
            return Ok(request);
        };
        // The job goes on under another build of the program, with the functions that it began with.
        let copy = place.home.join("bin").join(build);
        if !copy.exists() {
            let problem = format!(
                "the executable that the job began with is missing: {}",
                copy.display()
            );
            return Err(StartError::Machine(problem));
        }
        Ok(StartRequest {
            program: copy.to_string_lossy().into_owned(),
            ..request
        })
    }

    fn goes_on_elsewhere(&self) -> bool {
        self.is_remote()
    }

    fn worker_limit(&self) -> Option<TimeLimit> {
        self.limit.filter(|_| !self.is_remote())
    }

    fn when_lost(&self) -> Option<&str> {
        let is_idempotent = || find(&self.function).is_some_and(|action| action.is_idempotent);
        let own = self.lost.as_deref();
        own.or_else(|| is_idempotent().then_some("retry"))
    }

    fn carry(&self, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        Some(self.call(context))
    }

    fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        match self.is_remote() {
            true => self.kill_in_process(job, attempt),
            false => Ok(()),
        }
    }

    fn end_lost(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        match self.is_remote() {
            true => self.kill_lost(job, attempt),
            false => Ok(()),
        }
    }
}

impl Rust {
    /// The hash of the job, if another build of the program has begun it.
    fn other_build(&self) -> Option<&str> {
        let (_, build) = self.hash.split_once('-')?;
        OWN_BUILD
            .get()
            .is_some_and(|own| own != build)
            .then_some(self.hash.as_str())
    }

    /// Whether its work goes on elsewhere.
    fn is_remote(&self) -> bool {
        find(&self.function).is_some_and(|action| action.remote.is_some())
    }

    fn call(&self, context: &WorkContext<'_>) -> Result<WorkResult, WorkError> {
        let Some(action) = find(&self.function) else {
            return Err(unknown(&self.function).into());
        };
        let place = &context.place;
        let path = context.home.tag_key();
        let key = secret::of(&path).map_err(|error| {
            ActionError::transient("JA009", format!("{}: {error}", path.display()))
        })?;
        let seen = seen(place.job_id, place.node, place.attempt).tagged(remote_state::tag(
            &key,
            place.job_id,
            place.attempt,
        ));
        let result = match action.remote {
            Some(calls) => remote::follow(self, calls, seen, place.attempt)?,
            None => {
                let run = || (action.run)(&seen, &self.arguments);
                WorkResult {
                    data: guarded(Some(place.attempt), run).map_err(ended_by)?,
                    ..WorkResult::default()
                }
            }
        };
        // As a properties file has it.
        let data = &result.data;
        let size = data.iter().map(|(name, text)| name.len() + text.len() + 2);
        let size = size.sum::<usize>() as u64;
        if size > self.max_output {
            let what = format!("the data of action `{}`", place.node);
            let remedy = (
                "return less",
                "in its configuration, for the job or for the site",
            );
            return Err(process_end::too_much(&what, size, self.max_output, remedy).into());
        }
        Ok(result)
    }
}

/// The context of an attempt.
fn seen(job: &str, node: &str, attempt: &Attempt) -> Context {
    let folder = attempt.folder();
    let number = folder
        .file_name()
        .and_then(|name| name.to_str()?.parse().ok());
    Context::new(job, node, number.unwrap_or(1), folder)
}

/// How the attempt of a function that returned an error ends.
fn ended_by(error: Error) -> WorkError {
    match error.is_lost() {
        true => WorkError::Lost(error.message().to_owned()),
        false => WorkError::Action(error.into()),
    }
}

/// Calls a function of an author; a panic of it is an error.
fn guarded<T>(
    attempt: Option<&Attempt>,
    call: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let _hook = HookOfCalls::set(attempt);
    match panic::catch_unwind(AssertUnwindSafe(call)) {
        Ok(returned) => returned,
        Err(payload) => Err(panic_error(&*payload)),
    }
}

type PanicHook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// The hook of the process while functions of authors run, and how many do.
static HOOK: Mutex<(usize, Option<PanicHook>)> = Mutex::new((0, None));

/// Functions of authors run: a panic is not ours, and does not ask for a report. Several may run at once, in threads.
struct HookOfCalls;

impl HookOfCalls {
    fn set(attempt: Option<&Attempt>) -> HookOfCalls {
        let mut hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
        if hook.0 == 0 {
            let attempt = attempt.cloned();
            hook.1 = Some(panic::take_hook());
            panic::set_hook(Box::new(move |info| panicked(info, attempt.as_ref())));
        }
        hook.0 += 1;
        HookOfCalls
    }
}

impl Drop for HookOfCalls {
    fn drop(&mut self) {
        let mut hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner);
        hook.0 -= 1;
        if hook.0 == 0
            && let Some(ours) = hook.1.take()
        {
            panic::set_hook(ours);
        }
    }
}

/// Shows a panic in the action's log. A program that was compiled not to unwind ends here.
fn panicked(info: &PanicHookInfo<'_>, attempt: Option<&Attempt>) {
    let cause = info.payload_as_str().unwrap_or("a panic without a message");
    let place = info.location();
    let message = place.map_or_else(
        || cause.to_owned(),
        |location| format!("{cause} ({location})"),
    );
    if cfg!(panic = "abort")
        && let Some(attempt) = attempt
    {
        let stored = worker_process::store_failure(attempt, ActionError::error(PANIC, message));
        process::exit(if stored.is_ok() { 0 } else { 71 });
    }
    let thread = std::thread::current();
    let _ = writeln!(
        io::stderr(),
        "thread `{}` panicked: {message}",
        thread.name().unwrap_or("unnamed")
    );
    *last_panic() = Some(message);
}

/// The error of a panic that ended the function. The last one that was seen is it, unless another thread panicked since.
fn panic_error(payload: &(dyn Any + Send)) -> Error {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    let text = text.unwrap_or("a panic without a message");
    let seen = last_panic().take();
    let message = seen.filter(|seen| seen.starts_with(text));
    error(PANIC, message.unwrap_or_else(|| text.to_owned()))
}

fn last_panic() -> std::sync::MutexGuard<'static, Option<String>> {
    LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One test, since the hook that sees panics is the process's.
    #[test]
    fn a_function_gives_data_or_an_error_and_a_panic_is_one() {
        let attempt = Attempt::new("/nowhere/1");
        let data = DataMap::from([("lines".to_owned(), "4".to_owned())]);
        assert_eq!(guarded(Some(&attempt), || Ok(data.clone())), Ok(data));
        let failed = guarded::<()>(Some(&attempt), || Err(error("NO_FILE", "gone")));
        assert_eq!(failed, Err(error("NO_FILE", "gone")));
        let caught = guarded::<()>(Some(&attempt), || panic!("no {}", 4));
        let error = caught.expect_err("it panicked");
        assert_eq!(error.code(), PANIC);
        let place = "no 4 (runtime/executors/src/rust.rs:";
        assert!(error.message().starts_with(place), "{error}");
    }
}
