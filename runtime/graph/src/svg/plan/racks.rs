//! Many branches of one action each would make a picture that is far too wide: they are arranged in rows and columns in one frame
//! instead, with one line into it and one out of it.

use std::collections::BTreeMap;

use crate::picture::{ArrowKind, Picture, Shape};

/// Fewer branches are placed side by side.
const LEAST_BRANCHES: usize = 10;

/// The members of each rack, in the order of their fork's arrows.
pub fn find(picture: &Picture) -> Vec<Vec<usize>> {
    let n_nodes = picture.nodes.len();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    let mut targets: Vec<Vec<usize>> = vec![Vec::new(); n_nodes];
    let mut is_error_target = vec![false; n_nodes];
    for arrow in &picture.arrows {
        match arrow.kind {
            ArrowKind::Flow => {
                sources[arrow.to].push(arrow.from);
                targets[arrow.from].push(arrow.to);
            }
            ArrowKind::Error => is_error_target[arrow.to] = true,
        }
    }
    let mut racks = Vec::new();
    for (fork, node) in picture.nodes.iter().enumerate() {
        if node.shape != Shape::Fork || targets[fork].len() < LEAST_BRANCHES {
            continue;
        }
        let mut by_end: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &branch in &targets[fork] {
            let is_single = matches!(picture.nodes[branch].shape, Shape::Action(_) | Shape::Block)
                && sources[branch].len() == 1
                && !is_error_target[branch];
            if let ([end], true) = (&*targets[branch], is_single) {
                by_end.entry(*end).or_default().push(branch);
            }
        }
        racks.extend(
            by_end
                .into_values()
                .filter(|members| members.len() >= LEAST_BRANCHES),
        );
    }
    racks
}

/// About as many columns as rows: boxes are wider than high.
pub fn n_columns(n_members: usize) -> usize {
    (1..=n_members)
        .find(|columns| columns * columns >= n_members)
        .unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_make_a_square() {
        assert_eq!([1, 4, 10, 16, 17].map(n_columns), [1, 2, 4, 4, 5]);
    }
}
