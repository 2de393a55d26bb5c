//! A client of `hpdl serve`: jobs are listed, read, submitted and commanded by functions, with the types that the server itself answers with.
//!
//! It blocks. What it reads and submits is Oozie's Web Services API of version 2, so a server of Oozie answers it, too; applications
//! ([`Client::applications`]) and commands of `hpdl` ([`Client::command`]) are this server's alone.
//!
//! ```no_run
//! use std::collections::BTreeMap;
//!
//! use hpdl::client::{Client, ClientError, List};
//!
//! fn run_load() -> Result<(), ClientError> {
//!     let client = Client::new("http://localhost:11000/oozie")?.with_user("etl");
//!     let properties: BTreeMap<String, String> = [
//!         ("oozie.wf.application.path", "hdfs://nn/apps/load"),
//!         ("day", "2026-11-25"),
//!     ]
//!     .map(|(name, value)| (name.to_owned(), value.to_owned()))
//!     .into();
//!     let id = client.submit(&properties)?;
//!     client.start(&id)?;
//!     println!("{id} is {}", client.status(&id)?);
//!     let running = List {
//!         filter: "status=RUNNING".to_owned(),
//!         ..List::default()
//!     };
//!     for job in client.workflows(&running)?.workflows {
//!         println!("{} {} of {}", job.id, job.app_name, job.user);
//!     }
//!     client.kill(&id)
//! }
//! ```

mod applications;
mod commands;
mod error;
mod exchange;
mod jobs;
mod server;
#[cfg(test)]
mod tests;

pub use self::{
    commands::{CoordinatorRerun, Scope},
    error::ClientError,
    exchange::{Client, Output},
    jobs::{List, PictureFormat},
};
pub use crate::api::{
    admin::{
        BuildVersion, Metrics, MetricsCounter, MetricsGauge, MetricsTimer, OwnedJob, QueueDump,
        SystemStatus, Texts, TimeZoneName, TimeZones, WaitingCommand,
    },
    bundle::BundleJob,
    command::{CommandOutput, CommandRequest, GivenFile},
    coordinator::{CoordinatorAction, CoordinatorJob},
    hws::{Application, ApplicationState, Applications},
    job::{
        AllRuns, CoordinatorActions, MissingDependencies, MissingOfAction, MissingOfDataset,
        Retries, Retry, RunOfWorkflow, WorkflowActionOf, WorkflowActions,
    },
    jobs::{BulkResponse, BulkResponses, BundleJobs, CoordinatorJobs, WorkflowJobs},
    level::{SlaDate, SlaSummaries, SlaSummary},
    workflow::{WorkflowAction, WorkflowJob},
};
