//! Action nodes: an `action` with a body, `ok` and `error`.

use super::{Tag, Writer, WrittenElement, without_last_blanks};
use crate::{
    migrate::{http, newest::newest, proposal::notifications},
    syntax::xml::{Element, escape_attribute},
};

/// The parts of a body before it is written.
struct WrittenBody {
    name: &'static str,
    /// The namespace without its version; empty for the workflow's own.
    namespace: &'static str,
    pieces: Vec<WrittenElement>,
    /// After the last piece: comments.
    tail: String,
}

impl Writer<'_, '_> {
    pub(super) fn action(&mut self, node: &Element<'_>) -> String {
        let tag = Tag {
            name: Some("action"),
            ..Tag::default()
        };
        let start = self.start_tag(node, tag);
        let (children, tail) = self.children(node);
        let mut ways = Vec::new();
        let mut parts = Vec::new();
        for (gap, child) in children {
            if child.name.local != "transition" {
                parts.push((gap, child));
                continue;
            }
            let name = child.attribute("name");
            let is_ok = name.is_some_and(|name| name.value.as_str() == "OK");
            let (rank, element) = if is_ok { (0, "ok") } else { (1, "error") };
            let to = self.quoted(child.attribute("to").as_ref());
            // On a separate line, unless the gap says otherwise.
            let gap = if gap.is_empty() {
                self.line(node, 1)
            } else {
                gap.to_owned()
            };
            ways.push(WrittenElement {
                rank,
                gap,
                text: format!("<{element} to={to}/>"),
            });
        }
        let line = self.line(node, 1);
        let body = if node.name.local == "http" {
            let left: String = parts
                .iter()
                .map(|(gap, _)| without_last_blanks(gap))
                .collect();
            format!("{left}{line}{}", self.http(node))
        } else {
            let body = self.body(node, parts);
            self.written_body(&line, body)
        };
        let ways = WrittenElement::written(ways, tail);
        format!("{start}{body}{ways}</action>")
    }

    fn written_body(&self, line: &str, body: WrittenBody) -> String {
        let WrittenBody {
            name,
            namespace,
            pieces,
            tail,
        } = body;
        let namespace = newest(namespace)
            .map(|namespace| format!(" xmlns=\"{namespace}\""))
            .unwrap_or_default();
        if pieces.is_empty() && tail.is_empty() {
            return format!("{line}<{name}{namespace}/>");
        }
        let inside = WrittenElement::written(pieces, &tail);
        format!("{line}<{name}{namespace}>{inside}{line}</{name}>")
    }

