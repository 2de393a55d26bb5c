//! Actions that are Rust functions of the program itself: what their authors see.
//!
//! `#[action]` of `hpdlc-flow` makes an [`Action`] of a function; a program gives the list of all its [`Actions`] to the runtime
//! by `Parts::with_actions`. A `rust` action of a workflow names one of them. It runs in a process of its own, which is this
//! executable: what it prints goes to the log of the action.
//!
//! The codes of its failures are those that the function returns ([`error`] and its relatives), and
//!
//! | code | class | the function |
//! |---|---|---|
//! | `HPDL_ERROR` | error | returned an error of another library, by `?` |
//! | `HPDL_PANIC` | error | panicked |
//! | `HPDL_ARGUMENT` | error | was not called: an argument has no value of its type, or there are too many or too few |
//! | `HPDL_DATA` | error | returned data that cannot be JSON |
//! | `JA018` | error | returned more data than `oozie.action.max.output.data` allows |
//! | `HPDL_TIMEOUT` | error | exceeded the action's time limit |
//! | `HPDL_LOST` | | ended its process without a result, or returned [`lost`]: it is not known whether it did its work |
//!
//! An action may also be a type with a name and elements of its own, an [`ActionType`]: work of its process by [`Run`], or work that goes
//! on elsewhere by [`Remote`]. An [`Extension`] is a crate with actions and types for other programs.
//!
//! A retry that is written for the action (`retry-max`) applies to each code of class error.

mod data;
mod entries;
mod error;
mod extension;
mod function;
pub mod json;
mod kinds;
mod manifest;
mod own_type;
mod remote;
mod schema;
mod uri;
mod value;

use std::{
    collections::BTreeMap,
    fmt, io,
    path::{Path, PathBuf},
};

pub use self::{
    data::Data,
    entries::{
        NamedAction, TypeEntry, WithoutAttribute, has_own_namespace, is_first, named, type_entry,
    },
    error::{Error, Result, error, failed, lost, non_transient, transient},
    extension::Extension,
    function::FunctionCall,
    kinds::{Works, action_of},
    manifest::hold_to_manifest,
    own_type::{ActionType, ElementValue, Elements, Run},
    remote::{Id, Remote, RemoteCalls, State},
    schema::{
        ArgumentSchema, ElementSchema, FunctionSchema, Occurs, Schema, TypeSchema, ValueKind,
    },
    uri::Uri,
    value::{Texts, Value, texts},
};

/// The data of an action as `wf:actionData` gives it.
pub type DataMap = BTreeMap<String, String>;

/// A function of the program that actions can call.
#[derive(Clone, Copy)]
pub struct Action {
    /// Decodes the arguments, calls the function, and encodes what it returns.
    pub run: fn(&Context, &[String]) -> Result<DataMap>,
    /// Whether an attempt whose end is not known is run again: the function does no harm if it runs twice.
    pub is_idempotent: bool,
    /// The calls of work that goes on elsewhere; then `run` is for tests alone.
    pub remote: Option<RemoteCalls>,
    /// What the manifest of an extension says of it.
    pub schema: Schema,
}

/// The functions of a program, by the names that `rust` actions use.
pub type Actions = &'static [(&'static str, &'static Action)];

/// Where an action runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    job: String,
    node: String,
    attempt: u32,
    folder: PathBuf,
    tag: Option<String>,
}

impl Action {
    /// An action that is not run again if its end is not known.
    pub const fn new(run: fn(&Context, &[String]) -> Result<DataMap>) -> Action {
        Action {
            run,
            is_idempotent: false,
            remote: None,
            schema: Schema::Unknown,
        }
    }

    /// This action, described for the manifest of an extension.
    #[must_use]
    pub const fn with_schema(self, schema: Schema) -> Action {
        Action { schema, ..self }
    }

    /// This action, run again if its end is not known, unless `hpdl.action.lost` in its configuration says otherwise.
    #[must_use]
    pub const fn idempotent(self) -> Action {
        Action {
            is_idempotent: true,
            ..self
        }
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Action")
            .field("is_idempotent", &self.is_idempotent)
            .finish_non_exhaustive()
    }
}

impl Context {
    /// A context as a job makes it; for tests of actions that want one.
    pub fn new(
        job: impl Into<String>,
        node: impl Into<String>,
        attempt: u32,
        folder: impl Into<PathBuf>,
    ) -> Context {
        Context {
            job: job.into(),
            node: node.into(),
            attempt,
            folder: folder.into(),
            tag: None,
        }
    }

