//! Suppression comments: `<!-- hpdlc: allow(unreachable_nodes) kept for the next release -->`.
//!
//! Such a comment applies to the element that follows it, and its contents; before the root it applies to the whole
//! document. In an element with text only, it applies to that element. Text after the parenthesis is for people.

use std::collections::BTreeMap;

use crate::{
    diagnostics::{Allow, Rules, Sink, UnknownLint},
    source::Span,
    syntax::xml::{Element, XmlDocument},
};

pub(crate) mod invalid_lint_comments;
pub(crate) mod unknown_lints;
pub(crate) mod useless_allows;

use self::{
    invalid_lint_comments::{InvalidLintComment, SyntaxFault},
    useless_allows::Reason,
};
pub use self::{
    unknown_lints::{LintNameSource, UnknownLintName},
    useless_allows::UselessAllow,
};

/// The prefix of comments for hpdlc.
const MARK: &str = "hpdlc:";

/// The number of unknown names for which a similar one is searched. There may be a million.
const MOST_SEARCHES: usize = 50;

/// Passes the suppressions in the comments of `document`, whose raw text is `text`, to the sink, and reports invalid ones.
pub fn collect(document: &XmlDocument<'_>, text: &str, sink: &mut Sink) {
    // Nearly every document has no such comment.
    if !text.contains(MARK) {
        return;
    }
    let mut faults = Vec::new();
    let mut children = Children::default();
    let mut n_unknown = 0;
    let rules = sink.rules();
    for comment in comments(text) {
        match read(comment) {
            None => {}
            Some(Ok(names)) => {
                let place = |part: CommentPiece<'_>| part.span(document);
                let target = target(document, place(comment), &mut children);
                for name in names {
                    match (lint_named(rules, name.text, &mut n_unknown), target) {
                        (Ok(lint), Some(target)) => sink.allow(Allow {
                            lint,
                            scope: Span {
                                start: place(comment).start,
                                ..target.span()
                            },
                            is_whole_file: target.span() == document.root().span(),
                            place: place(name),
                        }),
                        (Ok(lint), None) => faults.push(CommentFault::Useless(UselessAllow {
                            lint,
                            place: place(name),
                            reason: Reason::NoElement,
                        })),
                        (Err(unknown), _) => faults.push(CommentFault::Unknown(UnknownLintName {
                            unknown,
                            place: place(name),
                            source: LintNameSource::Comment,
                        })),
                    }
                }
            }
            Some(Err(fault)) => faults.push(CommentFault::Invalid(InvalidLintComment {
                place: comment.span(document),
                fault,
            })),
        }
    }
    // Last, since one comment may suppress diagnostics about another.
    for fault in faults {
        match fault {
            CommentFault::Useless(fault) => sink.emit(fault),
            CommentFault::Unknown(fault) => sink.emit(fault),
            CommentFault::Invalid(fault) => sink.emit(fault),
        }
    }
}

fn lint_named(
    rules: Rules,
    name: &str,
    n_unknown: &mut usize,
) -> Result<&'static str, UnknownLint> {
    if *n_unknown < MOST_SEARCHES {
        return rules.lint_name(name).inspect_err(|_| *n_unknown += 1);
    }
    rules.known_lint_name(name).ok_or_else(|| UnknownLint {
        name: name.to_owned(),
        similar: None,
    })
}

enum CommentFault {
    Useless(UselessAllow),
    Unknown(UnknownLintName),
    Invalid(InvalidLintComment),
}

/// A part of the raw text, and its offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CommentPiece<'a> {
    text: &'a str,
    start: usize,
}

impl<'a> CommentPiece<'a> {
    fn trimmed(self) -> CommentPiece<'a> {
        let text = self.text.trim_start();
        CommentPiece {
            start: self.start + (self.text.len() - text.len()),
            text: text.trim_end(),
        }
    }

    /// The rest after `prefix`, if it starts with that.
    fn after(self, prefix: &str) -> Option<CommentPiece<'a>> {
        Some(CommentPiece {
            text: self.text.strip_prefix(prefix)?,
            start: self.start + prefix.len(),
        })
    }

    fn until(self, end: usize) -> CommentPiece<'a> {
        CommentPiece {
            text: &self.text[..end],
            start: self.start,
        }
    }

    fn span(self, document: &XmlDocument<'_>) -> Span {
        let offset = |n: usize| u32::try_from(n).expect("a document has at most 64 MiB");
        let end = self.start + self.text.len();
        Span::new(document.root().file(), offset(self.start), offset(end))
    }
}

/// The comments of a well-formed document, including their delimiters. In such a document, every `<` starts markup, unless
/// it is inside of a comment, a CDATA section or a processing instruction.
fn comments(text: &str) -> impl Iterator<Item = CommentPiece<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text[at..].find('<')?;
            let end_of = |close: &str| Some(start + text[start..].find(close)? + close.len());
            let rest = &text[start..];
            if rest.starts_with("<!--") {
                let body = start + "<!--".len();
                at = body + text[body..].find("-->")? + "-->".len();
                return Some(CommentPiece {
                    text: &text[start..at],
                    start,
                });
            }
            at = if rest.starts_with("<![CDATA[") {
                end_of("]]>")?
            } else if rest.starts_with("<?") {
                end_of("?>")?
            } else {
                start + 1
            };
        }
    })
}

/// The names that a comment allows; `None` if it is not for hpdlc.
fn read(comment: CommentPiece<'_>) -> Option<Result<Vec<CommentPiece<'_>>, SyntaxFault>> {
    let inside = comment.after("<!--")?;
    let inside = inside.until(inside.text.len() - "-->".len()).trimmed();
    let instruction = inside.after(MARK)?.trimmed();
    let Some(arguments) = instruction
        .after("allow")
        .map(CommentPiece::trimmed)
        .and_then(|rest| rest.after("("))
    else {
        return Some(Err(SyntaxFault::NotAllow));
    };
    let Some(end) = arguments.text.find(')') else {
        return Some(Err(SyntaxFault::Unclosed));
    };
    let list = arguments.until(end);
    let mut names = Vec::new();
    let mut start = list.start;
    for piece in list.text.split(',') {
        let name = CommentPiece { text: piece, start }.trimmed();
        start += piece.len() + 1;
        if !name.text.is_empty() {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Some(Err(SyntaxFault::NoName));
    }
    Some(Ok(names))
}

/// The child elements of each element, by its offset, cached because there may be as many comments as elements.
type Children<'a> = BTreeMap<u32, Vec<Element<'a>>>;

/// The element that a comment applies to.
fn target<'a>(
    document: &'a XmlDocument<'_>,
    comment: Span,
    children: &mut Children<'a>,
) -> Option<Element<'a>> {
    let root = document.root();
    if comment.end <= root.span().start {
        return Some(root);
    }
    if comment.start >= root.span().end {
        return None;
    }
    let mut around = root;
    loop {
        let inside = children
            .entry(around.span().start)
            .or_insert_with(|| around.elements().collect());
        if inside.is_empty() {
            return Some(around);
        }
        let behind = inside.partition_point(|element| element.span().start < comment.end);
        let before = behind.checked_sub(1).and_then(|place| inside.get(place));
        match before.filter(|element| element.span().contains(comment)) {
            Some(inner) => around = *inner,
            None => return inside.get(behind).copied(),
        }
    }
}

#[cfg(test)]
mod tests;
