//! What an action answers instead of doing its work.

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc, time::Duration};

use hpdlc_executors::{
    Completion,
    action::{self, Action, Context, Data},
};
use hpdlc_program::failure::ActionError;
use tempfile::TempDir;

use crate::values::Values;

/// How one attempt of an action ends.
///
/// Failures have the kinds of Oozie (`ActionExecutorException.ErrorType`), and are retried as the engine retries them: by `retry-max` only
/// if their code is eligible, transient ones always.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    end: AnswerEnd,
    data: BTreeMap<String, String>,
    external_id: Option<String>,
    external_status: Option<String>,
    pub(crate) takes: Duration,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum AnswerEnd {
    Ok,
    Failed(ActionError),
    Lost(String),
}

/// What is known when an attempt has ended.
pub(crate) enum AttemptEnd {
    Completed(Completion),
    /// Whether it has done its work is not known, and why.
    Lost(String),
}

impl Answer {
    fn of(end: AnswerEnd) -> Answer {
        Answer {
            end,
            data: BTreeMap::new(),
            external_id: None,
            external_status: None,
            takes: Duration::ZERO,
        }
    }

    /// It succeeds; without [`Answer::data`] it has none.
    pub fn ok() -> Answer {
        Answer::of(AnswerEnd::Ok)
    }

    /// It takes its `error` transition, unless a retry applies to the code.
    pub fn error(code: impl Into<String>, message: impl fmt::Display) -> Answer {
        let error = ActionError::error(code, message.to_string());
        Answer::of(AnswerEnd::Failed(error))
    }

    /// A failure that may pass: it is tried again (`oozie.wf.action.max.retries`); then the job is suspended.
    pub fn transient(code: impl Into<String>, message: impl fmt::Display) -> Answer {
        let error = ActionError::transient(code, message.to_string());
        Answer::of(AnswerEnd::Failed(error))
    }

    /// A failure that a person must look at: the job is suspended.
    pub fn non_transient(code: impl Into<String>, message: impl fmt::Display) -> Answer {
        let error = ActionError::non_transient(code, message.to_string());
        Answer::of(AnswerEnd::Failed(error))
    }

    /// A failure of the whole job: it ends FAILED, unless a retry applies to the code.
    pub fn failed(code: impl Into<String>, message: impl fmt::Display) -> Answer {
        let error = ActionError::failed(code, message.to_string());
        Answer::of(AnswerEnd::Failed(error))
    }

    /// Its process is lost, and nobody knows what it did: `hpdl.action.lost` decides.
    pub fn lost() -> Answer {
        Answer::of(AnswerEnd::Lost("the test has lost it".to_owned()))
    }

    /// Adds a value of `wf:actionData`.
    #[must_use]
    pub fn data(mut self, name: impl Into<String>, value: impl fmt::Display) -> Answer {
        self.data.insert(name.into(), value.to_string());
        self
    }

    /// Sets the value of `wf:actionExternalId`; otherwise it is `-`.
    #[must_use]
    pub fn external_id(mut self, id: impl Into<String>) -> Answer {
        self.external_id = Some(id.into());
        self
    }

    /// Sets the value of `wf:actionExternalStatus`; otherwise it is `SUCCEEDED` or `FAILED/KILLED`.
    #[must_use]
    pub fn external_status(mut self, status: impl Into<String>) -> Answer {
        self.external_status = Some(status.into());
        self
    }

    /// Sets how long the attempt takes in virtual time; otherwise no time passes.
    #[must_use]
    pub fn takes(mut self, time: Duration) -> Answer {
        self.takes = time;
        self
    }

    pub(crate) fn is_ok(&self) -> bool {
        self.end == AnswerEnd::Ok
    }

    pub(crate) fn into_end(self) -> AttemptEnd {
        let completion = match self.end {
            AnswerEnd::Ok => Completion::ok("SUCCEEDED"),
            AnswerEnd::Failed(error) => Completion::failed(error, "FAILED/KILLED"),
            AnswerEnd::Lost(problem) => return AttemptEnd::Lost(problem),
        };
        AttemptEnd::Completed(Completion {
            external_status: self.external_status.unwrap_or(completion.external_status),
            external_id: self.external_id,
            data: self.data,
            ..completion
        })
    }
}

