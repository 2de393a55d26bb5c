//! Finds the smallest set of children whose position explains the wrong order.

use crate::{
    lower::check::{DocumentWalk, leaves::PlacedChild, misplaced_element::MisplacedElement},
    source::Spanned,
};

/// Reports the children that would have to move for the rest to be in the schema's order.
pub(super) fn check(placed: &[PlacedChild<'_>], walk: &mut DocumentWalk<'_, '_>) {
    if placed.is_sorted_by_key(|child| child.group) {
        return;
    }
    let groups: Vec<usize> = placed.iter().map(|child| child.group).collect();
    let is_kept = longest_ascending(&groups);
    for (index, child) in placed.iter().enumerate() {
        if is_kept[index] {
            continue;
        }
        let in_order = || placed.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept);
        let before = in_order()
            .find(|(other, _)| other.group > child.group)
            .filter(|(other, _)| other.element.name_span < child.element.name_span)
            .map(|(other, _)| other.element);
        let after = in_order()
            .rfind(|(other, _)| other.group < child.group)
            .filter(|(other, _)| other.element.name_span > child.element.name_span)
            .map(|(other, _)| other.element);
        let (must_precede, neighbor) = match (before, after) {
            (Some(other), _) => (true, other),
            (None, Some(other)) => (false, other),
            // A child between lower and higher places is in order, and was kept.
            (None, None) => continue,
        };
        walk.emit(MisplacedElement {
            name: Spanned::new(child.element.name.qualified(), child.element.name_span),
            neighbor: Spanned::new(neighbor.name.qualified(), neighbor.name_span),
            must_precede,
        });
    }
}

/// Marks a longest non-decreasing subsequence. Of several, it keeps the one with the lower values, so that elements that are
/// too early have to move.
fn longest_ascending(values: &[usize]) -> Vec<bool> {
    // `tails[n]` is the index of the smallest value that ends a subsequence of n + 1 members.
    let mut tails: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        let length = tails.partition_point(|tail| values[*tail] <= *value);
        previous.push(length.checked_sub(1).map(|before| tails[before]));
        match tails.get_mut(length) {
            Some(tail) => *tail = index,
            None => tails.push(index),
        }
    }
    let mut is_kept = vec![false; values.len()];
    let mut next = tails.last().copied();
    while let Some(index) = next {
        is_kept[index] = true;
        next = previous[index];
    }
    is_kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(values: &[usize], kept: &str) {
        let shown: String = longest_ascending(values)
            .into_iter()
            .map(|is_kept| if is_kept { '+' } else { '-' })
            .collect();
        assert_eq!(shown, kept, "{values:?}");
    }

    #[test]
    fn as_few_as_possible_are_out_of_order() {
        check(&[], "");
        check(&[1, 1, 2], "+++");
        check(&[6, 0, 1, 2, 3], "-++++");
        check(&[0, 1, 5, 2, 3], "++-++");
        check(&[0, 1, 2, 0], "+++-");
        check(&[3, 4, 5, 4, 4, 4], "++-+++");
    }
}
