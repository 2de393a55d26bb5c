//! Work that goes on elsewhere: in a service that is told to begin it, and asked how it goes.

use std::{fmt, thread, time::Duration};

use serde::{Deserialize, Serialize};

use super::{
    Context, DataMap,
    data::Data,
    error::{Error, Result, error},
    own_type::{ActionType, Elements},
};

/// An action type whose work goes on in a service, whatever dies here.
///
/// A process of the action finds the work or starts it, records its id, and asks for its state with growing pauses until it has ended. If that
/// process dies, another one goes on: with the recorded id, else with what [`find`](Remote::find) finds. If a start had begun and nothing is
/// found, the action is lost, and nothing is started twice.
///
/// An error that is [`transient`](super::transient), or of another library by `?`, says nothing about the work: `check`, `kill` and, after
/// a start has begun, `find` are called again later. All others end the action.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does no work elsewhere",
    label = "neither `Run` nor `Remote` is implemented for it"
)]
pub trait Remote: ActionType {
    /// What the action gives to its workflow.
    type Data: Data;

    /// The work of this attempt, if it was started: by [`Context::tag`]. Asked before every start.
    ///
    /// # Errors
    ///
    /// The service cannot say.
    fn find(&self, cx: &Context) -> Result<Option<Id>>;

    /// Starts the work, and leaves [`Context::tag`] with it, in the same request.
    ///
    /// # Errors
    ///
    /// Why nothing was started. Where that is not certain, as after a request without an answer, the error is
    /// [`lost`](super::lost) or that of the library, by `?`: then the work is looked for once more, and is lost if it is not found.
    fn start(&self, cx: &Context) -> Result<Id>;

    /// How it goes.
    ///
    /// # Errors
    ///
    /// The service cannot say. Work that has failed is [`State::Failed`].
    fn check(&self, cx: &Context, id: &Id) -> Result<State<Self::Data>>;

    /// Ends the work: the job was killed, or the time limit of the action is over. Work that has ended is no error.
    ///
    /// # Errors
    ///
    /// Why it may go on.
    fn kill(&self, cx: &Context, id: &Id) -> Result<()>;
}

/// The name that a service has given to some work.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Id(String);

/// How some work goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State<D = ()> {
    Running,
    Done(D),
    Failed(Error),
}

/// The calls of a [`Remote`] type, with its elements as texts.
#[derive(Clone, Copy)]
pub struct RemoteCalls {
    pub find: fn(&Context, &[String]) -> Result<Option<Id>>,
    pub start: fn(&Context, &[String]) -> Result<Id>,
    pub check: fn(&Context, &[String], &Id) -> Result<State<DataMap>>,
    pub kill: fn(&Context, &[String], &Id) -> Result<()>,
}

impl Id {
    pub fn new(id: impl Into<String>) -> Id {
        Id(id.into())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RemoteCalls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RemoteCalls").finish_non_exhaustive()
    }
}

impl RemoteCalls {
    /// The calls of a type.
    pub(super) const fn of<T: Remote>() -> RemoteCalls {
        RemoteCalls {
            find: find::<T>,
            start: start::<T>,
            check: check::<T>,
            kill: kill::<T>,
        }
    }
}

fn read<T: ActionType>(texts: &[String]) -> Result<T> {
    T::of_elements(Elements::of(texts)?)
}

fn find<T: Remote>(cx: &Context, texts: &[String]) -> Result<Option<Id>> {
    read::<T>(texts)?.find(cx)
}

fn start<T: Remote>(cx: &Context, texts: &[String]) -> Result<Id> {
    read::<T>(texts)?.start(cx)
}

fn check<T: Remote>(cx: &Context, texts: &[String], id: &Id) -> Result<State<DataMap>> {
    Ok(match read::<T>(texts)?.check(cx, id)? {
        State::Running => State::Running,
        State::Done(data) => match data.to_data() {
            Ok(data) => State::Done(data),
            Err(problem) => State::Failed(error("HPDL_DATA", problem)),
        },
        State::Failed(error) => State::Failed(error),
    })
}

fn kill<T: Remote>(cx: &Context, texts: &[String], id: &Id) -> Result<()> {
    read::<T>(texts)?.kill(cx, id)
}

/// The whole work within this process, without a record of it: for tests of workflows that answer by the type itself.
pub(super) fn run<T: Remote>(cx: &Context, texts: &[String]) -> Result<DataMap> {
    let found = find::<T>(cx, texts)?;
    let id = found.map_or_else(|| start::<T>(cx, texts), Ok)?;
    loop {
        match check::<T>(cx, texts, &id)? {
            State::Running => thread::sleep(Duration::from_millis(10)),
            State::Done(data) => return Ok(data),
            State::Failed(error) => return Err(error),
        }
    }
}
