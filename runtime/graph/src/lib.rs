//! The graph of a workflow as a picture: in the compiler, and in the executables that it makes, with the states of a job.
//!
//! A picture shows what a reader asks first: what follows what. [`Picture`] is what there is to draw; each language draws
//! any: [`dot`] and [`mermaid`] for other programs, `svg` whole.

mod dot;
mod mermaid;
mod picture;
#[cfg(feature = "svg")]
pub mod svg;

#[cfg(feature = "svg")]
pub use self::svg::{Options, STYLE, give_up, svg};
pub use self::{
    dot::dot,
    mermaid::mermaid,
    picture::{Arrow, ArrowKind, Family, Look, Picture, Shape, Shown, State, condition, one_line},
};
