//! What there is to draw, whatever it is a picture of and whatever draws it.

/// Nodes, and arrows between them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The name of what is drawn.
    pub title: String,
    /// In the order of the document.
    pub nodes: Vec<Shown>,
    /// In the order of their sources, and within one source in that of the document.
    pub arrows: Vec<Arrow>,
}

/// A node of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowKind {
    Flow,
    /// Where an action leads that ended in ERROR.
    Error,
}

/// How many characters of a label other languages show.
const LABEL_LENGTH: usize = 40;

/// A label for a language that cannot show the whole of it elsewhere.
pub(super) fn label(arrow: &Arrow) -> Option<String> {
    arrow.label.as_deref().map(|text| cut(text, LABEL_LENGTH))
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

/// The first characters of a text, with a sign where some are missing.
pub(super) fn cut(text: &str, length: usize) -> String {
    match text.char_indices().nth(length) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}…", text[..cut].trim_end()),
    }
}
