//! The labels of a node's lines and, for a decision with many, of the cases listed in its box.

use std::collections::BTreeMap;

use crate::{labels::told_apart, picture::ArrowKind, svg::text};

/// The approximate number of characters in the lines of a label.
const LABEL_LENGTH: usize = 60;

/// A transition listed in the box of its decision.
#[derive(Clone, PartialEq, Eq)]
pub struct CaseLabel {
    /// The complete condition.
    pub condition: String,
    /// As much as fits, with the target.
    pub shown: String,
    pub target: usize,
}

/// The arrows that share a line.
#[derive(Default)]
pub struct LabelGroup {
    pub labels: Vec<String>,
    pub is_taken: bool,
}

/// The shown labels of each line; those of one node are kept distinct.
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

/// A condition and its target on one line: the condition is truncated, the target is not.
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
