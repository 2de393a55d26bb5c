//! From the dialect of 2009 to the workflow schema 1.0, element by element.
//!
//! An element is written as its tags and its content: other elements, and the gaps between them, with their blanks and
//! comments. When elements are reordered, the gap before each moves with it; when one is removed, its comments are kept.

mod actions;
mod control_nodes;
pub(crate) mod notifications;

use crate::{
    migrate::{MigrateCtx, edits::TextEdits, expression, migration_losses::Loss},
    source::Span,
    syntax::xml::{Attribute, Decoded, Element, escape_attribute, escape_text},
};

/// An output element, with the blanks and comments before it.
struct WrittenElement {
    /// Its sort key among its siblings; the sort is stable.
    rank: u32,
    gap: String,
    text: String,
}

impl WrittenElement {
    /// Writes pieces by their rank, followed by `tail`.
    fn written(mut pieces: Vec<WrittenElement>, tail: &str) -> String {
        pieces.sort_by_key(|piece| piece.rank);
        let mut written: String = pieces
            .iter()
            .flat_map(|piece| [piece.gap.as_str(), piece.text.as_str()])
            .collect();
        written.push_str(tail);
        written
    }
}

/// The document as a `workflow-app`.
pub(super) fn document(cx: &mut MigrateCtx<'_>, root: &Element<'_>) -> String {
    let whole = root.span().range();
    let mut writer = Writer {
        step: step(cx, root),
        cx,
    };
    let namespace = super::newest::newest("uri:oozie:workflow:").unwrap_or_default();
    let tag = Tag {
        name: Some("workflow-app"),
        more: &format!(" xmlns=\"{namespace}\""),
        ..Tag::default()
    };
    let start = writer.start_tag(root, tag);
    let (children, tail) = writer.children(root);
    let pieces = children
        .into_iter()
        .map(|(gap, node)| WrittenElement {
            rank: match node.name.local {
                "start" => 0,
                "end" => 2,
                _ => 1,
            },
            gap: gap.to_owned(),
            text: writer.node(&node),
        })
        .collect();
    let text = writer.cx.text;
    let before = &text[..whole.start];
    let after = &text[whole.end..];
    let inside = WrittenElement::written(pieces, tail);
    format!("{before}{start}{inside}</workflow-app>{after}")
}

/// The indentation of each level: that of the first node.
fn step(cx: &MigrateCtx<'_>, root: &Element<'_>) -> String {
    let first = root.elements().next();
    let indentation = first.map_or("", |node| cx.indentation(&node));
    let own = cx.indentation(root);
    match indentation.strip_prefix(own) {
        Some(step) if !step.is_empty() => step.to_owned(),
        Some(_) | None => "    ".to_owned(),
    }
}

/// How a start tag differs from the source.
#[derive(Clone, Copy, Default)]
struct Tag<'t> {
    name: Option<&'t str>,
    /// An attribute, and its new name.
    attribute: Option<(&'t str, &'t str)>,
    /// Attributes, and their new values, escaped.
    values: &'t [(&'t str, String)],
    /// Additional attributes.
    more: &'t str,
}

struct Writer<'w, 'c> {
    cx: &'w mut MigrateCtx<'c>,
    step: String,
}

