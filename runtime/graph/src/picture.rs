//! What there is to draw, whatever it is a picture of and whatever draws it.

use std::collections::BTreeMap;

use crate::labels::told_apart;

/// Nodes, and arrows between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The name of what is drawn.
    pub title: String,
    /// In the order of the document.
    pub nodes: Vec<PictureNode>,
    /// In the order of their sources, and within one source in that of the document.
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
    /// What other languages know it by. A document with mistakes may have two of one name.
    pub name: String,
    pub shape: Shape,
    /// What is written in it.
    pub title: String,
    /// The second line: the type of an action, how often there is data, which of it an event is about.
    pub subtitle: Option<String>,
    /// What else it leads to: the application that is run, where data lies.
    pub target: Option<String>,
    /// The number of the fork and join that belong together, from 0.
    pub pair: Option<usize>,
    /// Whether the start leads there, or something uses it.
    pub is_reached: bool,
    /// Whether hpdlc builds it.
    pub is_supported: bool,
    /// Where it is in a job; none in a picture of the workflow alone.
    pub state: Option<NodeState>,
}

/// The state of a node in a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeState {
    pub look: Look,
    /// As people call it, such as `OK 2.3s`.
    pub text: String,
}

/// What color a state has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Look {
    /// The job has not come there.
    Untouched,
    /// It waits: for a process, for its next attempt.
    Waiting,
    Running,
    Good,
    /// It needs a person.
    Stuck,
    Bad,
    Killed,
}

impl Look {
    /// All of them, in the order in which a job usually meets them.
    pub const ALL: [Look; 7] = [
        Look::Untouched,
        Look::Waiting,
        Look::Running,
        Look::Good,
        Look::Stuck,
        Look::Bad,
        Look::Killed,
    ];

    /// A word for classes of style sheets.
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

    /// The color of a surface on which dark text is read, and that of its border.
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

/// What kind of node it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shape {
    Start,
    End,
    Kill,
    Decision,
    Fork,
    Join,
    Action(Family),
    /// When a coordinator starts something.
    Schedule,
    /// Data that comes again and again.
    Dataset,
    /// The instances that an action waits for or makes.
    Event,
    /// Which of several events are enough.
    Logic,
    /// What a coordinator or bundle starts.
    Application,
    /// Several nodes that are not drawn one by one.
    Block,
}

/// What an action works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Files and folders.
    Files,
    /// A process on this machine or another one.
    Process,
    /// Jobs of a Hadoop cluster.
    Cluster,
    /// Another application.
    Application,
    /// Mail and calls of services.
    Message,
    /// A type that nobody knows, or none.
    Unknown,
}

/// An arrow between two nodes, by their places in [`Picture::nodes`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub kind: ArrowKind,
    /// The whole text beside it, on one line: the condition of a case.
    pub label: Option<String>,
    /// Whether a job went this way; false in a picture of the workflow alone.
    pub is_taken: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowKind {
    Flow,
    /// Where an action leads that ended in ERROR.
    Error,
}

/// How many characters of a label other languages show.
const LABEL_LENGTH: usize = 40;

/// By arrow: a label for a language that cannot show the whole of it elsewhere. Those of one node are told apart.
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

/// The first characters of a text, with a sign where some are missing.
pub(crate) fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", text[..cut].trim_end()),
    }
}

/// An expression on one line, without the `${}` around the whole of it.
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
    /// By Oozie's name of the type of an action, so that one which is not built yet looks like its siblings.
    pub fn of_type(name: &str) -> Family {
        match name {
            "fs" => Family::Files,
            "shell" | "java" | "ssh" | "git" => Family::Process,
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
