//! `conf` of an action: its element of the document, with its values once it has begun. As Oozie writes it (`XmlUtils.prettyPrint`): CRLF,
//! two blanks a level. What `global` and `config-default.xml` add is not in it.

use std::collections::BTreeMap;

use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow};
use quick_xml::{
    Reader, XmlVersion,
    escape::{escape, resolve_xml_entity},
    events::{BytesStart, Event},
};

use crate::{
    api::configuration,
    serve::{call::Call, definition, wire::workflow::has_begun},
};

/// Empty for nodes that have none, and where the executable is gone.
pub(crate) fn of(call: &Call, job: &JobRow, row: &ActionRow, masks: &Masks) -> String {
    let Ok(document) = definition::document(call, job) else {
        return String::new();
    };
    let Some(body) = body(&document, &row.name) else {
        return String::new();
    };
    let values = match &body {
        // Until then Oozie has the element as it is written.
        Body::Element(element) if has_begun(row) && element.has_expressions() => {
            definition::values(call, job, masks).unwrap_or_default()
        }
        Body::Element(_) | Body::Message(_) => Vec::new(),
    };
    let of_node = values.into_iter().filter(|node| node.name == row.name);
    let known: BTreeMap<String, String> = of_node
        .flat_map(|node| node.values)
        .filter_map(|value| Some((value.template.trim().to_owned(), value.value?)))
        .collect();
    match body {
        Body::Message(text) => masks.text(&text),
        Body::Element(element) => masks.text(&element.written(&known)),
    }
}

