//! The document that a workflow in Rust becomes: nodes, their texts, and where each comes from.

use std::fmt::Write as _;

use crate::rust::place::Place;

/// A text with the places that its parts come from.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    parts: Vec<TextPart>,
}

#[derive(Clone, Debug)]
struct TextPart {
    text: String,
    place: Option<Place>,
    /// Not of an expression.
    is_literal: bool,
}

impl Text {
    pub(super) fn literal(text: impl Into<String>, place: Option<Place>) -> Text {
        let mut new = Text::default();
        new.push_literal(text, place);
        new
    }

    /// An expression in `${}`.
    pub(super) fn expression(code: Vec<(String, Option<Place>)>) -> Text {
        let part = |(text, place)| TextPart {
            text,
            place,
            is_literal: false,
        };
        let open = [("${".to_owned(), None)];
        let close = [("}".to_owned(), None)];
        Text {
            parts: open
                .into_iter()
                .chain(code)
                .chain(close)
                .map(part)
                .collect(),
        }
    }

    /// A text that is written as it stands, expressions included.
    pub(super) fn verbatim(text: String, place: Place) -> Text {
        Text {
            parts: vec![TextPart {
                text,
                place: Some(place),
                is_literal: false,
            }],
        }
    }

    pub(super) fn push_literal(&mut self, text: impl Into<String>, place: Option<Place>) {
        self.parts.push(TextPart {
            text: text.into(),
            place,
            is_literal: true,
        });
    }

    pub(super) fn append(&mut self, mut other: Text) {
        self.parts.append(&mut other.parts);
    }

    /// The text, with its expressions as they are spelled.
    pub(super) fn spelled(&self) -> String {
        self.parts.iter().map(|part| part.text.as_str()).collect()
    }

    /// The text, if it has no expressions.
    pub(super) fn as_literal(&self) -> Option<String> {
        let literals = self
            .parts
            .iter()
            .map(|part| part.is_literal.then_some(&*part.text));
        literals.collect()
    }

    fn starts_or_ends_with_space(&self) -> bool {
        let is_space = |c: Option<char>| c.is_some_and(char::is_whitespace);
        let whole = self.spelled();
        is_space(whole.chars().next()) || is_space(whole.chars().next_back())
    }
}

/// An element of the document.
#[derive(Clone, Debug)]
pub(super) struct Element {
    pub(super) name: &'static str,
    pub(super) attributes: Vec<(&'static str, Text)>,
    pub(super) text: Option<Text>,
    pub(super) children: Vec<Element>,
    pub(super) place: Option<Place>,
}

impl Element {
    pub(super) fn new(name: &'static str, place: Option<Place>) -> Element {
        Element {
            name,
            attributes: Vec::new(),
            text: None,
            children: Vec::new(),
            place,
        }
    }

    /// With a text as its content.
    pub(super) fn of(name: &'static str, text: Text, place: Place) -> Element {
        Element {
            text: Some(text),
            ..Element::new(name, Some(place))
        }
    }

    #[must_use]
    pub(super) fn attribute(mut self, name: &'static str, value: Text) -> Element {
        self.attributes.push((name, value));
        self
    }

    #[must_use]
    pub(super) fn child(mut self, child: Element) -> Element {
        self.children.push(child);
        self
    }
}

/// Where a transition leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Node(usize),
    /// A place that is known later.
    Label(usize),
    End,
    /// The kill node that all `?` share.
    Fail,
}

/// A node of the graph.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) name: String,
    /// Where the name stands.
    pub(super) name_place: Place,
    pub(super) place: Place,
    pub(super) kind: NodeKind,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Action {
        attributes: Vec<(&'static str, Text)>,
        body: Element,
        ok: Target,
        error: Target,
        sla: Option<Box<Element>>,
    },
    Decision {
        cases: Vec<(Text, Target, Place)>,
        default: Target,
    },
    Fork(Vec<(Target, Place)>),
    /// What it ends, and what follows.
    Join(JoinOf, Target),
    Kill(Text),
}

/// What a join ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct JoinOf {
    pub(super) fork: usize,
    /// Whether its name is not derived from that of the fork.
    pub(super) is_named: bool,
}

/// The XML text, with a piece for each part that comes from a place.
#[derive(Debug, Default)]
pub(super) struct Writer {
    pub(super) text: String,
    pub(super) pieces: Vec<(std::ops::Range<u32>, Place)>,
    /// Comments before the first node, a line each.
    pub(super) notes: Vec<String>,
    depth: usize,
}

impl Writer {
    fn offset(&self) -> u32 {
        u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    fn placed(&mut self, place: Option<Place>, write: impl FnOnce(&mut Writer)) {
        let start = self.offset();
        write(self);
        if let Some(place) = place {
            self.pieces.push((start..self.offset(), place));
        }
    }

    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
    }