/// The answers of one action, made from an [`Answer`], a list of them, or what an `#[action]` returns: `Ok(Counted { lines: 4 })`,
/// `Err::<Counted, _>(error("NO_FILE", "gone"))`.
///
/// Of a list each attempt takes the next one, those of further runs too; the last one stays.
#[derive(Clone)]
pub struct Answers(AnswersKind);

type AnswerFn = dyn FnMut(&Values) -> Answer;

#[derive(Clone)]
enum AnswersKind {
    List(Vec<Answer>),
    With(Rc<RefCell<AnswerFn>>),
    /// By the function itself.
    Real(&'static Action),
}

impl Answers {
    pub(crate) fn with(answer: impl FnMut(&Values) -> Answer + 'static) -> Answers {
        Answers(AnswersKind::With(Rc::new(RefCell::new(answer))))
    }

    pub(crate) fn real(action: &'static Action) -> Answers {
        Answers(AnswersKind::Real(action))
    }

    /// The answer of the attempt before which there were `n`; `call` is for the function itself.
    pub(crate) fn take(&self, n: usize, values: &Values, call: ActionCall<'_>) -> Answer {
        match &self.0 {
            AnswersKind::List(list) => {
                let answer = list.get(n).or(list.last());
                answer.cloned().unwrap_or_else(Answer::ok)
            }
            AnswersKind::With(answer) => (answer.borrow_mut())(values),
            AnswersKind::Real(action) => call.run(action, values),
        }
    }

    /// The first answer that succeeds, or the first that does not.
    pub(crate) fn find(
        &self,
        is_ok: bool,
        values: &Values,
        call: ActionCall<'_>,
    ) -> Option<Answer> {
        match &self.0 {
            AnswersKind::List(list) => {
                let mut fitting = list.iter().filter(|answer| answer.is_ok() == is_ok);
                fitting.next().cloned()
            }
            AnswersKind::With(_) | AnswersKind::Real(_) => {
                let answer = self.take(0, values, call);
                Some(answer).filter(|answer| answer.is_ok() == is_ok)
            }
        }
    }
}

impl fmt::Debug for Answers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            AnswersKind::List(list) => list.fmt(f),
            AnswersKind::With(_) => f.write_str("(by a function)"),
            AnswersKind::Real(_) => f.write_str("(by the function of the action)"),
        }
    }
}

/// The attempt that calls the function of an action.
#[derive(Clone, Copy)]
pub(crate) struct ActionCall<'a> {
    pub(crate) job: &'a str,
    pub(crate) node: &'a str,
    pub(crate) attempt: u32,
}

impl ActionCall<'_> {
    /// Calls it in this process, in an empty folder that is removed afterwards.
    fn run(self, action: &Action, values: &Values) -> Answer {
        let folder = match TempDir::new() {
            Ok(folder) => folder,
            Err(error) => panic!("cannot make the folder of an attempt: {error}"),
        };
        let context = Context::new(self.job, self.node, self.attempt, folder.path());
        let arguments = values.all("argument").into_iter().map(str::to_owned);
        Answer::from((action.run)(&context, &arguments.collect::<Vec<_>>()))
    }
}

/// What an action returns: its data, or an error of [`action`].
impl<D: Data> From<action::Result<D>> for Answer {
    fn from(returned: action::Result<D>) -> Answer {
        match action::answer(returned) {
            Ok(data) => Answer {
                data,
                ..Answer::ok()
            },
            Err(error) => Answer::of(AnswerEnd::Failed(error.into())),
        }
    }
}

impl<D: Data> From<action::Result<D>> for Answers {
    fn from(returned: action::Result<D>) -> Answers {
        Answers::from(Answer::from(returned))
    }
}

impl From<Answer> for Answers {
    fn from(answer: Answer) -> Answers {
        Answers(AnswersKind::List(vec![answer]))
    }
}

impl From<Vec<Answer>> for Answers {
    fn from(answers: Vec<Answer>) -> Answers {
        Answers(AnswersKind::List(answers))
    }
}

impl<const N: usize> From<[Answer; N]> for Answers {
    fn from(answers: [Answer; N]) -> Answers {
        Answers::from(Vec::from(answers))
    }
}
