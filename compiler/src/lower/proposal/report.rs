//! Diagnostics of a document of the dialect, with the codes that the same mistakes have elsewhere.

use crate::{
    diagnostics::{Applicability, Diagnostic, Sink, nearest},
    lower::{
        check::{
            expression_in_name::ExpressionInName, invalid_node_name, invalid_value, listed,
            missing_attribute::MissingAttribute, missing_element, repeated_element,
            unknown_element,
        },
        proposal::shape::{ProposalChild, ProposalContent},
        root::unknown_namespace,
    },
    source::Spanned,
    syntax::xml::{Attribute, Element},
};

/// The equivalents of elements that only Oozie's schemas have.
const EARLIER: &[(&str, &str)] = &[
    ("kill", "`fail` ends the job here, as FAILED"),
    (
        "action",
        "the element of an action is named by its type here, such as `hdfs`",
    ),
    ("map-reduce", "the action is called `hadoop` here"),
    (
        "java",
        "the dialect of 2009 has no such action; `hadoop` and `ssh` run programs",
    ),
    (
        "shell",
        "the dialect of 2009 has no such action; `ssh` runs commands",
    ),
    ("fs", "the action is called `hdfs` here"),
    ("path", "a fork lists `transition` elements with `to` here"),
    (
        "ok",
        "the way out of an action is `<transition name=\"OK\" to=\"...\"/>` here",
    ),
    (
        "error",
        "the way out of an action is `<transition name=\"ERROR\" to=\"...\"/>` here",
    ),
    (
        "switch",
        "a decision holds `eval`, `default` and `transition` elements here",
    ),
    (
        "case",
        "a decision holds `eval` and `transition` elements here",
    ),
    (
        "name-node",
        "`file-system` or the property `fs.default.name` names it here",
    ),
    (
        "job-tracker",
        "the property `mapred.job.tracker` names it here",
    ),
    ("app-path", "`hadoop-workflow` names the application here"),
    ("body", "the text of an email is called `message` here"),
    (
        "parameters",
        "`configuration.xml` has the defaults of properties here",
    ),
];

pub(super) fn namespace(root: &Element<'_>, sink: &mut Sink) {
    sink.emit(
        Diagnostic::new(
            &unknown_namespace::CODE,
            root.name_span,
            format!("`{}` is in a namespace", root.name.qualified()),
        )
        .label(root.name_span, "the dialect of 2009 has none")
        .help_xml(
            "take the namespace away; documents of Oozie's schemas start with `workflow-app`",
        ),
    );
}

/// Reports an element that is not allowed in its parent. Returns the name that was probably meant.
pub(super) fn unknown_element(
    element: &Element<'_>,
    parent: &Element<'_>,
    children: &'static [ProposalChild],
    sink: &mut Sink,
) -> Option<&'static str> {
    let (local, parent) = (element.name.local, parent.name.local);
    let names = || children.iter().map(|child| child.name);
    let similar = nearest(local, names()).and_then(|similar| names().find(|name| *name == similar));
    let diagnostic = Diagnostic::new(
        &unknown_element::CODE,
        element.name_span,
        format!(
            "unknown element `{}` in the `{parent}` element",
            element.name.qualified()
        ),
    )
    .label(
        element.name_span,
        "the dialect of 2009 has no such element here",
    );
    let earlier = EARLIER.iter().find(|(later, _)| *later == local);
    sink.emit(match (earlier, similar) {
        (Some((_, help)), _) => diagnostic.help(*help),
        (None, Some(similar)) => {
            let mut edits = vec![(element.name_span, similar.to_owned())];
            edits.extend(
                element
                    .end_tag_span()
                    .map(|tag| (tag, format!("</{similar}>"))),
            );
            diagnostic.suggest_edits(
                "there is an element with a similar name",
                edits,
                Applicability::MaybeIncorrect,
            )
        }
        (None, None) if children.is_empty() => {
            diagnostic.note(format!("the `{parent}` element holds no other elements"))
        }
        (None, None) => {
            let names: Vec<&str> = names().collect();
            diagnostic.note(format!("the `{parent}` element holds {}", listed(&names)))
        }
    });
    if earlier.is_some() { None } else { similar }
}

pub(super) fn missing_element(parent: &Element<'_>, child: &ProposalChild, sink: &mut Sink) {
    let name = child.name;
    let diagnostic = Diagnostic::new(
        &missing_element::CODE,
        parent.name_span,
        format!(
            "missing `{name}` element in the `{}` element",
            parent.name.local
        ),
    )
    .label(parent.name_span, "incomplete");
    sink.emit(match parent.end_tag_span() {
        Some(_) => diagnostic.suggest(
            parent.start_tag_span().at_end(),
            "it can be inserted here",
            skeleton(child),
            Applicability::HasPlaceholders,
        ),
        None => diagnostic,
    });
}

/// The element with its attributes and required contents, with placeholders for values.
fn skeleton(child: &ProposalChild) -> String {
    let name = child.name;
    let attributes: String = child
        .shape
        .attributes
        .iter()
        .map(|attribute| format!(" {}=\"…\"", attribute.name))
        .collect();
    match child.shape.content {
        ProposalContent::Text => format!("<{name}{attributes}>…</{name}>"),
        ProposalContent::Elements(children) => {
            let inside: String = children
                .iter()
                .filter(|child| child.least > 0)
                .map(skeleton)
                .collect();
            if inside.is_empty() {
                format!("<{name}{attributes}/>")
            } else {
                format!("<{name}{attributes}>{inside}</{name}>")
            }
        }
    }
}

