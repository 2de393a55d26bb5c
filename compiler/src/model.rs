//! The typed application: the meaning of the XML to Oozie. Other compilers call this the HIR.
//!
//! Every text that may contain expressions is a [`Template`]: trimmed like in Oozie, parsed, with a map back to the raw
//! file. Names that refer to nodes are still text here; `analysis` resolves them to edges.

pub(crate) mod action;
pub(crate) mod bundle;
pub(crate) mod configuration;
pub(crate) mod control_nodes;
pub(crate) mod coordinator;
pub(crate) mod credentials;
pub(crate) mod extension;
pub(crate) mod own_function;
pub(crate) mod schema;
pub(crate) mod sla;
pub(crate) mod template;
pub(crate) mod workflow;

pub use self::{
    action::{Action, ActionKind},
    bundle::{BundleApp, BundleCoordinator},
    configuration::{Configuration, Global, Parameter, Property},
    control_nodes::{Case, Decision, End, Fork, ForkPath, Join, Kill, Start},
    coordinator::CoordinatorApp,
    credentials::{Credential, Credentials},
    own_function::{DescribedFunction, OwnFunction},
    schema::{BundleVersion, CoordinatorVersion, WorkflowVersion},
    sla::Sla,
    template::{Template, TextMarkup},
    workflow::{Node, NodeId, NodeKind, Script, TransitionKind, WorkflowApp},
};
