//! Applications in the short form of a case: a node is a line.
//!
//! ```text
//! sh NAME [ATTRIBUTES] -> OK[/ERROR] [ELEMENTS] : LINE     a shell action that runs a line of `sh`
//! step NAME HOW -> OK                                      the script of the harness: `0`, `gated` or seconds
//! shell NAME [ATTRIBUTES] -> OK[/ERROR] : ELEMENTS         any other shell action
//! sub NAME [ATTRIBUTES] -> OK[/ERROR] [: ELEMENTS]         the sub-workflow in the folder `child`
//! do NAME [ATTRIBUTES] -> OK[/ERROR] : BODY                any other action
//! sla NAME ELEMENT=TEXT | ELEMENT=TEXT...                  the SLA of that action, or of the `job`
//! == PATH                                                  another file of the application follows
//! === NAME                                                 another application follows, whose program has this name
//! ```
//!
//! All other lines of a workflow are XML; those of an `.xml` file that are `NAME=VALUE` are properties.

use std::fmt::Write;

use crate::{
    coordinators::{DATASETS, coordinator},
    harness::{STEP, step, workflow},
};

/// The applications of a case, by the names of their programs; the first one is `job`.
pub fn applications(given: &str) -> Vec<(String, Vec<(String, String)>)> {
    let mut parts = given.split("\n=== ");
    let first = parts.next().unwrap_or_default();
    let others = parts.map(|part| {
        let (name, given) = part.split_once('\n').unwrap_or((part, ""));
        (name.to_owned(), files(given))
    });
    [("job".to_owned(), files(first))]
        .into_iter()
        .chain(others)
        .collect()
}

/// The files of an application, by their paths.
fn files(given: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut sections = vec![("workflow.xml", String::new())];
    for line in given.lines() {
        match line.strip_prefix("== ") {
            Some(path) => sections.push((path, String::new())),
            None => {
                let (_, text) = sections.last_mut().expect("there is a first one");
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    for (path, text) in sections {
        if text.is_empty() && path == "workflow.xml" {
            continue;
        }
        let folder = path.strip_suffix("workflow.xml");
        if let Some(folder) = folder.filter(|_| text.contains("step ")) {
            files.push((format!("{folder}step.sh"), STEP.to_owned()));
        }
        files.push((path.to_owned(), file(path, &text)));
    }
    files
}

fn file(path: &str, text: &str) -> String {
    if path.ends_with("workflow.xml")
        && !text.contains("workflow-app ")
        && !text.contains("<hadoop-workflow ")
    {
        return document(text);
    }
    if let Some(rest) = text.strip_prefix("coordinator ") {
        let mut parts = rest.trim_end().splitn(3, ' ');
        let mut part = || parts.next().unwrap_or_default();
        let (minutes, end) = (part().parse().expect("minutes"), part());
        let sections = part().replace("DATASETS", DATASETS);
        return coordinator(minutes, end, &sections);
    }
    if path.ends_with(".xml") && !text.starts_with('<') {
        return configuration(text);
    }
    text.to_owned()
}

fn configuration(text: &str) -> String {
    let mut properties = String::new();
    for (name, value) in text.lines().filter_map(|line| line.split_once('=')) {
        let _ = writeln!(
            properties,
            "<property><name>{name}</name><value>{value}</value></property>"
        );
    }
    format!("<configuration>\n{properties}</configuration>\n")
}

/// A workflow of nodes; sections that come before the start may stand in front of them.
fn document(text: &str) -> String {
    let (mut sections, mut nodes) = (String::new(), String::new());
    let mut slas = Vec::new();
    for line in text.lines() {
        match line.split_whitespace().next() {
            Some("sh" | "step" | "shell" | "sub" | "do") => nodes.push_str(&node(line)),
            Some("sla") => slas.push(line),
            _ if line.starts_with("<parameters") || line.starts_with("<global") => {
                sections.push_str(line);
                sections.push('\n');
            }
            _ => {
                nodes.push_str(line);
                nodes.push('\n');
            }
        }
    }
    let mut text = workflow(&nodes).replacen("<start", &format!("{sections}<start"), 1);
    for line in slas {
        insert_sla(&mut text, line);
    }
    text
}

fn insert_sla(text: &mut String, line: &str) {
    let mut parts = line.splitn(3, ' ').skip(1);
    let (name, elements) = (
        parts.next().unwrap_or_default(),
        parts.next().unwrap_or_default(),
    );
    let element = |(name, text): (&str, &str)| format!("<s:{name}>{text}</s:{name}>");
    let elements = elements
        .split(" | ")
        .filter_map(|part| part.split_once('='));
    let elements: String = elements.map(element).collect();
    let block = format!(
        "<s:info xmlns:s=\"uri:oozie:sla:0.2\"><s:nominal-time>${{nominal}}</s:nominal-time>{elements}</s:info>"
    );
    let (from, end) = match name {
        "job" => (0, "</workflow-app>"),
        _ => (
            text.find(&format!("name=\"{name}\"")).expect("a node"),
            "</action>",
        ),
    };
    let at = from + text[from..].find(end).expect("it ends");
    text.insert_str(at, &block);
}

fn node(line: &str) -> String {
    let (head, body) = line.split_once(" : ").unwrap_or((line, ""));
    let (head, way) = head
        .split_once(" -> ")
        .unwrap_or_else(|| panic!("no way in `{line}`"));
    let mut head = head.splitn(3, ' ');
    let mut part = || head.next().unwrap_or_default();
    let (kind, name, attributes) = (part(), part(), part());
    let (way, elements) = way.split_once(' ').unwrap_or((way, ""));
    let (ok, error) = way.split_once('/').unwrap_or((way, "failed"));
    let body = match kind {
        "step" => return step(name, attributes, ok),
        "sh" => {
            let line = body.replace('&', "&amp;").replace('<', "&lt;");
            format!(
                "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument><argument>{line}</argument>{elements}</shell>"
            )
        }
        "shell" => format!("<shell xmlns='uri:oozie:shell-action:1.0'>{body}</shell>"),
        "sub" => format!(
            "<sub-workflow><app-path>${{wf:appPath()}}/child</app-path>{body}</sub-workflow>"
        ),
        _ => body.to_owned(),
    };
    format!(
        "<action name=\"{name}\" {attributes}>{body}<ok to=\"{ok}\"/><error to=\"{error}\"/></action>\n"
    )
}
