//! Errors of the evaluation of an expression.

use std::{error::Error, fmt};

use crate::{el::ast::TextRange, limits::TooLong};

/// An expression without a value.
///
/// In a running job, [`ElErrorKind::Io`] is Oozie's `EL_EVAL_ERROR` and is retried; [`ElErrorKind::Own`] has a code of its own; every
/// other kind is `EL_ERROR` and fails the job.
#[derive(Clone, Debug, PartialEq)]
pub struct ElError {
    pub kind: ElErrorKind,
    /// One phrase that shows the values involved.
    pub message: String,
    /// What the user can do about it.
    pub help: Option<String>,
    /// The range of the innermost expression that failed; `None` in generated code.
    pub range: Option<TextRange>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElErrorKind {
    /// No constant, and no property with an identifier as name, is called this.
    UndefinedVariable { name: String },
    /// No function of this name, or not with this number of arguments.
    UnknownFunction,
    /// A value that cannot be converted to the required type.
    Coercion,
    /// `1 % 0`
    Arithmetic,
    /// A text longer than [`limits::MAX_TEXT`](crate::limits::MAX_TEXT).
    TooLong,
    /// A function refused its arguments.
    Function,
    /// A function of the program failed.
    Own(Box<OwnFailure>),
    /// A function could not reach the queried system; a retry may help.
    Io,
    /// The function needs a running job, and there is none.
    NeedsJob,
}

/// Why a function of the program failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnFailure {
    /// As written in an expression, such as `acme:bucket`.
    pub function: String,
    /// The author's code.
    pub code: String,
    /// A retry may help.
    pub is_transient: bool,
}

impl ElError {
    pub fn new(kind: ElErrorKind, message: impl Into<String>) -> ElError {
        ElError {
            kind,
            message: message.into(),
            help: None,
            range: None,
        }
    }

    /// What Oozie reports as `variable [NAME] cannot be resolved`.
    pub fn undefined_variable(name: &str) -> ElError {
        ElError::new(
            ElErrorKind::UndefinedVariable {
                name: name.to_owned(),
            },
            format!("variable `{name}` cannot be resolved"),
        )
    }

    pub fn coercion(message: impl Into<String>) -> ElError {
        ElError::new(ElErrorKind::Coercion, message)
    }

    /// A concatenated text is too long.
    pub fn too_long(problem: TooLong) -> ElError {
        ElError::new(ElErrorKind::TooLong, problem.to_string())
    }

    pub fn arithmetic(message: impl Into<String>) -> ElError {
        ElError::new(ElErrorKind::Arithmetic, message)
    }

    /// `name` is the function as written in EL, such as `fs:fileSize`.
    pub fn function(name: &str, problem: impl fmt::Display) -> ElError {
        ElError::new(
            ElErrorKind::Function,
            format!("function `{name}` failed: {problem}"),
        )
    }

    pub fn io(message: impl Into<String>) -> ElError {
        ElError::new(ElErrorKind::Io, message)
    }

    /// `what` completes "needs a running job", such as "function `wf:id`".
    pub fn needs_job(what: impl fmt::Display) -> ElError {
        ElError::new(ElErrorKind::NeedsJob, format!("{what} needs a running job"))
    }

    /// `what` completes "needs a running coordinator".
    pub fn needs_coordinator(what: impl fmt::Display) -> ElError {
        ElError::new(
            ElErrorKind::NeedsJob,
            format!("{what} needs a running coordinator or bundle"),
        )
    }

    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> ElError {
        self.help = Some(help.into());
        self
    }

    /// Sets the range unless an inner expression has set it.
    #[must_use]
    pub fn at(mut self, range: TextRange) -> ElError {
        self.range.get_or_insert(range);
        self
    }

    /// Whether a retry may succeed (Oozie's class TRANSIENT).
    pub fn is_transient(&self) -> bool {
        match &self.kind {
            ElErrorKind::Io => true,
            ElErrorKind::Own(failure) => failure.is_transient,
            _ => false,
        }
    }
}

impl fmt::Display for ElError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl Error for ElError {}
