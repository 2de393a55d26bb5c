//! Workflows inside Rust programs: the macro (`examples/embedded`) and the build script (`examples/generated`).
//!
//! Each test takes a copy of an example, changes it as its author would, and checks cargo's output and the program's
//! behavior. They share the target folder of this test, so that only the copy itself has to be compiled.

mod agreement;
mod copy;
mod corpus;
mod embedded;
mod functions;
mod generated;
mod program;
mod rust_coordinator;
mod rust_sub_workflows;
mod rust_workflow;
mod wrong;
