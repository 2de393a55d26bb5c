//! Drawing of workflow graphs: in the compiler, and in the executables that it builds, with the states of a job.
//!
//! A picture shows the order of the nodes. [`Picture`] is the input, which every output format can draw: [`dot`] and [`mermaid`]
//! for other programs, [`outline`] for terminals, `svg` as a complete image.

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
pub use self::svg::{Options, STYLE, abandon_layout, linked_svg, svg};
pub use self::{
    dot::dot,
    mermaid::mermaid,
    outline::{OutlineOptions, outline},
    picture::{
        Arrow, ArrowKind, Family, Look, NodeState, Picture, PictureNode, Shape, condition, one_line,
    },
};
