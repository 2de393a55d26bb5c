use crate::{
    diagnostics::{Code, Diagnostic, IntoDiagnostic, Level},
    source::Span,
};

pub(super) static CODE: Code = Code {
    id: "H0607",
    name: "git_uri_without_scheme",
    level: Level::Error,
    oozie: &["JA018"],
    explanation: include_str!("git_uri_without_scheme.md"),
};

/// A URI of a `git` action that does not begin with a scheme.
pub(super) struct GitUriWithoutScheme {
    pub(super) element: &'static str,
    pub(super) uri: String,
    pub(super) place: Span,
}

impl IntoDiagnostic for GitUriWithoutScheme {
    fn into_diagnostic(self) -> Diagnostic {
        let GitUriWithoutScheme {
            element,
            uri,
            place,
        } = self;
        let diagnostic = Diagnostic::new(
            &CODE,
            place,
            format!("`{element}` without a scheme: `{uri}`"),
        )
        .label(place, "expected a URI such as `https://...`");
        match uri.split_once(':') {
            Some((host, path)) if element == "git-uri" && host.contains('@') => {
                diagnostic.help(format!("as a URI it is `ssh://{host}/{path}`"))
            }
            _ => diagnostic,
        }
    }
}