    fn body(&mut self, node: &Element<'_>, parts: Vec<(&str, Element<'_>)>) -> WrittenBody {
        let (name, namespace) = match node.name.local {
            "hadoop" => ("map-reduce", ""),
            "pig" => ("pig", ""),
            "hdfs" => ("fs", ""),
            "ssh" => ("ssh", "uri:oozie:ssh-action:"),
            "email" => ("email", "uri:oozie:email-action:"),
            _ => ("sub-workflow", ""),
        };
        let mut pieces = Vec::new();
        let mut left = String::new();
        for (gap, part) in parts {
            let mut written = self.part(node, &part);
            if written.is_empty() {
                left.push_str(&self.deeper(without_last_blanks(gap), 1));
                continue;
            }
            let mut gap = Some(std::mem::take(&mut left) + &self.deeper(gap, 1));
            for piece in &mut written {
                // If an element is replaced by several, each is on a separate line.
                if piece.gap.is_empty() {
                    piece.gap = gap.take().unwrap_or_else(|| self.line(node, 2));
                }
            }
            if let (Some(gap), Some(first)) = (gap, written.first_mut()) {
                first.gap.insert_str(0, without_last_blanks(&gap));
            }
            pieces.extend(written);
        }
        WrittenBody {
            name,
            namespace,
            pieces,
            tail: left,
        }
    }

    /// The replacements of one child of the action; the first without a gap gets the child's own, others a new line. The
    /// ranks follow the order of the schema 1.0.
    fn part(&mut self, node: &Element<'_>, part: &Element<'_>) -> Vec<WrittenElement> {
        let one = |rank, text| {
            vec![WrittenElement {
                rank,
                gap: String::new(),
                text,
            }]
        };
        match (node.name.local, part.name.local) {
            ("hdfs", "file-system") => one(1, self.copied(part, Some("name-node"), 1)),
            ("hdfs", "commands") => self.commands(part),
            ("hdfs", "user") => {
                self.lose(
                    part.name_span,
                    "the user of an `hdfs` action",
                    "left out: the user of the job does it now",
                    None,
                );
                Vec::new()
            }
            ("hadoop" | "pig", "prepare") => one(2, self.copied(part, None, 1)),
            ("hadoop", "streaming") => self.streaming(part),
            ("hadoop" | "pig", "job-xml") => one(4, self.path(part, None)),
            ("hadoop" | "pig", "configuration") => self.configuration(node, part),
            ("pig", "pig-script") => one(6, self.path(part, Some("script"))),
            ("pig", "parameters") => self.parameters(part),
            ("pig", "pig-host") => {
                self.lose(
                    part.name_span,
                    "the host that Pig runs on",
                    "left out: Oozie runs Pig on the cluster",
                    None,
                );
                Vec::new()
            }
            ("pig", "hadoop-user") => {
                self.lose(
                    part.name_span,
                    "the user of a `pig` action",
                    "left out: the user of the job runs it now",
                    None,
                );
                Vec::new()
            }
            ("email", "message") => one(2, self.copied(part, Some("body"), 1)),
            ("email", "subject") => one(1, self.copied(part, None, 1)),
            ("ssh", "command") => one(1, self.copied(part, None, 1)),
            ("ssh", "args") => one(2, self.copied(part, None, 1)),
            ("ssh", "capture-output") => one(3, self.copied(part, None, 1)),
            ("sub-workflow", "host-url") => {
                self.lose(
                    part.name_span,
                    "the system that runs a sub-workflow",
                    "left out: the child runs beside its parent now",
                    None,
                );
                Vec::new()
            }
            ("sub-workflow", "hadoop-workflow") => {
                self.lose(
                    part.name_span,
                    "the name of a sub-workflow",
                    "`app-path` now, which takes a path",
                    Some(
                        "put the folder of the application there, such as `${nameNode}/apps/child`",
                    ),
                );
                one(0, self.copied(part, Some("app-path"), 1))
            }
            ("sub-workflow", "configuration") => {
                self.notifications_of_child(part);
                one(1, self.copied(part, None, 1))
            }
            _ => one(0, self.copied(part, None, 1)),
        }
    }

    /// An element with the path of a file of the application: a leading slash denoted its root.
    fn path(&mut self, element: &Element<'_>, name: Option<&str>) -> String {
        let copied = self.copied(element, name, 1);
        let text = element.trimmed_text();
        if !text.as_str().starts_with('/') {
            return copied;
        }
        let content = copied.find('>').map_or(0, |at| at + 1);
        let (tag, rest) = copied.split_at(content);
        format!("{tag}{}", rest.replacen('/', "", 1))
    }

    /// Commands become children of the action itself, at the same depth.
    fn commands(&mut self, commands: &Element<'_>) -> Vec<WrittenElement> {
        let (children, tail) = self.children(commands);
        let mut pieces: Vec<WrittenElement> = children
            .into_iter()
            .map(|(gap, command)| WrittenElement {
                rank: 9,
                gap: gap.to_owned(),
                text: self.command(&command),
            })
            .collect();
        let tail = without_last_blanks(tail);
        if !tail.is_empty() {
            pieces.push(WrittenElement {
                rank: 9,
                gap: tail.to_owned(),
                text: String::new(),
            });
        }
        pieces
    }

    /// A relative path was relative to the home of the action's user.
    fn command(&mut self, command: &Element<'_>) -> String {
        let mut values = Vec::new();
        for attribute in command.attributes() {
            let path = attribute.value.as_str();
            let is_relative =
                !path.is_empty() && !path.starts_with(['/', '$']) && !path.contains(":/");
            if !is_relative {
                continue;
            }
            self.lose(
                attribute.value_span,
                "the home of the action's user, which relative paths start from",
                "below `/user/${wf:user()}` now",
                None,
            );
            let value = self.rewritten(&attribute.value);
            let value = escape_attribute(value.as_deref().unwrap_or(path)).into_owned();
            let local = attribute.name.local;
            values.push((local, format!("/user/${{wf:user()}}/{value}")));
        }
        let tag = Tag {
            values: &values,
            ..Tag::default()
        };
        let mut text = self.start_tag(command, tag);
        if command.end_tag_span().is_some() {
            text.push_str(&format!("</{}>", command.name.local));
        }
        text
    }

    /// The lists of files come after the body's other elements.
    fn streaming(&mut self, streaming: &Element<'_>) -> Vec<WrittenElement> {
        let (children, tail) = self.children(streaming);
        let mut inside = String::new();
        let mut files = Vec::new();
        for (gap, child) in children {
            let element = match child.name.local {
                "files" | "cacheFiles" => (7, "file"),
                "cacheArchives" => (8, "archive"),
                _ => {
                    inside.push_str(&self.deeper(gap, 1));
                    inside.push_str(&self.copied(&child, None, 1));
                    continue;
                }
            };
            inside.push_str(&self.deeper(without_last_blanks(gap), 1));
            for file in child.elements() {
                files.push(WrittenElement {
                    rank: element.0,
                    gap: String::new(),
                    text: self.copied(&file, Some(element.1), 0),
                });
            }
        }
        let tail = self.deeper(tail, 1);
        let mut pieces = vec![WrittenElement {
            rank: 3,
            gap: String::new(),
            text: format!("<streaming>{inside}{tail}</streaming>"),
        }];
        pieces.extend(files);
        pieces
    }

    fn parameters(&mut self, parameters: &Element<'_>) -> Vec<WrittenElement> {
        parameters
            .elements()
            .map(|param| WrittenElement {
                rank: 7,
                gap: String::new(),
                text: self.copied(&param, None, 0),
            })
            .collect()
    }

    /// Reports notification properties, which do not exist any more for a child.
    fn notifications_of_child(&mut self, configuration: &Element<'_>) {
        for property in configuration.elements_named("property") {
            if let Some(name) = property.element("name")
                && let Some(known) = notifications::find(name.trimmed_text().as_str())
            {
                self.cx.lose(known.loss_of_child(name.content_span()));
            }
        }
    }

    /// Removes the properties that Oozie has elements for, and those that it rejects.
    fn configuration(
        &mut self,
        node: &Element<'_>,
        configuration: &Element<'_>,
    ) -> Vec<WrittenElement> {
        let (children, tail) = self.children(configuration);
        let mut inside = String::new();
        let mut pieces = Vec::new();
        let mut has_properties = false;
        for (gap, property) in children {
            let name = property.element("name");
            let name = name.map(|name| name.trimmed_text().as_str().to_owned());
            let value = property.element("value");
            let value = value.map_or_else(String::new, |value| self.content(&value));
            let element = match name.as_deref() {
                Some("mapred.job.tracker") => Some((0, "job-tracker")),
                Some("fs.default.name") => Some((1, "name-node")),
                Some("user.name") => {
                    self.lose(
                        property.name_span,
                        "the user of a Hadoop job",
                        "left out: Oozie refuses the property `user.name`",
                        None,
                    );
                    None
                }
                _ => {
                    has_properties = true;
                    inside.push_str(&self.deeper(gap, 1));
                    inside.push_str(&self.copied(&property, None, 1));
                    continue;
                }
            };
            inside.push_str(&self.deeper(without_last_blanks(gap), 1));
            if let Some((rank, element)) = element {
                // If there are several, the last one is used.
                pieces.retain(|piece: &WrittenElement| piece.rank != rank);
                pieces.push(WrittenElement {
                    rank,
                    gap: self.line(node, 2),
                    text: format!("<{element}>{}</{element}>", value.trim()),
                });
            }
        }
        if has_properties {
            let tail = self.deeper(tail, 1);
            pieces.push(WrittenElement {
                rank: 5,
                gap: String::new(),
                text: format!("<configuration>{inside}{tail}</configuration>"),
            });
        } else if !inside.is_empty() {
            pieces.push(WrittenElement {
                rank: 5,
                gap: inside,
                text: String::new(),
            });
        }
        pieces
    }

    fn http(&mut self, node: &Element<'_>) -> String {
        let mut text = |name: &str| {
            let element = node.element(name)?;
            Some(self.content(&element).trim().to_owned())
        };
        let (url, payload, mode) = (text("url"), text("post"), text("mode"));
        let post = node.element("post");
        let content_type = post.and_then(|post| post.attribute("content-type"));
        let request = http::HttpRequest {
            url: url.unwrap_or_default(),
            content_type: content_type
                .map(|attribute| escape_attribute(attribute.value.as_str()).into_owned()),
            payload,
            captures_output: node.element("capture-output").is_some(),
            waits: mode.as_deref() == Some("WAIT"),
        };
        let indentation = format!("{}{}", self.cx.indentation(node), self.step);
        http::shell_at(self.cx, node, &request, &indentation)
    }
}
