//! The graph of an application as JSON, `graph --json`: another program adds the states of a job to it, and draws it.

use std::collections::HashMap;

use hpdlc_core::{
    definition::{Definition, Outcome},
    el::scope::Origin,
};
use hpdlc_engine::job::format_outcome;
use hpdlc_graph::{Arrow, ArrowKind, Family, Picture, PictureNode, Shape};
use hpdlc_program::table::App;
use hpdlc_store::ActionRow;
use serde::{Deserialize, Serialize};

use crate::{
    masks::Masks,
    picture::{is_taken_by_name, state, untouched, ways_out},
};

/// A graph without the states of a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraphStructure {
    /// The name of the application.
    pub title: String,
    /// In document order.
    pub nodes: Vec<StructureNode>,
    /// Sorted by source, and within one source in document order.
    pub arrows: Vec<StructureArrow>,
}

/// A node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureNode {
    pub name: String,
    /// `start`, `end`, `kill`, `decision`, `fork`, `join`, `action`; of a coordinator or a bundle `schedule`, `dataset`, `event`, `logic`,
    /// `application`.
    pub kind: String,
    /// The text in its box.
    pub title: String,
    /// The type of an action, the frequency of a dataset, the instances of an event.
    pub subtitle: Option<String>,
    /// The application that it runs, the location of data.
    pub target: Option<String>,
    /// The number of the fork and join that belong together, from 0.
    pub pair: Option<usize>,
    /// Whether it is reachable from the start, or used.
    pub reached: bool,
    /// The file that it is written in, and the line; `None` in a picture of a coordinator or a bundle.
    pub file: Option<String>,
    pub line: Option<u32>,
}

/// An arrow between two nodes, by their indices.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructureArrow {
    pub from: usize,
    pub to: usize,
    /// Whether it is the transition of an action that ended in ERROR.
    pub error: bool,
    /// The condition of a case.
    pub label: Option<String>,
    /// The outcome of the node that leads this way, as in the store: `OK`, `ERROR`, `CASE 1`, `BRANCH 0`, `JOINED`.
    pub outcome: Option<String>,
}

const KINDS: [(&str, Shape); 12] = [
    ("start", Shape::Start),
    ("end", Shape::End),
    ("kill", Shape::Kill),
    ("decision", Shape::Decision),
    ("fork", Shape::Fork),
    ("join", Shape::Join),
    ("schedule", Shape::Schedule),
    ("dataset", Shape::Dataset),
    ("event", Shape::Event),
    ("logic", Shape::Logic),
    ("application", Shape::Application),
    ("block", Shape::Block),
];

const ACTION: &str = "action";

impl GraphStructure {
    /// Of a picture that [`super::of_app`] has made of `app`, or of one of a coordinator or a bundle.
    pub fn of(picture: &Picture, app: Option<&App>) -> GraphStructure {
        let origins: Vec<Origin> = app.map_or_else(Vec::new, |app| {
            app.nodes().map(|(id, _)| app.origin(id)).collect()
        });
        let outcomes: Vec<String> = app.map_or_else(Vec::new, outcomes);
        let nodes = picture.nodes.iter().enumerate();
        let arrows = picture.arrows.iter().enumerate();
        GraphStructure {
            title: picture.title.clone(),
            nodes: nodes
                .map(|(number, node)| StructureNode {
                    name: node.name.clone(),
                    kind: kind(node.shape).to_owned(),
                    title: node.title.clone(),
                    subtitle: node.subtitle.clone(),
                    target: node.target.clone(),
                    pair: node.pair,
                    reached: node.is_reached,
                    file: origins.get(number).map(|origin| origin.file.to_owned()),
                    line: origins.get(number).map(|origin| origin.line),
                })
                .collect(),
            arrows: arrows
                .map(|(number, arrow)| StructureArrow {
                    from: arrow.from,
                    to: arrow.to,
                    error: arrow.kind == ArrowKind::Error,
                    label: arrow.label.clone(),
                    outcome: outcomes.get(number).cloned(),
                })
                .collect(),
        }
    }

