//! The text of workflows and their nodes.

/// A workflow that starts at the first of `nodes`, with the nodes `end` and `failed` added.
pub fn workflow(nodes: &str) -> String {
    let first = nodes
        .split("name=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    let first = first.expect("nodes have names");
    format!(
        r#"<workflow-app name="case" xmlns="uri:oozie:workflow:1.0">
<start to="{first}"/>
{nodes}
<kill name="failed"><message>[${{wf:lastErrorNode()}}] [${{wf:errorCode(wf:lastErrorNode())}}] [${{wf:errorMessage(wf:lastErrorNode())}}]</message></kill>
<end name="end"/>
</workflow-app>
"#
    )
}

/// A shell action that runs [`STEP`], or another script of the application, without files of its own: the launcher prepares it
/// before its intent is on disk.
pub fn bare(script: &str, name: &str, how: &str, next: &str) -> String {
    let body = format!(
        r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>sh</exec><argument>${{wf:appPath()}}/{script}</argument><argument>{name}</argument><argument>${{out}}</argument><argument>{how}</argument></shell>"#
    );
    action(name, &body, next)
}

/// A shell action that runs [`STEP`].
pub fn step(name: &str, how: &str, next: &str) -> String {
    action(
        name,
        &format!(
            r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>step.sh</exec><argument>{name}</argument><argument>${{out}}</argument><argument>{how}</argument><file>step.sh</file></shell>"#
        ),
        next,
    )
}

/// An action whose errors lead to `failed`.
pub fn action(name: &str, body: &str, next: &str) -> String {
    format!("<action name=\"{name}\">{body}<ok to=\"{next}\"/><error to=\"failed\"/></action>\n")
}