    /// The same place with the tag of the attempt.
    #[must_use]
    pub(crate) fn tagged(self, tag: String) -> Context {
        Context {
            tag: Some(tag),
            ..self
        }
    }

    /// The id of the job, such as `0000001-260101000000000-hpdl-W`.
    pub fn job(&self) -> &str {
        &self.job
    }

    /// The name of the action's node.
    pub fn node(&self) -> &str {
        &self.node
    }

    /// The number of the attempt, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The name of the attempt among all attempts of all jobs and state folders: letters, digits and `-`. Work elsewhere is found by it.
    pub fn tag(&self) -> String {
        let own = self.tag.clone();
        own.unwrap_or_else(|| format!("hpdl-{}-{}-{}", self.job, self.node, self.attempt))
    }

    /// The folder of the attempt, empty at its start; it is the current folder too.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
}

/// The arguments of an action, in order.
#[derive(Debug)]
pub struct Arguments<'a> {
    texts: &'a [String],
    n_taken: usize,
}

impl<'a> Arguments<'a> {
    /// All `texts`, of which a function has `n` parameters.
    ///
    /// # Errors
    ///
    /// There are more or fewer (`HPDL_ARGUMENT`).
    pub fn of(texts: &'a [String], n: usize) -> Result<Arguments<'a>> {
        if texts.len() != n {
            let problem = format!(
                "the function has {n} parameters, and {} arguments",
                texts.len()
            );
            return Err(error("HPDL_ARGUMENT", problem));
        }
        Ok(Arguments { texts, n_taken: 0 })
    }

    /// The next argument, for the parameter of that name.
    ///
    /// # Errors
    ///
    /// Its text is no value of the type (`HPDL_ARGUMENT`), or there are no more.
    pub fn take<T: Value>(&mut self, parameter: &str) -> Result<T> {
        let text = self.texts.get(self.n_taken).map(String::as_str);
        self.n_taken += 1;
        let value = match text {
            Some(text) => T::of_argument(text),
            None => T::of_text(None),
        };
        value.map_err(|problem| {
            error(
                "HPDL_ARGUMENT",
                format!("argument {} (`{parameter}`): {problem}", self.n_taken),
            )
        })
    }
}

/// What an action returns, as a `rust` action needs it.
///
/// # Errors
///
/// That of the action, or the data cannot be JSON (`HPDL_DATA`).
pub fn answer<D: Data>(returned: Result<D>) -> Result<DataMap> {
    returned?
        .to_data()
        .map_err(|problem| error("HPDL_DATA", problem))
}

/// Runs the future of an `async` action to its end, on this thread.
///
/// # Errors
///
/// That of the action, or the operating system has no resources for timers and sockets (`HPDL_ERROR`).
pub fn block_on<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    let mut builder = tokio::runtime::Builder::new_current_thread();
    let runtime: io::Result<tokio::runtime::Runtime> = builder.enable_all().build();
    runtime?.block_on(future)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(arguments: &[&str]) -> Result<DataMap> {
        let texts: Vec<String> = arguments.iter().map(|&text| text.to_owned()).collect();
        let mut arguments = Arguments::of(&texts, 2)?;
        let (lines, limit): (u64, Option<u64>) =
            (arguments.take("lines")?, arguments.take("limit")?);
        Ok(DataMap::from([(
            "is_over".to_owned(),
            limit.is_some_and(|limit| lines > limit).to_string(),
        )]))
    }

    #[track_caller]
    fn check(arguments: &[&str], expected: std::result::Result<&str, &str>) {
        let found = judge(arguments);
        let found = found.map(|data| data["is_over"].clone());
        let found = found.map_err(|error| format!("{}: {}", error.code(), error.message()));
        assert_eq!(
            found.as_deref().map_err(String::as_str),
            expected,
            "{arguments:?}"
        );
    }

    #[test]
    fn arguments_are_read_by_their_types() {
        check(&["4", "3"], Ok("true"));
        check(&["4", ""], Ok("false"));
        check(
            &["four", "3"],
            Err(
                "HPDL_ARGUMENT: argument 1 (`lines`): `four` is no u64: invalid digit found in string",
            ),
        );
        check(
            &["4"],
            Err("HPDL_ARGUMENT: the function has 2 parameters, and 1 arguments"),
        );
    }

    #[test]
    fn a_future_has_timers() {
        let waited = block_on(async {
            tokio::time::sleep(std::time::Duration::ZERO).await;
            Ok(1)
        });
        assert_eq!(waited.map_err(|error| error.to_string()), Ok(1));
    }
}
