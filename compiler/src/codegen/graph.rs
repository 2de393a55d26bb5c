//! The graph of a document as a picture.
//!
//! A picture shows what a reader asks first: what follows what. [`Picture`] is what there is to draw; a document becomes
//! one ([`of_workflow`], [`of_coordinator`], [`of_bundle`]), and each language draws any: [`dot`] and [`mermaid`] for other programs, `svg` whole.

mod bundle;
mod coordinator;
mod dot;
mod mermaid;
mod picture;
#[cfg(feature = "cli")]
mod svg;
mod workflow;

#[cfg(feature = "cli")]
pub use self::svg::{Options, STYLE, is_guarded, svg};
pub use self::{
    bundle::{StartedCoordinator, of_bundle},
    coordinator::of_coordinator,
    dot::dot,
    mermaid::mermaid,
    picture::{Arrow, ArrowKind, Family, Picture, Shape, Shown},
    workflow::of_workflow,
};

#[cfg(test)]
mod tests;
