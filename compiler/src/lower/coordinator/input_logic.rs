//! `input-logic`.

use crate::{
    lower::template::{self, TextSink},
    model::coordinator::{InputLogic, LogicKind, LogicNode},
    syntax::xml::Element,
};

pub(super) fn input_logic(root: &Element<'_>, sink: &mut TextSink) -> Option<InputLogic> {
    let section = root.element("input-logic")?;
    Some(InputLogic {
        tag_span: section.name_span,
        nodes: nodes(&section, sink),
    })
}

/// The depth of nested elements is limited by the XML parser.
fn nodes(parent: &Element<'_>, sink: &mut TextSink) -> Vec<LogicNode> {
    parent
        .elements()
        .filter_map(|element| {
            let kind = match element.name.local {
                "and" => LogicKind::And,
                "or" => LogicKind::Or,
                "combine" => LogicKind::Combine,
                "data-in" => {
                    LogicKind::DataIn(template::of_required_attribute(&element, "dataset", sink))
                }
                // Already reported.
                _ => return None,
            };
            Some(LogicNode {
                kind,
                tag_span: element.name_span,
                name: template::of_optional_attribute(&element, "name", sink),
                min: template::of_optional_attribute(&element, "min", sink),
                wait: template::of_optional_attribute(&element, "wait", sink),
                nodes: nodes(&element, sink),
            })
        })
        .collect()
}
