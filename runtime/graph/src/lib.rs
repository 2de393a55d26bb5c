//! The graph of a workflow as a picture: in the compiler, and in the executables that it makes, with the states of a job.
//!
//! A picture shows what a reader asks first: what follows what. [`Picture`] is what there is to draw; each language draws
//! any: [`dot`] and [`mermaid`] for other programs, [`outline`] for terminals, `svg` whole.

mod dot;
mod labels;
mod mermaid;
mod outline;
mod picture;
#[cfg(feature = "svg")]
pub mod svg;
#[cfg(test)]
mod testing;
mod visible;

#[cfg(feature = "svg")]
pub use self::svg::{Options, STYLE, give_up, svg};
pub use self::{
    dot::dot,
    mermaid::mermaid,
    outline::{OutlineOptions, outline},
    picture::{
        Arrow, ArrowKind, Family, Look, NodeState, Picture, PictureNode, Shape, condition, one_line,
    },
};
