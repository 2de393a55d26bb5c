//! The graph of a document as a picture: a document becomes a [`Picture`] ([`of_workflow`], [`of_coordinator`],
//! [`of_bundle`]), which `hpdlc-graph` draws.

mod bundle;
mod coordinator;
mod workflow;

pub use hpdlc_graph::{
    Options, OutlineOptions, Picture, STYLE, Shape, abandon_layout, dot, mermaid, outline, svg,
};

pub use self::{
    bundle::{StartedCoordinator, of_bundle},
    coordinator::of_coordinator,
    workflow::of_workflow,
};

#[cfg(test)]
mod tests;