/// What a node of the document does.
#[derive(Debug, PartialEq, Eq)]
enum Body {
    /// The element of an action's type, or the `switch` of a decision.
    Element(Element),
    /// Of a kill node, which Oozie has as it is written.
    Message(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Element {
    name: String,
    /// With `xmlns`.
    attributes: Vec<(String, String)>,
    children: Vec<Element>,
    text: String,
}

/// The body of the node of this name; `None` if there is no such node, it has none, or the document is no XML.
fn body(document: &str, name: &str) -> Option<Body> {
    let root = parsed(document)?;
    let is_named = |node: &&Element| node.attribute("name") == Some(name);
    let node = root.children.iter().find(is_named)?;
    let namespace = root.attribute("xmlns");
    if node.name == "kill" {
        let message = node.children.iter().find(|it| it.name == "message")?;
        return Some(Body::Message(message.text.trim().to_owned()));
    }
    let is_body = |it: &&Element| !matches!(it.name.as_str(), "ok" | "error" | "info");
    let has_body = matches!(node.name.as_str(), "action" | "decision");
    let body = node.children.iter().filter(|_| has_body).find(is_body)?;
    let mut body = body.clone();
    if body.attribute("xmlns").is_none()
        && let Some(namespace) = namespace
    {
        let own = ("xmlns".to_owned(), namespace.to_owned());
        body.attributes.insert(0, own);
    }
    // `fs` always has one.
    if body.name == "fs" && !body.children.iter().any(|it| it.name == "configuration") {
        body.children.push(Element {
            name: "configuration".to_owned(),
            ..Element::default()
        });
    }
    Some(Body::Element(body))
}

fn parsed(document: &str) -> Option<Element> {
    let mut reader = Reader::from_str(document);
    let mut open = vec![Element::default()];
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) => open.push(Element::of(&tag)?),
            Event::Empty(tag) => open.last_mut()?.children.push(Element::of(&tag)?),
            Event::End(_) => {
                let element = open.pop()?;
                open.last_mut()?.children.push(element);
            }
            Event::Text(part) => open.last_mut()?.text.push_str(&part.xml10_content()),
            Event::CData(part) => open.last_mut()?.text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => {
                let text = &mut open.last_mut()?.text;
                match reference.resolve_char_ref().ok()? {
                    Some(character) => text.push(character),
                    None => text.push_str(resolve_xml_entity(&reference)?),
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    // What is left open is no document.
    let [whole] = <[Element; 1]>::try_from(open).ok()?;
    whole.children.into_iter().next()
}

impl Element {
    fn of(tag: &BytesStart<'_>) -> Option<Element> {
        let attributes = tag.attributes().map(|attribute| {
            let attribute = attribute.ok()?;
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((attribute.key.into_inner().to_owned(), value.into_owned()))
        });
        Some(Element {
            name: tag.local_name().into_inner().to_owned(),
            attributes: attributes.collect::<Option<_>>()?,
            ..Element::default()
        })
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.attributes.iter();
        let found = all.find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    fn has_expressions(&self) -> bool {
        let values = self.attributes.iter().map(|(_, value)| value);
        values.chain([&self.text]).any(|text| text.contains("${"))
            || self.children.iter().any(Element::has_expressions)
    }

    fn written(&self, known: &BTreeMap<String, String>) -> String {
        let mut text = String::new();
        self.write(known, 0, &mut text);
        text.truncate(text.trim_end().len());
        text
    }

    fn write(&self, known: &BTreeMap<String, String>, level: usize, text: &mut String) {
        let value = |template: &str| {
            let template = template.trim();
            known
                .get(template)
                .map_or_else(|| template.to_owned(), Clone::clone)
        };
        let blanks = "  ".repeat(level);
        text.push_str(&format!("{blanks}<{}", self.name));
        for (name, template) in &self.attributes {
            text.push_str(&format!(" {name}=\"{}\"", escape(value(template))));
        }
        let own = value(&self.text);
        if !self.children.is_empty() {
            text.push_str(">\r\n");
            for child in &self.children {
                child.write(known, level + 1, text);
            }
            text.push_str(&format!("{blanks}</{}>\r\n", self.name));
        } else if own.is_empty() {
            text.push_str(" />\r\n");
        } else {
            text.push_str(&format!(
                ">{}</{}>\r\n",
                configuration::xml(&own),
                self.name
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = r#"<?xml version="1.0"?>
<!-- nightly -->
<workflow-app name="a" xmlns="uri:oozie:workflow:0.5">
    <start to="make"/>
    <action name="make"><fs><mkdir path=" ${out}/${wf:id()} "/></fs><ok to="end"/><error to="fail"/></action>
    <action name="list">
        <shell xmlns="uri:oozie:shell-action:1.0"><exec>ls</exec><argument>a &amp; &lt;b&gt;</argument>
            <configuration><property><name>q</name><value>${queue}</value></property></configuration></shell>
        <ok to="end"/><error to="fail"/>
    </action>
    <decision name="which"><switch><case to="make">${n eq 1}</case><default to="list"/></switch></decision>
    <kill name="fail"><message>failed: ${wf:lastErrorNode()}</message></kill>
    <end name="end"/>
</workflow-app>"#;

    fn written(name: &str, known: &[(&str, &str)]) -> Option<String> {
        let known = known.iter();
        let known = known.map(|(template, value)| ((*template).to_owned(), (*value).to_owned()));
        match body(DOCUMENT, name)? {
            Body::Message(text) => Some(text),
            Body::Element(element) => Some(element.written(&known.collect())),
        }
    }

    #[test]
    fn the_element_of_a_node_is_written_with_its_values() {
        for (name, known, expected) in [
            (
                "make",
                &[][..],
                "<fs xmlns=\"uri:oozie:workflow:0.5\">\r\n  <mkdir path=\"${out}/${wf:id()}\" />\r\n  <configuration />\r\n</fs>",
            ),
            (
                "make",
                &[("${out}/${wf:id()}", "file:///o/1-W")],
                "<fs xmlns=\"uri:oozie:workflow:0.5\">\r\n  <mkdir path=\"file:///o/1-W\" />\r\n  <configuration />\r\n</fs>",
            ),
            (
                "list",
                &[("${queue}", "<q>")],
                "<shell xmlns=\"uri:oozie:shell-action:1.0\">\r\n  <exec>ls</exec>\r\n  <argument>a &amp; &lt;b&gt;</argument>\r\n  \
                 <configuration>\r\n    <property>\r\n      <name>q</name>\r\n      <value>&lt;q&gt;</value>\r\n    </property>\r\n  \
                 </configuration>\r\n</shell>",
            ),
            (
                "which",
                &[("${n eq 1}", "true")],
                "<switch xmlns=\"uri:oozie:workflow:0.5\">\r\n  <case to=\"make\">true</case>\r\n  <default to=\"list\" />\r\n</switch>",
            ),
            ("fail", &[], "failed: ${wf:lastErrorNode()}"),
        ] {
            assert_eq!(written(name, known).as_deref(), Some(expected), "{name}");
        }
    }

    #[test]
    fn nodes_without_a_body_and_what_is_no_document_have_none() {
        for name in ["end", ":start:", "nowhere"] {
            assert_eq!(written(name, &[]), None, "{name}");
        }
        for document in [
            "",
            "pub fn workflow() {}",
            "<a><b></a>",
            "<workflow-app><action name='x'>",
        ] {
            assert_eq!(body(document, "x"), None, "{document}");
        }
    }
}
