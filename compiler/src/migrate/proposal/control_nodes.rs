//! Control nodes.

use std::collections::BTreeMap;

use super::{Tag, Writer, WrittenElement, without_last_blanks};
use crate::syntax::xml::Element;

impl Writer<'_, '_> {
    pub(super) fn fail(&mut self, node: &Element<'_>) -> String {
        self.lose(
            node.name_span,
            "the state FAILED of a job that a `fail` node ends",
            "a `kill` node now: the job ends KILLED",
            None,
        );
        self.copied(node, Some("kill"), 0)
    }

    /// Transitions become paths.
    pub(super) fn fork(&mut self, node: &Element<'_>) -> String {
        let start = self.start_tag(node, Tag::default());
        let (children, tail) = self.children(node);
        let mut inside = String::new();
        for (gap, transition) in children {
            let tag = Tag {
                name: Some("path"),
                attribute: Some(("to", "start")),
                ..Tag::default()
            };
            inside.push_str(gap);
            inside.push_str(&self.start_tag(&transition, tag));
            if transition.end_tag_span().is_some() {
                inside.push_str("</path>");
            }
        }
        format!("{start}{inside}{tail}</fork>")
    }

    /// The transition becomes an attribute.
    pub(super) fn join(&mut self, node: &Element<'_>) -> String {
        let transition = node.element("transition");
        let to = transition.and_then(|transition| transition.attribute("to"));
        let to = self.quoted(to.as_ref());
        self.childless(node, &format!(" to={to}"))
    }

    /// The names of transitions are replaced by the nodes that they lead to.
    pub(super) fn decision(&mut self, node: &Element<'_>) -> String {
        let start = self.start_tag(node, Tag::default());
        let mut targets = BTreeMap::new();
        for transition in node.elements_named("transition") {
            if let Some(name) = transition.attribute("name") {
                let to = self.quoted(transition.attribute("to").as_ref());
                targets.entry(name.value.as_str().to_owned()).or_insert(to);
            }
        }
        let (children, tail) = self.children(node);
        let mut pieces = Vec::new();
        // Comments before a transition.
        let mut left = String::new();
        for (gap, child) in children {
            if child.name.local == "transition" {
                left.push_str(&self.deeper(without_last_blanks(gap), 1));
                continue;
            }
            let gap = std::mem::take(&mut left) + &self.deeper(gap, 1);
            let name = child.attribute("name");
            let to = name.and_then(|name| targets.get(name.value.as_str()));
            let to = to.map_or("\"\"", String::as_str);
            let (rank, text) = if child.name.local == "default" {
                (1, format!("<default to={to}/>"))
            } else {
                (0, format!("<case to={to}>{}</case>", self.content(&child)))
            };
            pieces.push(WrittenElement { rank, gap, text });
        }
        let open = self.line(node, 1);
        let close = self.line(node, 1);
        let tail = left + without_last_blanks(tail);
        let inside = WrittenElement::written(pieces, &tail);
        let end = self.line(node, 0);
        format!("{start}{open}<switch>{inside}{close}</switch>{end}</decision>")
    }
}
