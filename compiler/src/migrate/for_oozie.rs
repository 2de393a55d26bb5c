//! A workflow as Oozie itself runs it: a `rust` action, which Oozie has not, becomes a `shell` action that runs the program.

use crate::{
    diagnostics::Sink,
    migrate::{MigrateCtx, migration_losses::Loss, newest::newest},
    syntax::xml::{Element, XmlDocument},
};

/// The number of `rust` actions in a document.
pub(crate) fn n_rust_actions(document: &XmlDocument<'_>) -> usize {
    rust_actions(document).count()
}

/// The bodies of the `rust` actions.
fn rust_actions<'d>(document: &'d XmlDocument<'d>) -> impl Iterator<Item = Element<'d>> {
    rust_actions_of(&document.root())
}

fn rust_actions_of<'d>(root: &Element<'d>) -> impl Iterator<Item = Element<'d>> + use<'d> {
    root.elements()
        .filter(|element| element.name.local == "action")
        .filter_map(|action| action.element("rust"))
}

/// Reports the actions of own types, those of extensions and of the program: Oozie has none, and a call of the program does the work of some
/// of them alone.
pub(crate) fn report_own_types(document: &XmlDocument<'_>, sink: &mut Sink) {
    for body in rust_actions(document) {
        let function = body.element("function");
        let name = function.map(|it| it.trimmed_text().as_str().to_owned());
        let Some(name) = name.filter(|name| is_type(name)) else {
            continue;
        };
        sink.emit(Loss {
            place: body.name_span,
            what: "an action of a `Remote` type",
            instead: format!(
                "this becomes a `shell` action that calls `{name}`; the call fails if the type implements `Remote`"
            ),
            help: Some(
                "for Oozie, let the type implement `Run`, or use an `#[action]` that waits for the work"
                    .to_owned(),
            ),
        });
    }
    let actions = document.root().elements();
    let actions = actions.filter(|element| element.name.local == "action");
    for body in actions.flat_map(|action| action.elements().collect::<Vec<_>>()) {
        let namespace = body.name.namespace().unwrap_or_default();
        if namespace.is_empty() || KNOWN.iter().any(|known| namespace.starts_with(known)) {
            continue;
        }
        sink.emit(Loss {
            place: body.name_span,
            what: "an action of a type that an extension has",
            instead: format!(
                "Oozie has no `{}`: the action is left as it is",
                body.name.local
            ),
            help: Some("write a `shell` action that runs a program with the same work".to_owned()),
        });
    }
}

/// What the namespaces of Oozie and hpdlc begin with.
const KNOWN: [&str; 2] = ["uri:oozie:", "uri:hpdl:"];

/// Whether a name of Rust is that of a type.
fn is_type(name: &str) -> bool {
    let last = name.rsplit("::").next().unwrap_or(name);
    last.starts_with(char::is_uppercase)
}

