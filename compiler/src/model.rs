//! The typed application: what Oozie means by the XML. Other compilers call this the HIR.
//!
//! Every text that may hold expressions is a [`Template`]: trimmed as Oozie trims it, parsed, with a map back to the raw file.
//! Names that refer to nodes are still text here; `analysis` turns them into edges.

pub mod action;
pub mod bundle;
pub mod configuration;
pub mod control;
pub mod coordinator;
pub mod credentials;
pub mod schema;
pub mod sla;
pub mod template;
pub mod workflow;

pub use self::{
    action::{Action, ActionKind},
    bundle::{BundleApp, BundleCoordinator},
    configuration::{Configuration, Global, Parameter, Property},
    control::{Case, Decision, End, Fork, ForkPath, Join, Kill, Start},
    coordinator::CoordinatorApp,
    credentials::{Credential, Credentials},
    schema::{BundleVersion, CoordinatorVersion, WorkflowVersion},
    sla::Sla,
    template::Template,
    workflow::{Node, NodeId, NodeKind, TransitionKind, WorkflowApp},
};
