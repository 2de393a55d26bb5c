use crate::{
    diagnostics::{Applicability, Code, Diagnostic, IntoDiagnostic, Level, nearest},
    source::{Span, Spanned},
};

pub(crate) static CODE: Code = Code {
    id: "H0201",
    name: "unknown_root_element",
    level: Level::Error,
    oozie: &["E0701"],
    explanation: include_str!("unknown_root_element.md"),
};

/// The root element is none that Oozie has.
pub(crate) struct UnknownRootElement {
    pub(crate) name: Spanned<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) end_tag: Option<Span>,
    /// Its namespace is a workflow's.
    pub(crate) is_workflow: bool,
}

impl IntoDiagnostic for UnknownRootElement {
    fn into_diagnostic(self) -> Diagnostic {
        let UnknownRootElement {
            name,
            prefix,
            end_tag,
            is_workflow,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            name.span,
            format!("unknown root element `{}`", name.value),
        )
        .label(name.span, "expected `workflow-app`");
        if is_workflow || nearest(&name.value, ["workflow-app"]).is_some() {
            let qualified = match prefix {
                Some(prefix) => format!("{prefix}:workflow-app"),
                None => "workflow-app".to_owned(),
            };
            let mut edits = vec![(name.span, qualified.clone())];
            edits.extend(end_tag.map(|tag| (tag, format!("</{qualified}>"))));
            diagnostic.suggest_edits(
                "the root element of a workflow is `workflow-app`",
                edits,
                Applicability::MaybeIncorrect,
            )
        } else {
            diagnostic.note("the root element of a workflow is `workflow-app`")
        }
    }
}