/// The `shell` element that runs `program`, an executable beside the document, in place of a `rust` action. `root` is that of
/// the document.
pub(super) fn shell(
    cx: &mut MigrateCtx<'_>,
    root: &Element<'_>,
    body: &Element<'_>,
    program: &str,
) -> String {
    let global = root.element("global");
    let has = |name: &str| global.is_some_and(|global| global.element(name).is_some());
    if !(has("resource-manager") || has("job-tracker")) || !has("name-node") {
        cx.lose(Loss {
            place: body.name_span,
            what: "an action without a cluster",
            instead: "Oozie runs this on a cluster".to_owned(),
            help: Some(
                "give the workflow `name_node` and `resource_manager`, in XML its `global` `name-node` and `resource-manager`"
                    .to_owned(),
            ),
        });
    }
    // One message for the document.
    let first = rust_actions_of(root).next();
    if first.is_some_and(|first| first.name_span == body.name_span)
        && let Some(name_node) = global.and_then(|global| global.element("name-node"))
        && cx.raw(name_node.content_span()).trim().starts_with("file:")
    {
        cx.lose(Loss {
            place: name_node.name_span,
            what: "a name node of this machine",
            instead: "Oozie's `fs` actions refuse paths below `file:///`, and its actions run on other machines".to_owned(),
            help: Some("give the workflow that of the cluster, such as `hdfs://host:8020`".to_owned()),
        });
    }
    let namespace = newest("uri:oozie:shell-action:").unwrap_or_default();
    let line = format!("{}{}", cx.line_end, cx.indentation(body));
    let mut shell = format!("<shell xmlns=\"{namespace}\">");
    let mut child = |text: &str| {
        shell.push_str(&line);
        shell.push_str("    ");
        shell.push_str(text);
    };
    let raw = |element: &Element<'_>| cx.raw(element.content_span()).to_owned();
    if let Some(configuration) = body.element("configuration") {
        child(cx.raw(configuration.span()));
    }
    child(&format!("<exec>{program}</exec>"));
    child("<argument>action</argument>");
    if let Some(function) = body.element("function") {
        child(&format!("<argument>{}</argument>", raw(&function).trim()));
    }
    for argument in body
        .elements()
        .filter(|child| child.name.local == "argument")
    {
        child(&format!("<argument>{}</argument>", raw(&argument)));
    }
    child(&format!("<file>{program}</file>"));
    child("<capture-output/>");
    shell.push_str(&line);
    shell.push_str("</shell>");
    shell
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{migrate::migrated, source::SourceMap, syntax::xml};

    /// The text for Oozie, and the headlines of what is lost.
    #[track_caller]
    fn converted(text: &str) -> (String, Vec<String>) {
        let mut sources = SourceMap::default();
        let file = sources.add("workflow.xml".to_owned(), text.to_owned());
        let mut sink = Sink::default();
        let document = xml::parse(file, text, &mut sink).expect("it is XML");
        let new = migrated(&document, text, Some("daily"), &mut sink);
        assert!(n_rust_actions(&document) > 0);
        let lost = sink.into_sorted().into_iter().map(|it| it.message);
        (new, lost.collect())
    }

    const ACTION: &str = "    <action name=\"count\">
        <rust xmlns=\"uri:hpdl:rust-action:0.1\">
            <function>count</function>
            <argument>${a} &amp; b</argument>
            <argument/>
        </rust>
        <ok to=\"end\"/><error to=\"end\"/>
    </action>
";

    #[test]
    fn a_function_is_called_by_running_the_program() {
        let cluster =
            "<global><resource-manager>rm</resource-manager><name-node>nn</name-node></global>";
        let (text, lost) = converted(&format!("<workflow-app>{cluster}\n{ACTION}</workflow-app>"));
        let expected = "    <action name=\"count\">
        <shell xmlns=\"uri:oozie:shell-action:1.0\">
            <exec>daily</exec>
            <argument>action</argument>
            <argument>count</argument>
            <argument>${a} &amp; b</argument>
            <argument></argument>
            <file>daily</file>
            <capture-output/>
        </shell>
        <ok to=\"end\"/><error to=\"end\"/>
    </action>
";
        assert_eq!(
            text,
            format!("<workflow-app>{cluster}\n{expected}</workflow-app>")
        );
        assert_eq!(lost, [] as [&str; 0]);
    }

    #[test]
    fn oozie_needs_a_cluster() {
        let (_, lost) = converted(&format!("<workflow-app>{ACTION}</workflow-app>"));
        assert_eq!(lost, ["an action without a cluster cannot be kept"]);
        // However many actions there are.
        let local = "<global><resource-manager>rm</resource-manager><name-node> file:///</name-node></global>";
        let (_, lost) = converted(&format!(
            "<workflow-app>{local}{ACTION}{ACTION}</workflow-app>"
        ));
        assert_eq!(lost, ["a name node of this machine cannot be kept"]);
    }

    #[track_caller]
    fn own_types(body: &str, expected: &[&str]) {
        let text = format!(
            "<workflow-app><action name=\"a\">{body}<ok to=\"end\"/><error to=\"end\"/></action></workflow-app>"
        );
        let mut sources = SourceMap::default();
        let file = sources.add("workflow.xml".to_owned(), text.clone());
        let mut sink = Sink::default();
        let document = xml::parse(file, &text, &mut sink).expect("it is XML");
        report_own_types(&document, &mut sink);
        let found = sink.into_sorted().into_iter().map(|it| it.message);
        assert_eq!(found.collect::<Vec<_>>(), expected, "{body}");
    }

    #[test]
    fn actions_of_own_types_are_reported() {
        own_types(
            "<s3-copy xmlns=\"uri:acme:s3-copy:1.0\"><source>a</source></s3-copy>",
            &["an action of a type that an extension has cannot be kept"],
        );
        own_types(
            "<rust xmlns=\"uri:hpdl:rust-action:0.1\"><function>acme::WarehouseQuery</function></rust>",
            &["an action of a `Remote` type cannot be kept"],
        );
        own_types(
            "<rust xmlns=\"uri:hpdl:rust-action:0.1\"><function>acme::count</function></rust>",
            &[],
        );
        own_types(
            "<shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>x</exec></shell>",
            &[],
        );
    }
}