    pub(super) fn element(&mut self, element: &Element) {
        self.line();
        self.placed(element.place, |out| {
            out.open(element.name, &element.attributes);
            match &element.text {
                Some(text) => {
                    out.text.push('>');
                    out.content(text);
                    out.close(element.name);
                }
                None if element.children.is_empty() => out.text.push_str("/>"),
                None => {
                    out.text.push('>');
                    out.depth += 1;
                    for child in &element.children {
                        out.element(child);
                    }
                    out.depth -= 1;
                    out.line();
                    out.close(element.name);
                }
            }
        });
    }

    /// A start tag up to its `>`.
    fn open(&mut self, name: &str, attributes: &[(&'static str, Text)]) {
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            for part in &value.parts {
                self.placed(part.place, |out| escape(&mut out.text, &part.text));
            }
            self.text.push('"');
        }
    }

    fn close(&mut self, name: &str) {
        let _ = write!(self.text, "</{name}>");
    }

    /// The text of an element. Oozie trims it, so blanks at its ends are written as an expression.
    fn content(&mut self, text: &Text) {
        let must_keep = text.starts_or_ends_with_space();
        let last = text.parts.len().saturating_sub(1);
        for (n, part) in text.parts.iter().enumerate() {
            self.placed(part.place, |out| {
                if must_keep && part.is_literal && (n == 0 || n == last) {
                    escape(&mut out.text, &format!("${{{}}}", quoted(&part.text)));
                } else {
                    escape(&mut out.text, &part.text);
                }
            });
        }
    }

    /// A document of one tree.
    pub(super) fn root(&mut self, root: &Element) {
        self.open(root.name, &root.attributes);
        self.text.push('>');
        self.depth += 1;
        for child in &root.children {
            self.element(child);
        }
        self.depth -= 1;
        self.line();
        self.close(root.name);
        self.text.push('\n');
    }

    /// The document around `nodes`.
    pub(super) fn document(
        &mut self,
        root: &Element,
        start: &str,
        nodes: &[Node],
        name_of: &dyn Fn(Target) -> String,
        end: &str,
        sla: Option<&Element>,
    ) {
        self.open(root.name, &root.attributes);
        self.text.push('>');
        self.depth += 1;
        for child in &root.children {
            self.element(child);
        }
        for note in std::mem::take(&mut self.notes) {
            self.line();
            // A comment cannot contain two hyphens.
            let note = note.replace("--", "- -");
            self.text
                .push_str(&format!("<!-- {} -->", note.trim_end_matches('-')));
        }
        let to = |name: &'static str, target: &str, place: Option<Place>| {
            Element::new(name, place).attribute("to", Text::literal(target, None))
        };
        self.element(&to("start", start, None));
        for node in nodes {
            self.element(&node_element(node, name_of, &to));
        }
        self.element(&Element::new("end", None).attribute("name", Text::literal(end, None)));
        if let Some(sla) = sla {
            self.element(sla);
        }
        self.depth -= 1;
        self.line();
        self.close(root.name);
        self.text.push('\n');
    }
}

fn node_element(
    node: &Node,
    name_of: &dyn Fn(Target) -> String,
    to: &dyn Fn(&'static str, &str, Option<Place>) -> Element,
) -> Element {
    let place = Some(node.place);
    let named = |element: &'static str| {
        Element::new(element, place).attribute(
            "name",
            Text::literal(node.name.clone(), Some(node.name_place)),
        )
    };
    match &node.kind {
        NodeKind::Action {
            attributes,
            body,
            ok,
            error,
            sla,
        } => {
            let mut action = named("action");
            action.attributes.extend(attributes.iter().cloned());
            let mut action = action
                .child(body.clone())
                .child(to("ok", &name_of(*ok), place))
                .child(to("error", &name_of(*error), place));
            action.children.extend(sla.as_deref().cloned());
            action
        }
        NodeKind::Decision { cases, default } => {
            let mut switch = Element::new("switch", place);
            for (condition, target, place) in cases {
                let case = Element::of("case", condition.clone(), *place);
                switch = switch
                    .child(case.attribute("to", Text::literal(name_of(*target), Some(*place))));
            }
            named("decision").child(switch.child(to("default", &name_of(*default), place)))
        }
        NodeKind::Fork(paths) => paths.iter().fold(named("fork"), |fork, (target, place)| {
            let start = Text::literal(name_of(*target), Some(*place));
            fork.child(Element::new("path", Some(*place)).attribute("start", start))
        }),
        NodeKind::Join(_, target) => {
            named("join").attribute("to", Text::literal(name_of(*target), place))
        }
        NodeKind::Kill(message) => {
            named("kill").child(Element::of("message", message.clone(), node.place))
        }
    }
}

/// A string literal of the expression language.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('\'');
    for c in text.chars() {
        if matches!(c, '\'' | '\\') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('\'');
    quoted
}

fn escape(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            c => out.push(c),
        }
    }
}
