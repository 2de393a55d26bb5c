//! The plan of a rerun of a workflow, as its dry run says it: the nodes that the run may come to. The same nodes are marked in the graph,
//! with the path that is certain.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_engine::job::rerun_plan::{Fate, PlannedNode};
use hpdlc_graph::{Look, NodeState, Picture, PictureNode, Shape};
use hpdlc_runtime::fleet::Masks;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::serve::{
    console::{links, marks::Mark},
    definition::NodeValues,
};

/// What `rerun WORKFLOW --dry-run --json` prints.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RerunPlan {
    pub(crate) run: i64,
    /// What is left out, in words.
    pub(crate) choice: String,
    /// The job gets another definition.
    pub(crate) definition: Option<Moved>,
    pub(crate) nodes: Vec<PlannedNode>,
}

/// The hashes of two definitions.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Moved {
    pub(crate) from: String,
    pub(crate) to: String,
}

fn word(fate: Fate) -> &'static str {
    match fate {
        Fate::Runs => "runs",
        Fate::MayRun => "may run",
        Fate::Skipped => "skipped",
    }
}

fn look(fate: Fate) -> Look {
    match fate {
        Fate::Runs => Look::Running,
        Fate::MayRun => Look::Waiting,
        Fate::Skipped => Look::Good,
    }
}

impl RerunPlan {
    /// What the run is, in a few sentences.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let mut all = vec![format!("Run {}: {}.", self.run, self.choice)];
        all.extend(self.definition.as_ref().map(|moved| {
            let brief = |hash: &str| hash.get(..12).unwrap_or(hash).to_owned();
            format!(
                "The job moves from definition {} to {}.",
                brief(&moved.from),
                brief(&moved.to)
            )
        }));
        all
    }
}

/// The nodes as rows of a table.
pub(crate) fn rows(base: &str, job: &str, plan: &[PlannedNode], masks: &Masks) -> Vec<Value> {
    plan.iter()
        .map(|node| {
            json!({
                "name": node.name,
                "href": links::node(base, job, &node.name),
                "mark": Mark { look: look(node.what).class(), word: word(node.what).to_owned() },
                "why": masks.text(&node.why),
            })
        })
        .collect()
}

/// What the nodes that run delete before they begin, or as an `fs` action: the paths that are known now.
pub(crate) fn deleted(plan: &[PlannedNode], values: &[NodeValues]) -> Vec<Value> {
    let mut all = Vec::new();
    for node in plan.iter().filter(|node| node.what != Fate::Skipped) {
        let of_node = values.iter().filter(|it| it.name == node.name);
        for value in of_node.flat_map(|it| &it.values) {
            let element = value.path.strip_prefix("prepare/");
            let is_prepare = element.is_some();
            if !element.unwrap_or(&value.path).starts_with("delete") {
                continue;
            }
            all.push(json!({
                "node": node.name,
                "may": node.what == Fate::MayRun,
                "path": value.value.as_ref().unwrap_or(&value.template),
                "is_known": value.value.is_some(),
                "is_prepare": is_prepare,
            }));
        }
    }
    all
}

/// Gives the nodes of a picture of the last run the states of the plan. Of the arrows only those stay taken that the next run takes for
/// certain: it goes on from what is skipped as the last one did.
pub(crate) fn mark(picture: &mut Picture, plan: &[PlannedNode]) {
    let fates: BTreeMap<&str, Fate> = plan
        .iter()
        .map(|node| (node.name.as_str(), node.what))
        .collect();
    for node in &mut picture.nodes {
        let old = node.state.as_ref().map(|state| state.look);
        node.state = Some(match fates.get(node.name.as_str()) {
            // What is skipped keeps the color of its end.
            Some(fate @ Fate::Skipped) => NodeState {
                look: old.unwrap_or(look(*fate)),
                text: word(*fate).to_owned(),
            },
            Some(fate) => NodeState {
                look: look(*fate),
                text: word(*fate).to_owned(),
            },
            None => NodeState {
                look: Look::Untouched,
                text: String::new(),
            },
        });
    }
    let was_taken: Vec<bool> = picture.arrows.iter().map(|arrow| arrow.is_taken).collect();
    for arrow in &mut picture.arrows {
        arrow.is_taken = false;
    }
    let starts = picture.nodes.iter().enumerate();
    let starts = starts.filter(|(_, node)| node.shape == Shape::Start);
    let mut reached: BTreeSet<usize> = starts.map(|(number, _)| number).collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (number, was) in was_taken.iter().enumerate() {
            let arrow = picture.arrows.get(number);
            let is_next = |from| reached.contains(&from) && is_passed(picture, &fates, from);
            if !was || !arrow.is_some_and(|arrow| !arrow.is_taken && is_next(arrow.from)) {
                continue;
            }
            if let Some(arrow) = picture.arrows.get_mut(number) {
                arrow.is_taken = true;
                reached.insert(arrow.to);
                is_changed = true;
            }
        }
    }
    for number in reached {
        let node = picture.nodes.get_mut(number);
        let is_control = |node: &&mut PictureNode| !fates.contains_key(node.name.as_str());
        if let Some(node) = node.filter(is_control) {
            node.state = Some(NodeState {
                look: if node.shape == Shape::Kill {
                    Look::Bad
                } else {
                    Look::Good
                },
                text: String::new(),
            });
        }
    }
}

