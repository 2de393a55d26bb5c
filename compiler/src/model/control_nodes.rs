//! Control flow nodes: start, end, kill, decision, fork and join.

use crate::{model::Template, source::Spanned};

#[derive(Clone, Debug)]
pub struct Start {
    pub to: Spanned<String>,
}

/// The job ends SUCCEEDED.
#[derive(Clone, Debug)]
pub struct End;

/// The job ends KILLED, with a message; or FAILED, for a `fail` of the dialect of 2009.
#[derive(Clone, Debug)]
pub struct Kill {
    pub message: Template,
    /// `fail` of the dialect of 2009.
    pub fails_job: bool,
}

/// A switch: the first case whose text evaluates to `true` is taken, else the default.
#[derive(Clone, Debug)]
pub struct Decision {
    /// In document order, which is the order of evaluation.
    pub cases: Vec<Case>,
    /// Absent only in a document with a reported mistake.
    pub default: Option<Spanned<String>>,
}

#[derive(Clone, Debug)]
pub struct Case {
    pub predicate: Template,
    pub to: Spanned<String>,
}

#[derive(Clone, Debug)]
pub struct Fork {
    pub paths: Vec<ForkPath>,
}

#[derive(Clone, Debug)]
pub struct ForkPath {
    pub start: Spanned<String>,
}

#[derive(Clone, Debug)]
pub struct Join {
    pub to: Spanned<String>,
}
