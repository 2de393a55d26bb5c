//! Action types of the program with mistakes: in the struct, in the attribute, in the traits.

use std::time::Instant;

use hpdlc_flow::{Context, Data, Id, Remote, Result, Run, State, action_type, error, function};

#[derive(Data)]
pub struct Copied {
    files: u64,
}

pub struct NoData {
    files: u64,
}

#[action_type(element = "does-nothing", namespace = "uri:acme:does-nothing:1.0")]
pub struct DoesNothing {
    pub from: String,
}

#[action_type(element = "field-types", namespace = "uri:acme:field-types:1.0")]
pub struct FieldTypes {
    pub since: Instant,
}

impl Run for FieldTypes {
    type Data = ();

    fn run(&self, _: &Context) -> Result<()> {
        Ok(())
    }
}

#[action_type(element = "never-found", namespace = "uri:acme:never-found:1.0")]
pub struct NeverFound {
    pub from: String,
}

impl Remote for NeverFound {
    type Data = Copied;

    fn start(&self, cx: &Context) -> Result<Id> {
        Ok(Id::new(cx.tag()))
    }

    fn check(&self, _: &Context, _: &Id) -> Result<State<Copied>> {
        Ok(State::Running)
    }

    fn kill(&self, _: &Context, _: &Id) -> Result<()> {
        Ok(())
    }
}

#[action_type(element = "other-data", namespace = "uri:acme:other-data:1.0")]
pub struct OtherData {
    pub from: String,
}

impl Run for OtherData {
    type Data = NoData;

    fn run(&self, _: &Context) -> Result<NoData> {
        Err(error("NONE", &self.from))
    }
}

#[action_type(element = "twice", namespace = "uri:acme:twice:1.0")]
pub struct Twice {
    pub from: String,
    #[element("from")]
    pub source: String,
}

#[action_type(element = "generic", namespace = "uri:acme:generic:1.0")]
pub struct Generic<T> {
    pub from: T,
}

#[action_type(element = "choice", namespace = "uri:acme:choice:1.0")]
pub enum Choice {
    One,
}

#[action_type(element = "tuple", namespace = "uri:acme:tuple:1.0")]
pub struct Tuple(String);

#[action_type(elment = "typo", namespace = "uri:acme:typo:1.0")]
pub struct Typo {
    pub from: String,
}

#[action_type(element = "no-namespace")]
pub struct NoNamespace {
    pub from: String,
}

#[action_type(element = "shell", namespace = "uri:oozie:shell-action:1.0")]
pub struct Taken {
    pub from: String,
}

#[function(prefix = "acme")]
fn several(paths: Vec<Instant>) -> String {
    format!("{paths:?}")
}

#[function(prefix = "wf")]
fn taken(path: String) -> String {
    path
}

#[action_type(element = "two", namespace = "uri:acme:two:1.0")]
pub struct TwoOfOneName {
    #[element("path")]
    from: String,
    path: String,
}

impl Run for TwoOfOneName {
    type Data = ();

    fn run(&self, _: &Context) -> Result<()> {
        Ok(())
    }
}

fn main() {}
