//! The graph of a document as a picture: a document becomes a [`Picture`] ([`of_workflow`]), which `hpdlc-graph` draws.

mod workflow;

pub use hpdlc_graph::{Arrow, ArrowKind, Family, Picture, Shape, Shown, dot, mermaid};
#[cfg(feature = "cli")]
pub use hpdlc_graph::{Options, STYLE, is_guarded, svg};

pub use self::workflow::of_workflow;

#[cfg(test)]
mod tests;
