//! What the tests share: the compiler under test, commands that cannot hang, temporary folders, the corpus, and texts
//! without what differs from run to run.
//!
//! Failures panic: every caller is a test.

pub mod cases;
pub mod chrome;
pub mod command;
pub mod corpus;
pub mod folder;
pub mod java;
pub mod normalize;
pub mod served;
pub mod webdriver;

pub use self::{
    command::{FinishedCommand, hpdl, hpdlc, run},
    folder::{copy, repository, shared},
};
