use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::{
        check::{Scope, unknown_element::listed},
        schema::{ChildGroup, ContentModel, ElementShape, Member, Versions},
    },
    source::{Span, Spanned},
};

code!("H0207", missing_element, ["E0701"]);

/// An element lacks a required child.
pub(crate) struct MissingElement<'n> {
    pub(crate) parent: Spanned<String>,
    /// The parent's, which its children need too.
    pub(crate) prefix: Option<&'n str>,
    pub(crate) wanted: &'static ChildGroup,
    pub(crate) scope: Scope<'n>,
    pub(crate) n_found: usize,
    /// Where the child is allowed; `None` in an element without end tag.
    pub(crate) insertion: Option<Span>,
}

message!(
    MissingElement<'_>,
    |parent, prefix, wanted, scope, n_found, insertion| {
        let members: Vec<&Member> = wanted
            .first_members()
            .into_iter()
            .filter(|member| member.is_allowed(scope.version))
            .collect();
        let names: Vec<&str> = members.iter().filter_map(|member| member.name()).collect();
        let message = match names.as_slice() {
            _ if wanted.is_action_body() => {
                format!("missing action body in the `{}` element", parent.value)
            }
            [name] if wanted.least > 1 => format!(
                "the `{}` element needs at least {} `{name}` elements, and has {n_found}",
                parent.value, wanted.least
            ),
            [name] => format!("missing `{name}` element in the `{}` element", parent.value),
            names => format!(
                "missing one of {} in the `{}` element",
                listed(names),
                parent.value
            ),
        };
        let diagnostic =
            Diagnostic::new(&CODE, parent.span, message).label(parent.span, "incomplete");
        let diagnostic = if wanted.required == Versions::ALL {
            diagnostic
        } else {
            let required = wanted.required.describe(scope.prefix);
            diagnostic.note(format!("it has to be there {required}"))
        };
        if wanted.is_action_body() {
            return diagnostic
                .help_xml("the body is an element such as `fs` or `shell`, and comes before `ok`");
        }
        match (insertion, members.as_slice()) {
            (Some(insertion), [member, ..]) => diagnostic.suggest(
                insertion,
                "it can be inserted here",
                skeleton(prefix, member.name().unwrap_or_default(), member.shape),
                Applicability::HasPlaceholders,
            ),
            _ => diagnostic,
        }
    }
);

/// The element with its required attributes and children, with placeholders for values.
fn skeleton(prefix: Option<&str>, name: &str, shape: &ElementShape) -> String {
    let name = &match prefix {
        Some(prefix) => format!("{prefix}:{name}"),
        None => name.to_owned(),
    };
    let attributes: String = shape
        .attributes
        .iter()
        .filter(|rule| rule.is_required)
        .map(|rule| format!(" {}=\"…\"", rule.name))
        .collect();
    match shape.content {
        ContentModel::Text(_) => format!("<{name}{attributes}>…</{name}>"),
        ContentModel::Elements([]) => format!("<{name}{attributes}/>"),
        ContentModel::Elements(groups) => {
            let children: String = groups
                .iter()
                .filter(|group| group.required == Versions::ALL)
                .filter_map(|group| group.first_members().into_iter().next())
                .filter_map(|member| Some(skeleton(prefix, member.name()?, member.shape)))
                .collect();
            format!("<{name}{attributes}>{children}</{name}>")
        }
    }
}