impl<'c> Writer<'_, 'c> {
    /// A child of the root.
    fn node(&mut self, node: &Element<'_>) -> String {
        match node.name.local {
            "start" | "end" => self.childless(node, ""),
            "fail" => self.fail(node),
            "decision" => self.decision(node),
            "fork" => self.fork(node),
            "join" => self.join(node),
            _ => self.action(node),
        }
    }

    /// The child elements, each with the gap before it, and the gap after the last one.
    fn children<'e>(&self, element: &Element<'e>) -> (Vec<(&'c str, Element<'e>)>, &'c str) {
        let content = element.content_span().range();
        let mut at = content.start;
        let mut children = Vec::new();
        for child in element.elements() {
            let span = child.span().range();
            children.push((&self.cx.text[at..span.start], child));
            at = span.end;
        }
        (children, &self.cx.text[at..content.end])
    }

    /// The start tag of the source with the changes in `tag`, and with Oozie's expressions.
    fn start_tag(&mut self, element: &Element<'_>, tag: Tag<'_>) -> String {
        let mut edits = TextEdits::default();
        if let Some(name) = tag.name {
            edits.replace(element.name_span.range(), name);
        }
        for attribute in element.attributes() {
            if let Some((old, new)) = tag.attribute
                && attribute.name.local == old
            {
                edits.replace(attribute.name_span.range(), new);
            }
            let mut given = tag.values.iter();
            let value = match given.find(|(name, _)| *name == attribute.name.local) {
                Some((_, value)) => Some(value.clone()),
                None => self
                    .rewritten(&attribute.value)
                    .map(|text| escape_attribute(&text).into_owned()),
            };
            if let Some(value) = value {
                edits.replace(attribute.value_span.range(), value);
            }
        }
        if !tag.more.is_empty() {
            edits.insert(element.attribute_insertion().range().start, tag.more);
        }
        edits.applied(self.cx.text, element.start_tag_span().range())
    }

    /// The text with Oozie's functions; `None` if nothing changes.
    fn rewritten(&mut self, text: &Decoded<'_>) -> Option<String> {
        let mut losses = Vec::new();
        let rewritten = expression::rewritten(text.as_str(), &mut losses);
        for loss in losses {
            self.cx.lose(Loss {
                place: text.span_of(loss.range),
                what: loss.what,
                instead: loss.instead,
                help: None,
            });
        }
        rewritten
    }

    /// The content of an element with text.
    fn content(&mut self, element: &Element<'_>) -> String {
        match self.rewritten(&element.text()) {
            Some(text) => escape_text(&text).into_owned(),
            None => self.cx.raw(element.content_span()).to_owned(),
        }
    }

    /// An element with its content under another name, `depth` levels deeper than before.
    fn copied(&mut self, element: &Element<'_>, name: Option<&str>, depth: usize) -> String {
        let tag = Tag {
            name,
            ..Tag::default()
        };
        let start = self.start_tag(element, tag);
        let Some(end_tag) = element.end_tag_span() else {
            return start;
        };
        let (children, tail) = self.children(element);
        let inside = if children.is_empty() {
            self.content(element)
        } else {
            let mut inside = String::new();
            for (gap, child) in children {
                inside.push_str(&self.deeper(gap, depth));
                inside.push_str(&self.copied(&child, None, depth));
            }
            inside + &self.deeper(tail, depth)
        };
        let end = match name {
            Some(name) => format!("</{name}>"),
            None => self.cx.raw(end_tag).to_owned(),
        };
        format!("{start}{inside}{end}")
    }

    /// An element that must be empty, as an empty-element tag. Its comments are moved before it.
    fn childless(&mut self, element: &Element<'_>, more: &str) -> String {
        let tag = Tag {
            more,
            ..Tag::default()
        };
        let start = self.start_tag(element, tag);
        let comments = self.comments_of(element);
        let start = match start.strip_suffix("/>") {
            Some(_) => start,
            None => format!("{}/>", start.trim_end_matches('>')),
        };
        format!("{comments}{start}")
    }

    /// The comments in an element, each on a separate line.
    fn comments_of(&self, element: &Element<'_>) -> String {
        let line = self.line(element, 0);
        let (children, tail) = self.children(element);
        let gaps = children.iter().map(|(gap, _)| *gap).chain([tail]);
        gaps.flat_map(comments)
            .map(|comment| format!("{comment}{line}"))
            .collect()
    }

    /// A line ending and the indentation of the next line, `depth` levels deeper than an element.
    fn line(&self, element: &Element<'_>, depth: usize) -> String {
        format!(
            "{}{}{}",
            self.cx.line_end,
            self.cx.indentation(element),
            self.step.repeat(depth)
        )
    }

    /// A gap with its lines indented `depth` levels more. Comments are not changed.
    fn deeper(&self, gap: &str, depth: usize) -> String {
        let more = self.step.repeat(depth);
        let mut deeper = String::with_capacity(gap.len() + 16);
        let mut rest = gap;
        while !rest.is_empty() {
            let (blank, comment, later) = split_at_comment(rest);
            let mut lines = blank.split_inclusive('\n').peekable();
            while let Some(line) = lines.next() {
                deeper.push_str(line);
                let is_before_text = lines
                    .peek()
                    .is_none_or(|next| !next.trim_end_matches(['\r', '\n']).is_empty());
                if line.ends_with('\n') && is_before_text {
                    deeper.push_str(&more);
                }
            }
            deeper.push_str(comment);
            rest = later;
        }
        deeper
    }

    fn lose(
        &mut self,
        place: Span,
        what: &'static str,
        instead: impl Into<String>,
        help: Option<&str>,
    ) {
        self.cx.lose(Loss {
            place,
            what,
            instead: instead.into(),
            help: help.map(str::to_owned),
        });
    }

    /// The value of an attribute for another tag, in double quotes.
    fn quoted(&self, attribute: Option<&Attribute<'_>>) -> String {
        let value = attribute.map(|attribute| escape_attribute(attribute.value.as_str()));
        format!("\"{}\"", value.unwrap_or_default())
    }
}

/// The text before the first comment of a gap, that comment, and the rest. A processing instruction is treated as a comment.
fn split_at_comment(gap: &str) -> (&str, &str, &str) {
    let Some(start) = gap.find('<') else {
        return (gap, "", "");
    };
    let (blank, rest) = gap.split_at(start);
    let end = if rest.starts_with("<!--") {
        "-->"
    } else {
        "?>"
    };
    let length = rest.find(end).map_or(rest.len(), |at| at + end.len());
    let (comment, later) = rest.split_at(length);
    (blank, comment, later)
}

/// The comments of a gap.
fn comments(gap: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = gap;
    while !rest.is_empty() {
        let (_, comment, later) = split_at_comment(rest);
        if !comment.is_empty() {
            found.push(comment);
        }
        rest = later;
    }
    found
}

/// The gap before an element that is removed: empty, or its comments with the blanks before each.
fn without_last_blanks(gap: &str) -> &str {
    match gap.rfind('>') {
        Some(at) => &gap[..=at],
        None => "",
    }
}