    /// The picture, with the states that the rows of a job say; `title` replaces its own.
    pub fn picture(&self, title: &str, rows: Option<&[ActionRow]>, masks: &Masks) -> Picture {
        let by_name: HashMap<&str, &ActionRow> = rows
            .into_iter()
            .flatten()
            .map(|row| (row.name.as_str(), row))
            .collect();
        let row_of = |name: &str| by_name.get(name).copied();
        let nodes = self.nodes.iter().map(|node| {
            let is_bad_end = node.kind == "kill";
            let of_row = |row| state(is_bad_end, row, masks);
            PictureNode {
                name: node.name.clone(),
                shape: shape(node),
                title: masks.text(&node.title),
                subtitle: node.subtitle.as_deref().map(|text| masks.text(text)),
                target: node.target.as_deref().map(|text| masks.text(text)),
                pair: node.pair,
                is_reached: node.reached,
                is_supported: true,
                state: rows.map(|_| row_of(&node.name).map_or_else(untouched, of_row)),
            }
        });
        let is_inside =
            |arrow: &&StructureArrow| arrow.from < self.nodes.len() && arrow.to < self.nodes.len();
        let arrows = self.arrows.iter().filter(is_inside).map(|arrow| Arrow {
            from: arrow.from,
            to: arrow.to,
            kind: match arrow.error {
                true => ArrowKind::Error,
                false => ArrowKind::Flow,
            },
            label: arrow.label.as_deref().map(|text| masks.text(text)),
            is_taken: self.is_taken(arrow, row_of(&self.nodes[arrow.from].name)),
        });
        Picture {
            title: masks.text(title),
            nodes: nodes.collect(),
            arrows: arrows.collect(),
        }
    }

    fn is_taken(&self, arrow: &StructureArrow, row: Option<&ActionRow>) -> bool {
        let is_branch = self.nodes[arrow.from].kind == "fork";
        match (row, &arrow.outcome) {
            (Some(row), Some(outcome)) => is_taken_by_name(row, outcome, is_branch),
            (_, _) => false,
        }
    }
}

/// The outcomes of the arrows of an application, in the order of its picture.
fn outcomes(app: &App) -> Vec<String> {
    let ways = app.nodes().flat_map(|(id, def)| {
        let outcomes = ways_out(def).into_iter().map(|(outcome, _)| outcome);
        outcomes.filter(move |outcome: &Outcome| app.next(id, *outcome).is_some())
    });
    ways.map(format_outcome).collect()
}

fn kind(shape: Shape) -> &'static str {
    let known = KINDS.into_iter().find(|(_, known)| *known == shape);
    known.map_or(ACTION, |(name, _)| name)
}

fn shape(node: &StructureNode) -> Shape {
    let known = KINDS.into_iter().find(|(name, _)| *name == node.kind);
    let of_action = || Family::of_type(node.subtitle.as_deref().unwrap_or_default());
    known.map_or_else(|| Shape::Action(of_action()), |(_, shape)| shape)
}

#[cfg(test)]
mod tests {
    use hpdlc_core::status::ActionStatus;
    use hpdlc_graph::Look;

    use super::*;

    fn node(name: &str, kind: &str, subtitle: Option<&str>) -> StructureNode {
        StructureNode {
            name: name.to_owned(),
            kind: kind.to_owned(),
            title: name.to_owned(),
            subtitle: subtitle.map(str::to_owned),
            target: None,
            pair: None,
            reached: true,
            file: Some("workflow.xml".to_owned()),
            line: Some(3),
        }
    }

    fn arrow(from: usize, to: usize, outcome: &str) -> StructureArrow {
        StructureArrow {
            from,
            to,
            error: outcome == "ERROR",
            label: None,
            outcome: Some(outcome.to_owned()),
        }
    }

    #[test]
    fn rows_give_nodes_their_states_and_arrows_the_path() {
        let structure = GraphStructure {
            title: "load".to_owned(),
            nodes: vec![
                node("work", "action", Some("shell")),
                node("fail", "kill", None),
                node("end", "end", None),
            ],
            // The last one leads nowhere: a graph of another version is drawn as far as it is understood.
            arrows: vec![arrow(0, 2, "OK"), arrow(0, 1, "ERROR"), arrow(0, 9, "OK")],
        };
        let row = |name: &str, status, outcome: &str| ActionRow {
            status,
            outcome: Some(outcome.to_owned()),
            ..ActionRow::new("1-W", name, "shell")
        };
        let rows = [
            row("work", ActionStatus::Error, "ERROR"),
            row("fail", ActionStatus::Ok, "OK"),
        ];
        let picture = structure.picture("load 1", Some(&rows), &Masks::default());
        let looks: Vec<Look> = picture
            .nodes
            .iter()
            .filter_map(|node| Some(node.state.as_ref()?.look))
            .collect();
        assert_eq!(looks, [Look::Bad, Look::Bad, Look::Untouched]);
        assert_eq!(picture.nodes[0].shape, Shape::Action(Family::Process));
        let taken: Vec<bool> = picture.arrows.iter().map(|arrow| arrow.is_taken).collect();
        assert_eq!(taken, [false, true]);
        assert_eq!(GraphStructure::of(&picture, None).nodes[1].kind, "kill");
    }

    #[test]
    fn every_shape_has_a_name_and_comes_back() {
        for (name, expected) in KINDS {
            assert_eq!(kind(expected), name);
            assert_eq!(shape(&node("a", name, None)), expected);
        }
    }
}
