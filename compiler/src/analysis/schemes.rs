//! Paths on file systems that the generated program cannot reach yet.
//!
//! Only what is certain: a scheme that stands in the text. One that comes from a property is found when the job runs.

use hpdlc_core::el::ast::Part;

use crate::{
    analysis::templates,
    diagnostics::{Code, Sink},
    model::{NodeKind, Template, WorkflowApp},
};

mod unsupported_scheme;

use self::unsupported_scheme::UnsupportedScheme;

pub static CODES: &[&Code] = &[&unsupported_scheme::CODE];

/// Reports paths of `fs` and `prepare` with another scheme than `file`.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for node in &app.nodes {
        let NodeKind::Action(action) = &node.kind else {
            continue;
        };
        for path in templates::paths(&action.kind) {
            if let Some(scheme) = scheme(path)
                && !scheme.eq_ignore_ascii_case("file")
            {
                sink.emit(UnsupportedScheme {
                    scheme: scheme.to_owned(),
                    place: path.text.span_of(0..scheme.len()),
                });
            }
        }
    }
}

/// The scheme that `path` begins with.
fn scheme(path: &Template) -> Option<&str> {
    if path.is_invalid {
        return None;
    }
    let Some(Part::Text(text, _)) = path.ast.parts.first() else {
        return None;
    };
    scheme_of(text)
}

/// The scheme that a text begins with, as RFC 3986 spells one. A slash must follow, for a name may hold a colon.
pub(super) fn scheme_of(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(":/")?;
    let mut bytes = scheme.bytes();
    let is_scheme = bytes
        .next()
        .is_some_and(|first| first.is_ascii_alphabetic())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_scheme.then_some(scheme)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(paths: &str, expect: Expect) {
        let nodes = format!(
            r#"<start to="a"/>
<action name="a"><fs>{paths}</fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#
        );
        expect.assert_eq(&crate::analysis::testing::short_diagnostics(&nodes));
    }

    #[test]
    fn schemes_of_other_file_systems_are_refused() {
        check(
            r#"<mkdir path="hdfs://host/x"/><move source="s3a://b/x" target="/y"/>"#,
            expect![[r#"
                2:35: H0812 paths of scheme `hdfs` are not supported yet
                2:65: H0812 paths of scheme `s3a` are not supported yet
            "#]],
        );
    }

    #[test]
    fn local_and_unknown_paths_pass() {
        check(
            r#"<mkdir path="/x"/><mkdir path="file:///x"/><mkdir path="FILE:/x"/><mkdir path="${root}/x"/><mkdir path="/a:/b"/>"#,
            expect![""],
        );
    }
}
