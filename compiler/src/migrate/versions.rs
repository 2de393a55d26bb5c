//! From an older schema to the newest of the same language: namespaces, and the few elements that newer schemas do not have.

use crate::{
    migrate::{
        MigrateCtx, edits::TextEdits, for_oozie, http, migration_losses::Loss, newest::newest,
    },
    syntax::xml::{Attribute, Element},
};

const WORKFLOW: &str = "uri:oozie:workflow:";

/// The document with its root in the newest namespace. With a `program`, `rust` actions run that.
pub(super) fn document(
    cx: &mut MigrateCtx<'_>,
    root: &Element<'_>,
    program: Option<&str>,
) -> String {
    let mut edits = TextEdits::default();
    // Each element with the name of its parent.
    let mut waiting = vec![(*root, "")];
    while let Some((element, parent)) = waiting.pop() {
        for declaration in element.declarations() {
            if let Some(newest) = newest(declaration.value.as_str()) {
                edits.replace(declaration.value_span.range(), newest);
            }
        }
        let local = element.name.local;
        let is_core = element
            .name
            .namespace()
            .is_some_and(|namespace| namespace.starts_with(WORKFLOW));
        if let (Some(program), "action", "rust") = (program, parent, local) {
            let shell = for_oozie::shell(cx, root, &element, program);
            edits.replace(element.span().range(), shell);
            continue;
        }
        match (is_core, parent, local) {
            (true, "action", "ssh") => move_to(&element, "uri:oozie:ssh-action:", &mut edits),
            (true, "action", "email") => email(&element, &mut edits),
            (true, "action", "http") => {
                let shell = http_as_shell(cx, &element);
                edits.replace(element.span().range(), shell);
                // Its content is replaced.
                continue;
            }
            (true, "fs", "delete") => skip_trash(cx, &element, &mut edits),
            (true, "fs", "setrep") => setrep(cx, &element, &mut edits),
            _ => {}
        }
        waiting.extend(element.elements().map(|child| (child, local)));
    }
    edits.applied(cx.text, 0..cx.text.len())
}

/// Moves a body in the workflow's own namespace, with its content, to the namespace of its type.
fn move_to(body: &Element<'_>, prefix: &str, edits: &mut TextEdits) {
    let Some(namespace) = newest(prefix) else {
        return;
    };
    let is_prefixed = body.name.prefix().is_some();
    edits.insert(
        body.attribute_insertion().range().start,
        format!(" xmlns=\"{namespace}\""),
    );
    if !is_prefixed {
        return;
    }
    let mut waiting = vec![*body];
    while let Some(element) = waiting.pop() {
        rename(&element, element.name.local, edits);
        waiting.extend(element.elements());
    }
}

/// Renames an element.
fn rename(element: &Element<'_>, name: &str, edits: &mut TextEdits) {
    edits.replace(element.name_span.range(), name);
    if let Some(tag) = element.end_tag_span() {
        edits.replace(tag.range(), format!("</{name}>"));
    }
}

/// `message` was renamed to `body`, and is required.
fn email(body: &Element<'_>, edits: &mut TextEdits) {
    let message = body.element("message");
    // `message` gets its new name here, and is excluded below, so that no tag is edited twice.
    let is_prefixed = body.name.prefix().is_some();
    if let Some(message) = &message {
        rename(message, "body", edits);
    } else if let Some(subject) = body.element("subject") {
        edits.insert(subject.span().range().end, "<body></body>");
    }
    if is_prefixed {
        let others = body
            .elements()
            .filter(|child| child.name.local != "message");
        for element in others.chain([*body]) {
            rename(&element, element.name.local, edits);
        }
    }
    if let Some(namespace) = newest("uri:oozie:email-action:") {
        edits.insert(
            body.attribute_insertion().range().start,
            format!(" xmlns=\"{namespace}\""),
        );
    }
}

/// The attribute with the blanks before it.
fn with_blanks(cx: &MigrateCtx<'_>, attribute: &Attribute<'_>) -> std::ops::Range<usize> {
    let start = attribute.name_span.range().start;
    let blanks = cx.text[..start]
        .bytes()
        .rev()
        .take_while(u8::is_ascii_whitespace)
        .count();
    // The closing quote is the byte after the value.
    start - blanks..attribute.value_span.range().end + 1
}

/// The schema 1.0 has no `skip-trash`. Without it, Oozie behaves as with `true`.
fn skip_trash(cx: &mut MigrateCtx<'_>, delete: &Element<'_>, edits: &mut TextEdits) {
    let Some(attribute) = delete.attribute("skip-trash") else {
        return;
    };
    edits.replace(with_blanks(cx, &attribute), "");
    if attribute.value.as_str().trim() != "true" {
        cx.lose(Loss {
            place: attribute.name_span,
            what: "`skip-trash`",
            instead: "deletes without the trash now".to_owned(),
            help: Some(
                "the schema 1.0 has no such attribute; Oozie reads it all the same".to_owned(),
            ),
        });
    }
}

fn setrep(cx: &mut MigrateCtx<'_>, setrep: &Element<'_>, edits: &mut TextEdits) {
    let range = setrep.span().range();
    let blanks = cx.text[..range.start]
        .bytes()
        .rev()
        .take_while(u8::is_ascii_whitespace)
        .count();
    edits.replace(range.start - blanks..range.end, "");
    cx.lose(Loss {
        place: setrep.name_span,
        what: "`setrep`",
        instead: "left out: the schema 1.0 has no such element".to_owned(),
        help: Some("`hdfs dfs -setrep` in a `shell` action does the same".to_owned()),
    });
}

/// The `http` of the schema 0.1, for which Oozie never had an executor.
fn http_as_shell(cx: &mut MigrateCtx<'_>, body: &Element<'_>) -> String {
    let text = |cx: &MigrateCtx<'_>, element: Option<Element<'_>>| {
        element.map_or_else(String::new, |element| {
            cx.raw(element.content_span()).trim().to_owned()
        })
    };
    let post = body.element("post");
    let request = http::HttpRequest {
        url: text(cx, body.element("http-url")),
        content_type: post
            .and_then(|post| post.attribute("content-type"))
            .map(|attribute| cx.raw(attribute.value_span).to_owned()),
        payload: post.map(|post| text(cx, Some(post))),
        captures_output: body.element("capture-output").is_some(),
        waits: body.element("wait").is_some(),
    };
    http::shell(cx, body, &request)
}
