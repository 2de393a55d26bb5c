//! What is written beside the lines of a node and, of a decision with many, in its box.

use std::collections::BTreeMap;

use crate::{labels::told_apart, picture::ArrowKind, svg::text};

/// About as many characters as the lines of a label have.
const LABEL_LENGTH: usize = 60;

/// A way that is written in the box of its decision.
#[derive(Clone, PartialEq, Eq)]
pub struct CaseLabel {
    /// The whole of it.
    pub condition: String,
    /// As much as there is room for, with the target.
    pub shown: String,
    pub target: usize,
}

/// The arrows that share a line.
#[derive(Default)]
pub struct LabelGroup {
    pub labels: Vec<String>,
    pub is_taken: bool,
}

/// What is written of the labels of each line; those of one node are told apart.
pub fn shown_labels(
    groups: &BTreeMap<(usize, usize, ArrowKind), LabelGroup>,
) -> BTreeMap<(usize, usize, ArrowKind), Vec<String>> {
    let mut of_sources: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for ((from, _, _), group) in groups {
        let labels = group.labels.iter().map(String::as_str);
        of_sources.entry(*from).or_default().extend(labels);
    }
    let mut shown: BTreeMap<usize, std::vec::IntoIter<String>> = of_sources
        .into_iter()
        .map(|(from, labels)| (from, told_apart(&labels, LABEL_LENGTH).into_iter()))
        .collect();
    groups
        .iter()
        .map(|(key, group)| {
            let of_source = shown.get_mut(&key.0).into_iter().flatten();
            (*key, of_source.take(group.labels.len()).collect())
        })
        .collect()
}

/// A condition and where it leads on one line: the condition is cut, and the target is not.
pub fn entry(condition: &str, target: &str, font_size: f64, max_width: f64) -> String {
    let target = text::wrapped(target, font_size, max_width / 2.0, 1).concat();
    let room = max_width - text::width(&target, font_size) - text::width(" → ", font_size);
    let condition = text::wrapped(condition, font_size, room, 1).concat();
    format!("{condition} → {target}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_way_keeps_its_target() {
        let text = entry(&"x".repeat(200), "the-target", 11.0, 300.0);
        assert!(text.ends_with("… → the-target"), "{text}");
        assert!(text::width(&text, 11.0) <= 312.0);
    }
}
