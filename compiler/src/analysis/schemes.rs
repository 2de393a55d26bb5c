//! Paths on file systems that no executable supports, and operations that a path's file system does not support.
//!
//! Only certain cases: a scheme that is literal. One that comes from a property is detected when the job runs.

use hpdlc_core::{el::ast::Part, file_systems};

use crate::{
    analysis::templates,
    diagnostics::{Code, Sink},
    lints::unsupported_file_operations::{FileOperation, UnsupportedFileOperation},
    model::{ActionKind, NodeKind, Template, WorkflowApp, action::fs::FsOperationKind},
};

mod unsupported_scheme;

use self::unsupported_scheme::UnsupportedScheme;

pub static CODES: &[&Code] = &[&unsupported_scheme::CODE];

/// Reports paths of `fs` and `prepare` with an unsupported scheme, and operations that object stores do not support.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for node in &app.nodes {
        let NodeKind::Action(action) = &node.kind else {
            continue;
        };
        for path in templates::paths(&action.kind) {
            if let Some(scheme) = scheme(path)
                && !file_systems::is_known(scheme)
            {
                sink.emit(UnsupportedScheme {
                    scheme: scheme.to_owned(),
                    place: path.text.span_of(0..scheme.len()),
                });
            }
        }
        if let ActionKind::Fs(fs) = &action.kind {
            for operation in &fs.operations {
                check_operation(&operation.kind, sink);
            }
        }
    }
}

fn check_operation(operation: &FsOperationKind, sink: &mut Sink) {
    let (path, operation) = match operation {
        FsOperationKind::Chmod { path, .. } => (path, FileOperation::Chmod),
        FsOperationKind::Chgrp { path, .. } => (path, FileOperation::Chgrp),
        FsOperationKind::Setrep { path, .. } => (path, FileOperation::Setrep),
        FsOperationKind::Delete {
            path,
            skip_trash: Some(skip_trash),
        } if skip_trash.literal() == Some("false") => (path, FileOperation::Trash),
        FsOperationKind::Delete { .. }
        | FsOperationKind::Mkdir { .. }
        | FsOperationKind::Move { .. }
        | FsOperationKind::Touchz { .. } => return,
    };
    if let Some(scheme) = scheme(path)
        && file_systems::is_object_store(scheme)
    {
        sink.emit(UnsupportedFileOperation {
            scheme: scheme.to_owned(),
            operation,
            place: path.text.span_of(0..scheme.len()),
        });
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

/// The scheme that a text begins with, by the syntax of RFC 3986. A slash must follow, because a name may contain a colon.
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
            r#"<mkdir path="ftp://host/x"/><move source="hftp://b/x" target="/y"/>"#,
            expect![[r#"
                2:35: H0812 paths of scheme `ftp` are not supported
                2:64: H0812 paths of scheme `hftp` are not supported
            "#]],
        );
    }

    #[test]
    fn object_stores_have_less_than_file_systems() {
        check(
            r#"<chmod path="s3a://b/x" permissions="755"/><chgrp path="gs://b/x" group="g"/>
<delete path="s3a://b/x"/><chmod path="hdfs://nn/x" permissions="755"/>"#,
            expect![[r#"
                2:35: unsupported_file_operations files of scheme `s3a` have no permissions
                2:78: unsupported_file_operations files of scheme `gs` have no group
            "#]],
        );
    }

    #[test]
    fn known_schemes_and_unknown_ones_pass() {
        check(
            r#"<name-node>hdfs://nn</name-node><mkdir path="hdfs://nn/x"/><move source="s3a://b/x" target="s3a://b/y"/><mkdir path="/x"/><mkdir path="file:///x"/><mkdir path="FILE:/x"/><mkdir path="${root}/x"/><mkdir path="file:/a:/b"/>"#,
            expect![""],
        );
    }
}
