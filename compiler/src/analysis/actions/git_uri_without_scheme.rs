use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0607", git_uri_without_scheme, ["JA018"]);

/// A URI of a `git` action that does not begin with a scheme.
pub(super) struct GitUriWithoutScheme {
    pub(super) element: &'static str,
    pub(super) uri: String,
    pub(super) place: Span,
}

message!(GitUriWithoutScheme, |element, uri, place| {
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
});
