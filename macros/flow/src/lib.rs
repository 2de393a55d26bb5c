//! Oozie workflows written in Rust.
//!
//! ```no_run
//! use hpdlc_flow::{Result, fs, shell, workflow};
//!
//! /// Lists a folder, and leaves a mark beside it.
//! #[workflow(name_node = "file:///")]
//! async fn list(input: String, output: String) -> Result {
//!     fs().mkdir(&output).named("prepare").await?;
//!     shell("/bin/ls").arg("-l").arg(&input).named("list").await?;
//!     fs().touchz(format!("{output}/_SUCCESS")).named("mark").await?;
//!     Ok(())
//! }
//!
//! fn main() -> std::process::ExitCode {
//!     let runtime = list::init(); // must come first
//!     list::command_line(&runtime) // run, info, log, kill, rerun, recover, graph, …
//! }
//! ```
//!
//! The function is read when the program is compiled, and never run: its statements are the graph, each `.await` is an action, and
//! each `?` an error transition. What the bodies of workflows call is declared here for rustc, which checks their types, and for
//! editors, which complete them; calling any of it outside of a workflow is a mistake and panics.

mod builder;
mod builders;
mod bundle;
mod check;
mod coordinator;
mod durations;
mod functions;
mod own_type;
mod sla;

/// Compiles an application in XML in place, as the items of a module: `mod report { hpdlc_flow::include_workflow!("workflows/report"); }`.
///
/// A workflow in Rust runs it by `child(report, report::Params { .. })`, and a coordinator names it in `workflow = report`.
pub use hpdlc_macros::include_workflow_of_flow as include_workflow;
pub use hpdlc_macros::{
    Data, action, action_type, bundle, coordinator, extension, function, workflow,
};
pub use hpdlc_runtime::{
    self as runtime,
    action::{
        Context, Data, Error, Id, Remote, Result, Run, State, Uri, error, failed, lost,
        non_transient, transient,
    },
};

pub use self::{
    builder::{Action, Builder, Expression, Gives, Lost, Pending, Value},
    builders::{
        child, distcp, email, fs, git, hive, hive_query, hive2, hive2_query, java, map_reduce, pig,
        shell, spark, sqoop, sqoop_tool, ssh, sub_workflow,
    },
    bundle::{Bundle, Startable},
    coordinator::{
        CoordinatorAction, Frequency, Instance, Instances, Time, end_of_days, end_of_months,
        end_of_weeks, months,
    },
    durations::{Duration, days, hours, minutes, seconds},
    functions::{
        append_all, concat, first_not_null, fs, hcat, replace_all, timestamp, trim, url_encode, wf,
    },
    sla::Sla,
};
#[doc(hidden)]
pub use self::{
    builder::{branch, fork, given, ran, value},
    bundle::{NO_ACTION, Started},
    check::{condition, number, string, text},
    coordinator::{argument, duration, frequency},
    own_type::{data_of, field_of, pending},
};

/// Branches that run at the same time: `let (a, b) = fork!(count(&x), async { y().await?; z().await }).await?;`
///
/// Only a `#[workflow]` gives it a meaning.
#[macro_export]
macro_rules! fork {
    ($($branch:expr),* $(,)?) => {
        $crate::fork(($($branch,)*))
    };
}

/// A text with expressions of Oozie, as it stands: `el!("${wf:id()}")`. It can be given wherever a value can.
#[macro_export]
macro_rules! el {
    ($text:literal) => {
        $crate::Expression::new($text)
    };
}

/// Ends the job in KILLED, with this message: `return Err(kill("why"))`.
pub fn kill(_message: impl Value) -> Error {
    outside()
}

/// What runs outside of a workflow.
fn outside() -> ! {
    panic!("this is read when a workflow is compiled, and cannot be called")
}
