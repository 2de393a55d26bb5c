//! The graphs of two definitions as one: nodes that were added, removed or changed, with what differs in words.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_graph::{Look, NodeState, Picture};
use hpdlc_runtime::fleet::{GraphStructure, Masks};

/// How a node differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    New,
    Removed,
    Changed,
}

impl Change {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Change::New => "new",
            Change::Removed => "removed",
            Change::Changed => "changed",
        }
    }

    pub(crate) fn look(self) -> Look {
        match self {
            Change::New => Look::Good,
            Change::Removed => Look::Killed,
            Change::Changed => Look::Waiting,
        }
    }
}

/// A node that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NodeChange {
    pub(crate) name: String,
    pub(crate) change: Change,
    pub(crate) notes: Vec<String>,
}

/// A definition: its graph and, if it is known, its document.
#[derive(Clone, Copy)]
pub(crate) struct Version<'a> {
    pub(crate) graph: &'a GraphStructure,
    pub(crate) document: Option<&'a str>,
}

/// A node with what is compared of it.
#[derive(Debug, PartialEq, Eq)]
struct Seen {
    kind: String,
    target: Option<String>,
    /// Where it leads, by outcome and condition.
    ways: BTreeMap<String, String>,
    /// Its lines in the document, without indentation.
    lines: Vec<String>,
}

impl Version<'_> {
    fn nodes(&self) -> BTreeMap<&str, Seen> {
        let nodes = self.graph.nodes.iter().enumerate();
        nodes
            .map(|(number, node)| {
                let seen = Seen {
                    kind: node.subtitle.clone().unwrap_or_else(|| node.kind.clone()),
                    target: node.target.clone(),
                    ways: self.ways(number),
                    lines: self.lines(node.file.as_deref(), node.line),
                };
                (node.name.as_str(), seen)
            })
            .collect()
    }

    fn ways(&self, number: usize) -> BTreeMap<String, String> {
        let mut ways = BTreeMap::new();
        let arrows = self
            .graph
            .arrows
            .iter()
            .filter(|arrow| arrow.from == number);
        for (place, arrow) in arrows.enumerate() {
            let Some(to) = self.graph.nodes.get(arrow.to) else {
                continue;
            };
            let by = match (&arrow.label, &arrow.outcome) {
                (Some(label), _) => label.clone(),
                (None, Some(outcome)) => outcome.clone(),
                (None, None) => format!("way {}", place + 1),
            };
            ways.insert(by, to.name.clone());
        }
        ways
    }

    /// From the line of a node to that of the next.
    fn lines(&self, file: Option<&str>, line: Option<u32>) -> Vec<String> {
        let (Some(document), Some(line)) = (self.document, line) else {
            return Vec::new();
        };
        let of_file = self
            .graph
            .nodes
            .iter()
            .filter(|node| node.file.as_deref() == file);
        let next = of_file
            .filter_map(|node| node.line)
            .filter(|other| *other > line)
            .min();
        let number = |line: u32| usize::try_from(line).unwrap_or_default();
        let n_lines = next.map_or(usize::MAX, |next| number(next - line));
        document
            .lines()
            .skip(number(line).saturating_sub(1))
            .take(n_lines)
            .map(|line| line.trim().to_owned())
            .filter(|line| !line.is_empty())
            .collect()
    }
}

/// The nodes that differ: those of the present definition in its order, then the removed ones.
pub(crate) fn changes(before: Version<'_>, now: Version<'_>) -> Vec<NodeChange> {
    let (was, is) = (before.nodes(), now.nodes());
    let mut all = Vec::new();
    for node in &now.graph.nodes {
        let name = node.name.as_str();
        let Some(new) = is.get(name) else { continue };
        let (change, notes) = match was.get(name) {
            None => (Change::New, vec![new.kind.clone()]),
            Some(old) => (Change::Changed, notes(old, new)),
        };
        if !notes.is_empty() {
            let name = name.to_owned();
            all.push(NodeChange {
                name,
                change,
                notes,
            });
        }
    }
    let gone = before.graph.nodes.iter();
    for node in gone.filter(|node| !is.contains_key(node.name.as_str())) {
        let old = was.get(node.name.as_str());
        all.push(NodeChange {
            name: node.name.clone(),
            change: Change::Removed,
            notes: old.map(|old| old.kind.clone()).into_iter().collect(),
        });
    }
    all
}

fn notes(old: &Seen, new: &Seen) -> Vec<String> {
    let mut notes = Vec::new();
    if old.kind != new.kind {
        notes.push(format!("is {}, before {}", new.kind, old.kind));
    }
    if old.target != new.target {
        let text = |target: &Option<String>| target.clone().unwrap_or_else(|| "nothing".to_owned());
        notes.push(format!(
            "runs {}, before {}",
            text(&new.target),
            text(&old.target)
        ));
    }
    let by: BTreeSet<&String> = old.ways.keys().chain(new.ways.keys()).collect();
    for by in by {
        match (old.ways.get(by), new.ways.get(by)) {
            (Some(was), Some(is)) if was != is => {
                notes.push(format!("{by}: leads to {is}, before to {was}"));
            }
            (None, Some(is)) => notes.push(format!("{by}: leads to {is}, which is new")),
            (Some(was), None) => notes.push(format!("{by}: no longer leads to {was}")),
            (_, _) => {}
        }
    }
    if old.lines != new.lines && notes.is_empty() {
        notes.push("its XML differs".to_owned());
    }
    notes
}

