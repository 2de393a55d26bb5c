//! Chooses the lines that are too long to be drawn: a box lists their targets, or connectors replace them.

use std::collections::BTreeSet;

use crate::picture::{Picture, Shape};

/// The total number of ranks that all lines may cross: the cost of the layout grows with it.
const MAX_TOTAL_SPAN: usize = 3_000;

/// A decision with more lines than this lists the far ones in its box.
const MANY_CASES: usize = 10;

/// From this number of ranks on, a node is far.
const FAR: usize = 3;

/// The far lines of decisions that lead to nearly every node, such as those for resuming after a failure.
pub(super) fn listed_lines(
    picture: &Picture,
    ends: &[(usize, usize)],
    spans: &[usize],
    all_lines: bool,
) -> BTreeSet<usize> {
    let mut n_lines = vec![0; picture.nodes.len()];
    let mut listed = BTreeSet::new();
    if all_lines {
        return listed;
    }
    let is_decision = |from: usize| {
        picture
            .nodes
            .get(from)
            .is_some_and(|node| node.shape == Shape::Decision)
    };
    for (from, _) in ends {
        if is_decision(*from) {
            n_lines[*from] += 1;
        }
    }
    for (number, ((from, to), span)) in ends.iter().zip(spans).enumerate() {
        let is_many = is_decision(*from) && n_lines[*from] > MANY_CASES;
        if is_many && *span >= FAR && *to < picture.nodes.len() {
            listed.insert(number);
        }
    }
    listed
}

/// The longest lines, if all together would cross more ranks than can be laid out in time.
pub(super) fn far_lines(spans: &[usize]) -> BTreeSet<usize> {
    let mut spans: Vec<(usize, usize)> = spans
        .iter()
        .enumerate()
        .map(|(number, span)| (*span, number))
        .collect();
    let mut total: usize = spans.iter().map(|(span, _)| span).sum();
    spans.sort_unstable_by(|left, right| right.cmp(left));
    let mut far = BTreeSet::new();
    for (span, number) in spans {
        if total <= MAX_TOTAL_SPAN || span < 2 {
            break;
        }
        total -= span - 1;
        far.insert(number);
    }
    far
}
