//! Self-contained SVG output: no external font, script or file, readable on light and dark pages.
//!
//! [`collapse`] folds what is too large to be readable, [`plan`] decides what becomes a box, a line or a mark, [`place`] computes
//! the coordinates, [`draw`] writes the SVG. Transitions to error targets are marks on the actions rather than lines: forty lines
//! to one kill node would dominate the picture without being informative.

pub mod collapse;
mod draw;
pub mod markup;
pub mod place;
pub mod plan;
mod ranks;
mod style;
#[cfg(test)]
mod tests;
pub mod text;

pub use self::{place::abandon_layout, style::STYLE};
use super::Picture;

/// Drawing options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether all error transitions are drawn as lines.
    pub error_edges: bool,
    /// Parts of a picture with more nodes than this are folded.
    pub collapse_above: usize,
    /// Whether [`STYLE`] is included. A page with several pictures includes it once.
    pub has_style: bool,
}

impl Default for Options {
    /// For a separate file. With more than 1,500 nodes a picture is too large for any screen, and takes seconds.
    fn default() -> Options {
        Options {
            error_edges: false,
            collapse_above: 1_500,
            has_style: true,
        }
    }
}

/// The picture as an SVG document, or as an element of a page.
pub fn svg(picture: &Picture, options: Options) -> String {
    let picture = &collapse::collapsed(picture, options.collapse_above);
    let plan = plan::plan(picture, options.error_edges);
    let placement = place::place(picture, &plan);
    draw::draw(picture, &plan, &placement, options.has_style, None)
}

/// As [`svg`], as an element of a page on which nodes are links: `link` gives the address of a node by its name. Each link has the name
/// as `data-node`, and each node of a job a sign of its state, so that color is not the only one.
pub fn linked_svg(picture: &Picture, options: Options, link: &dyn Fn(&str) -> String) -> String {
    let picture = &collapse::collapsed(picture, options.collapse_above);
    let plan = plan::plan(picture, options.error_edges);
    let placement = place::place(picture, &plan);
    draw::draw(picture, &plan, &placement, options.has_style, Some(link))
}