/// Both graphs as one picture: that of the present definition, and what was removed. Arrows that are new are bold.
pub(crate) fn picture(
    before: &GraphStructure,
    now: &GraphStructure,
    changes: &[NodeChange],
    title: &str,
    masks: &Masks,
) -> Picture {
    let by_name: BTreeMap<&str, Change> = changes
        .iter()
        .map(|it| (it.name.as_str(), it.change))
        .collect();
    let mut picture = now.picture(title, None, masks);
    let old = before.picture(title, None, masks);
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for (place, node) in picture.nodes.iter().enumerate() {
        places.entry(node.name.clone()).or_insert(place);
    }
    for node in &old.nodes {
        if !places.contains_key(&node.name) {
            places.insert(node.name.clone(), picture.nodes.len());
            // The number of its pair is that of the other graph.
            let pair = None;
            picture.nodes.push(hpdlc_graph::PictureNode {
                pair,
                ..node.clone()
            });
        }
    }
    for node in &mut picture.nodes {
        let change = by_name.get(node.name.as_str());
        node.state = Some(NodeState {
            look: change.map_or(Look::Untouched, |change| change.look()),
            text: change.map_or("", |change| change.word()).to_owned(),
        });
    }
    let end = |of: &Picture, number: usize| {
        of.nodes
            .get(number)
            .and_then(|node| places.get(&node.name))
            .copied()
    };
    let known: BTreeSet<(usize, usize)> = old
        .arrows
        .iter()
        .filter_map(|arrow| Some((end(&old, arrow.from)?, end(&old, arrow.to)?)))
        .collect();
    for arrow in &mut picture.arrows {
        arrow.is_taken = !known.contains(&(arrow.from, arrow.to));
    }
    let is_gone = |place: usize| place >= now.nodes.len();
    for arrow in &old.arrows {
        if let (Some(from), Some(to)) = (end(&old, arrow.from), end(&old, arrow.to))
            && (is_gone(from) || is_gone(to))
        {
            let moved = hpdlc_graph::Arrow {
                from,
                to,
                ..arrow.clone()
            };
            picture.arrows.push(moved);
        }
    }
    picture.arrows.sort_by_key(|arrow| arrow.from);
    picture
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn graph(nodes: &[(&str, &str, u32)], arrows: &[(usize, usize, &str)]) -> GraphStructure {
        let nodes: Vec<_> = nodes
            .iter()
            .map(|(name, kind, line)| {
                json!({ "name": name, "kind": "action", "title": name, "subtitle": kind, "target": null, "pair": null,
                        "reached": true, "file": "workflow.xml", "line": line })
            })
            .collect();
        let arrows: Vec<_> = arrows
            .iter()
            .map(|(from, to, outcome)| {
                json!({ "from": from, "to": to, "error": *outcome == "ERROR", "label": null, "outcome": outcome })
            })
            .collect();
        let all = json!({ "title": "load", "nodes": nodes, "arrows": arrows });
        serde_json::from_value(all).unwrap()
    }

    #[test]
    fn nodes_are_new_removed_or_changed_and_arrows_follow_them() {
        let before = graph(
            &[
                ("a", "shell", 1),
                ("b", "shell", 2),
                ("gone", "fs", 4),
                ("same", "fs", 5),
            ],
            &[(0, 1, "OK"), (1, 2, "OK"), (2, 3, "OK")],
        );
        let now = graph(
            &[
                ("a", "java", 1),
                ("b", "shell", 2),
                ("same", "fs", 4),
                ("new", "email", 5),
            ],
            &[(0, 1, "OK"), (1, 2, "OK"), (2, 3, "OK"), (0, 2, "ERROR")],
        );
        let document = "a\n<b>\n  x\n</b>\n";
        let found = changes(
            Version {
                graph: &before,
                document: Some(document),
            },
            Version {
                graph: &now,
                document: Some(document),
            },
        );
        let shown: Vec<String> = found
            .iter()
            .map(|it| format!("{} {}: {}", it.name, it.change.word(), it.notes.join("; ")))
            .collect();
        assert_eq!(
            shown,
            [
                "a changed: is java, before shell; ERROR: leads to same, which is new",
                "b changed: OK: leads to same, before to gone",
                "same changed: OK: leads to new, which is new",
                "new new: email",
                "gone removed: fs",
            ]
        );
        let picture = picture(&before, &now, &found, "load", &Masks::default());
        let states: Vec<&str> = picture
            .nodes
            .iter()
            .filter_map(|node| Some(node.state.as_ref()?.text.as_str()))
            .collect();
        assert_eq!(states, ["changed", "changed", "changed", "new", "removed"]);
        let arrows: Vec<(usize, usize, bool)> = picture
            .arrows
            .iter()
            .map(|arrow| (arrow.from, arrow.to, arrow.is_taken))
            .collect();
        assert_eq!(
            arrows,
            [
                (0, 1, false),
                (0, 2, true),
                (1, 2, true),
                (1, 4, false),
                (2, 3, true),
                (4, 2, false)
            ]
        );
    }

    #[test]
    fn a_node_whose_xml_alone_differs_is_changed_and_indentation_is_nothing() {
        let nodes = [("a", "shell", 1), ("b", "shell", 3)];
        let (before, now) = (graph(&nodes, &[]), graph(&nodes, &[]));
        let of = |was: &str, is: &str| {
            changes(
                Version {
                    graph: &before,
                    document: Some(was),
                },
                Version {
                    graph: &now,
                    document: Some(is),
                },
            )
        };
        let found = of("<a>\n1\n<b>\n", "<a>\n2\n<b>\n");
        assert_eq!((found.len(), found[0].name.as_str()), (1, "a"));
        assert_eq!(found[0].notes, ["its XML differs"]);
        assert!(of("<a>\n1\n<b>\n", "  <a>\n1\n\t<b>\n").is_empty());
    }
}