pub(super) fn repeated_element(
    first: &Element<'_>,
    second: &Element<'_>,
    parent: &Element<'_>,
    sink: &mut Sink,
) {
    let local = second.name.local;
    sink.emit(
        Diagnostic::new(
            &repeated_element::CODE,
            second.name_span,
            format!(
                "repeated `{local}` element in the `{}` element",
                parent.name.local
            ),
        )
        .label(second.name_span, "may appear here only once")
        .label(first.name_span, "first written here")
        .suggest(
            second.span(),
            "one of them can go",
            "",
            Applicability::MaybeIncorrect,
        ),
    );
}

pub(super) fn missing_attribute(element: &Element<'_>, name: &'static str, sink: &mut Sink) {
    sink.emit(MissingAttribute {
        parent: Spanned::new(element.name.local.to_owned(), element.name_span),
        name,
        insertion: element.attribute_insertion(),
    });
}

pub(super) fn expression_in_name(attribute: &Attribute<'_>, sink: &mut Sink) {
    sink.emit(ExpressionInName {
        subject: format!("the `{}` attribute", attribute.name.local),
        text: attribute.value_span,
    });
}

pub(super) fn node_name(attribute: &Attribute<'_>, sink: &mut Sink) {
    let name = attribute.value.as_str();
    let message = if name.is_empty() {
        "empty node name".to_owned()
    } else {
        format!("invalid node name `{name}`")
    };
    sink.emit(
        Diagnostic::new(&invalid_node_name::CODE, attribute.value_span, message)
            .label(
                attribute.value_span,
                "a letter or `_`, then letters, digits, `_`, and `-`, at most 128 of them",
            )
            .note("the proposal gives no rule; this is Oozie's"),
    );
}

pub(super) fn repeated_transition(
    name: &str,
    first: &Element<'_>,
    second: &Element<'_>,
    node: &Element<'_>,
    sink: &mut Sink,
) {
    sink.emit(
        Diagnostic::new(
            &repeated_element::CODE,
            second.name_span,
            format!(
                "repeated transition `{name}` in the `{}` element",
                node.name.local
            ),
        )
        .label(second.name_span, "may appear here only once")
        .label(first.name_span, "first written here"),
    );
}

pub(super) fn unknown_outcome(name: &Attribute<'_>, sink: &mut Sink) {
    let text = name.value.as_str();
    let diagnostic = Diagnostic::new(
        &invalid_value::CODE,
        name.value_span,
        format!("the `name` attribute must be `OK` or `ERROR`, and is `{text}`"),
    )
    .label(name.value_span, "expected `OK` or `ERROR`");
    sink.emit(match nearest(text, ["OK", "ERROR"]) {
        Some(similar) => diagnostic.suggest(
            name.value_span,
            "actions end in one of two ways",
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.note("actions end in one of these two ways"),
    });
}

pub(super) fn missing_outcome(node: &Element<'_>, name: &str, sink: &mut Sink) {
    let local = node.name.local;
    let diagnostic = Diagnostic::new(
        &missing_element::CODE,
        node.name_span,
        format!("missing transition `{name}` in the `{local}` element"),
    )
    .label(node.name_span, format!("where does it go on `{name}`"));
    sink.emit(match node.end_tag_span() {
        Some(end_tag) => diagnostic.suggest(
            crate::source::Span::new(node.file(), end_tag.start, end_tag.start),
            "it can be inserted here",
            format!("<transition name=\"{name}\" to=\"…\"/>"),
            Applicability::HasPlaceholders,
        ),
        None => diagnostic,
    });
}

/// `user` is the `eval` or `default` that refers to it.
pub(super) fn undefined_transition<'n>(
    name: &Attribute<'_>,
    user: &Element<'_>,
    names: impl Iterator<Item = &'n str>,
    sink: &mut Sink,
) {
    let text = name.value.as_str();
    let diagnostic = Diagnostic::new(
        &missing_element::CODE,
        name.value_span,
        format!("missing transition `{text}` in the `decision` element"),
    )
    .label(
        name.value_span,
        format!(
            "the `{}` element takes it, and it leads nowhere",
            user.name.local
        ),
    );
    sink.emit(match nearest(text, names) {
        Some(similar) => diagnostic.suggest(
            name.value_span,
            "there is a transition with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic.help_xml(format!(
            "add `<transition name=\"{text}\" to=\"...\"/>` to the decision"
        )),
    });
}

pub(super) fn invalid_mode(mode: &Element<'_>, sink: &mut impl FnMut(Diagnostic)) {
    let text = mode.trimmed_text();
    let found = match text.as_str() {
        "" => "nothing".to_owned(),
        text => format!("`{text}`"),
    };
    sink(
        Diagnostic::new(
            &invalid_value::CODE,
            text.span(),
            format!("the `mode` element must be `CONTINUE` or `WAIT`, and is {found}"),
        )
        .label(text.span(), "expected `CONTINUE` or `WAIT`"),
    );
}
