//! The data model of a picture, independent of its subject and of the output format.

use std::collections::BTreeMap;

use crate::labels::told_apart;

/// Nodes, and arrows between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The name of the subject.
    pub title: String,
    /// In document order.
    pub nodes: Vec<PictureNode>,
    /// Sorted by source, and within one source in document order.
    pub arrows: Vec<Arrow>,
}

impl Picture {
    /// Whether it shows a job rather than the workflow alone.
    pub fn is_of_job(&self) -> bool {
        self.nodes.iter().any(|node| node.state.is_some())
    }
}

/// A node of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureNode {
    /// The identifier in other output formats. An invalid document may have duplicates.
    pub name: String,
    pub shape: Shape,
    /// The text in its box.
    pub title: String,
    /// The second line: the type of an action, the frequency of a dataset, the instances of an event.
    pub subtitle: Option<String>,
    /// What else it refers to: the application that it runs, the location of data.
    pub target: Option<String>,
    /// The number of the fork and join that belong together, from 0.
    pub pair: Option<usize>,
    /// Whether it is reachable from the start, or used.
    pub is_reached: bool,
    /// Whether hpdlc supports it.
    pub is_supported: bool,
    /// Its state in a job; `None` in a picture of the workflow alone.
    pub state: Option<NodeState>,
}

/// The state of a node in a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeState {
    pub look: Look,
    /// The displayed text, such as `OK 2.3s`.
    pub text: String,
}

/// The appearance of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// The job has not reached the node.
    Untouched,
    /// Waiting: for a process, or for the next attempt.
    Waiting,
    Running,
    Good,
    /// The user must intervene.
    Stuck,
    Bad,
    Killed,
}

impl Look {
    /// All of them, in the usual order in a job.
    pub const ALL: [Look; 7] = [
        Look::Untouched,
        Look::Waiting,
        Look::Running,
        Look::Good,
        Look::Stuck,
        Look::Bad,
        Look::Killed,
    ];

    /// The class name for style sheets.
    pub fn class(self) -> &'static str {
        match self {
            Look::Untouched => "untouched",
            Look::Waiting => "waiting",
            Look::Running => "running",
            Look::Good => "good",
            Look::Stuck => "stuck",
            Look::Bad => "bad",
            Look::Killed => "killed",
        }
    }

    /// A character that tells it from the others without color; empty for a node that was not reached.
    pub fn sign(self) -> &'static str {
        match self {
            Look::Untouched => "",
            Look::Waiting => "◷",
            Look::Running => "▶",
            Look::Good => "✓",
            Look::Stuck => "!",
            Look::Bad => "✕",
            Look::Killed => "■",
        }
    }

    /// The fill color, on which dark text is readable, and the border color.
    pub fn colors(self) -> (&'static str, &'static str) {
        match self {
            Look::Untouched => ("#f8fafc", "#cbd5e1"),
            Look::Waiting => ("#fef9c3", "#ca8a04"),
            Look::Running => ("#dbeafe", "#2563eb"),
            Look::Good => ("#dcfce7", "#16a34a"),
            Look::Stuck => ("#ffedd5", "#ea580c"),
            Look::Bad => ("#fee2e2", "#dc2626"),
            Look::Killed => ("#e5e7eb", "#4b5563"),
        }
    }
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Start,
    End,
    Kill,
    Decision,
    Fork,
    Join,
    Action(Family),
    /// The schedule of a coordinator.
    Schedule,
    /// A dataset of a coordinator.
    Dataset,
    /// The input or output instances of an action.
    Event,
    /// The input logic over several events.
    Logic,
    /// The application that a coordinator or bundle starts.
    Application,
    /// Several nodes that are collapsed into one.
    Block,
}

/// The category of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Files and folders.
    Files,
    /// Processes on this machine or another one.
    Process,
    /// Jobs of a Hadoop cluster.
    Cluster,
    /// Another application.
    Application,
    /// Mail and HTTP requests.
    Message,
    /// An unknown type, or none.
    Unknown,
}

/// An arrow between two nodes, by their indices in [`Picture::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub kind: ArrowKind,
    /// Its whole label, on one line: the condition of a case.
    pub label: Option<String>,
    /// Whether a job took this transition; false in a picture of the workflow alone.
    pub is_taken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowKind {
    Flow,
    /// The transition of an action that ended in ERROR.
    Error,
}

/// The maximum label length in other output formats.
const LABEL_LENGTH: usize = 40;

/// By arrow: labels for output formats that cannot show the whole text elsewhere. Those of one node are kept distinct.
pub(crate) fn labels(picture: &Picture) -> Vec<Option<String>> {
    let mut of_sources: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for arrow in &picture.arrows {
        let labels = of_sources.entry(arrow.from).or_default();
        labels.extend(arrow.label.as_deref());
    }
    let mut shown: BTreeMap<usize, std::vec::IntoIter<String>> = of_sources
        .into_iter()
        .map(|(from, labels)| (from, told_apart(&labels, LABEL_LENGTH).into_iter()))
        .collect();
    let label = |arrow: &Arrow| {
        arrow.label.as_ref()?;
        let text = shown.get_mut(&arrow.from)?.next()?;
        Some(cut(&text, LABEL_LENGTH))
    };
    picture.arrows.iter().map(label).collect()
}

/// A text truncated to `length` characters, with an ellipsis if something is missing.
pub(crate) fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", text[..cut].trim_end()),
    }
}

/// An expression on one line, without an enclosing `${}`.
pub fn condition(text: &str) -> String {
    let line = one_line(text);
    let inside = line
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        .filter(|inside| !inside.contains("${") && !inside.contains('}'))
        .map(str::trim);
    inside.map(str::to_owned).unwrap_or(line)
}

/// Any text on one line.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

impl Family {
    /// The category by Oozie's name of an action type, so that a type that is not supported yet looks like similar ones.
    pub fn of_type(name: &str) -> Family {
        match name {
            "fs" => Family::Files,
            "shell" | "java" | "rust" | "ssh" | "git" => Family::Process,
            "map-reduce" | "pig" | "hive" | "hive2" | "spark" | "sqoop" | "distcp" | "hadoop" => {
                Family::Cluster
            }
            "sub-workflow" => Family::Application,
            "email" | "http" => Family::Message,
            _ => Family::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_condition(text: &str, expected: &str) {
        assert_eq!(condition(text), expected);
    }

    #[test]
    fn conditions_are_bare_expressions_on_a_line() {
        check_condition("${ a  eq\n b }", "a eq b");
        check_condition("${a}", "a");
        check_condition("${a}-${b}", "${a}-${b}");
        check_condition("true", "true");
    }
}