/// Whether the next run comes out of a node, which it reaches, as the last one did.
fn is_passed(picture: &Picture, fates: &BTreeMap<&str, Fate>, number: usize) -> bool {
    let fate_of = |number: usize| {
        let node = picture.nodes.get(number)?;
        fates.get(node.name.as_str()).copied()
    };
    let shape = picture.nodes.get(number).map(|node| node.shape);
    match shape {
        Some(Shape::Start | Shape::Fork) => true,
        // It waits for all branches: none may have something to run.
        Some(Shape::Join) => {
            let mut into = picture.arrows.iter().filter(|arrow| arrow.to == number);
            into.all(|arrow| {
                arrow.is_taken || fate_of(arrow.from).is_none_or(|it| it == Fate::Skipped)
            })
        }
        _ => fate_of(number) == Some(Fate::Skipped),
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_graph::{Arrow, ArrowKind, Family};

    use super::*;

    /// A plan of lines such as `skip a`.
    fn plan(lines: &str) -> Vec<PlannedNode> {
        let node = |line: &str| {
            let (what, name) = line.rsplit_once(' ').unwrap();
            PlannedNode {
                name: name.to_owned(),
                what: serde_json::from_value(json!(what)).unwrap(),
                why: String::new(),
            }
        };
        lines.lines().map(node).collect()
    }

    #[test]
    fn a_plan_says_what_the_run_is() {
        let plan: RerunPlan = serde_json::from_str(
            r#"{"id":"1-W","app":"load","run":1,"choice":"without what ended OK",
                "definition":{"from":"0123456789abcdef","to":"b"},
                "nodes":[{"name":"a","what":"may run","why":"OK in run 0"}]}"#,
        )
        .unwrap();
        assert_eq!(
            plan.sentences(),
            [
                "Run 1: without what ended OK.",
                "The job moves from definition 0123456789ab to b."
            ]
        );
        assert_eq!(plan.nodes[0].what, Fate::MayRun);
    }

    fn node(name: &str, shape: Shape) -> PictureNode {
        PictureNode {
            name: name.to_owned(),
            shape,
            title: name.to_owned(),
            subtitle: None,
            target: None,
            pair: None,
            is_reached: true,
            is_supported: true,
            state: Some(NodeState {
                look: Look::Good,
                text: "OK".to_owned(),
            }),
        }
    }

    /// start -> fork -> (a, b) -> join -> c -> end, all taken by the last run.
    fn forked() -> Picture {
        let work = Shape::Action(Family::Process);
        let arrow = |from, to| Arrow {
            from,
            to,
            kind: ArrowKind::Flow,
            label: None,
            is_taken: true,
        };
        Picture {
            title: "load".to_owned(),
            nodes: vec![
                node(":start:", Shape::Start),
                node("fork", Shape::Fork),
                node("a", work),
                node("b", work),
                node("join", Shape::Join),
                node("c", work),
                node("end", Shape::End),
            ],
            arrows: [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (4, 5), (5, 6)]
                .map(|(from, to)| arrow(from, to))
                .into(),
        }
    }

    #[test]
    fn the_path_goes_on_until_something_runs_and_a_join_waits_for_all() {
        for (lines, expected) in [
            ("skip a\nskip b\nskip c", "1111111"),
            ("skip a\nskip b\nrun c", "1111110"),
            ("skip a\nrun b\nskip c", "1111000"),
            ("run a\nmay run b\nmay run c", "1110000"),
        ] {
            let mut picture = forked();
            mark(&mut picture, &plan(lines));
            let taken: String = picture
                .arrows
                .iter()
                .map(|arrow| if arrow.is_taken { '1' } else { '0' })
                .collect();
            assert_eq!(taken, expected, "{lines}");
        }
        let mut picture = forked();
        mark(&mut picture, &plan("skip a\nrun b"));
        let states: Vec<&str> = picture
            .nodes
            .iter()
            .filter_map(|node| Some(node.state.as_ref()?.text.as_str()))
            .collect();
        assert_eq!(states, ["", "", "skipped", "runs", "", "", ""]);
    }

    #[test]
    fn what_the_nodes_that_run_delete_is_listed() {
        let values = r#"[
            {"name":"a","values":[{"path":"delete@path","template":"x","value":"file:///a","origin":{"file":"w","line":1}}]},
            {"name":"b","values":[
                {"path":"prepare/delete[1]@path","template":"${out}","value":"file:///b","origin":{"file":"w","line":1}},
                {"path":"prepare/mkdir@path","template":"x","value":"file:///m","origin":{"file":"w","line":1}}]},
            {"name":"c","values":[{"path":"delete@path","template":"${late}","origin":{"file":"w","line":1}}]}]"#;
        let values: Vec<NodeValues> = serde_json::from_str(values).unwrap();
        let found = deleted(&plan("skip a\nrun b\nmay run c"), &values);
        let shown: Vec<String> = found
            .iter()
            .map(|it| {
                format!(
                    "{} {} {} {}",
                    it["node"], it["path"], it["is_known"], it["is_prepare"]
                )
            })
            .collect();
        assert_eq!(
            shown,
            [
                r#""b" "file:///b" true true"#,
                r#""c" "${late}" false false"#
            ]
        );
    }
}
