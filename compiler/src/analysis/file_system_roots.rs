//! Paths that begin with the address of a file system: without a `/` behind it, or with nothing behind it, where they are deleted.

use hpdlc_core::el::ast::Part;

use crate::{
    analysis::{forms::malformed_port, known_values::KnownValues, templates},
    diagnostics::Sink,
    lints::{joined_addresses::JoinedAddress, root_deletions::RootDeletion},
    model::{
        Action, Template, WorkflowApp,
        action::{PrepareOperation, fs::FsOperationKind},
    },
};

pub(crate) fn check(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    let of_all = app.global.as_ref().and_then(|it| it.name_node.as_ref());
    for (_, action) in app.actions() {
        let settings = action.kind.settings();
        let name_node = settings.and_then(|it| it.name_node.as_ref()).or(of_all);
        for path in templates::paths(&action.kind) {
            joined(path, name_node, known, sink);
        }
        for path in deleted(action) {
            root(path, name_node, known, sink);
        }
    }
}

/// What an action deletes, itself or in its `prepare`.
fn deleted(action: &Action) -> Vec<&Template> {
    let operations = action
        .kind
        .body()
        .map_or_else(Vec::new, |it| it.operations());
    let own = operations
        .into_iter()
        .filter_map(|operation| match operation {
            FsOperationKind::Delete { path, .. } => Some(path),
            _ => None,
        });
    let prepared = action.kind.prepare().into_iter().flatten();
    let prepared = prepared.filter_map(|operation| match operation {
        PrepareOperation::Delete(path) => Some(path),
        PrepareOperation::Mkdir(_) => None,
    });
    own.chain(prepared).collect()
}

/// What stands behind the address, if the path begins with the expression that is also the whole of `name-node`.
fn behind_address<'a>(
    path: &'a Template,
    name_node: Option<&Template>,
) -> Option<(&'a str, &'a str)> {
    let address = name_node?.text.as_str().trim();
    if path.is_invalid || !address.starts_with("${") || !address.ends_with('}') {
        return None;
    }
    let is_one = matches!(name_node?.ast.parts.as_slice(), [Part::Expr(_)]);
    let rest = path.text.as_str().strip_prefix(address)?;
    is_one.then(|| (&path.text.as_str()[..address.len()], rest))
}

fn joined(path: &Template, name_node: Option<&Template>, known: &KnownValues, sink: &mut Sink) {
    let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '*');
    let found = match behind_address(path, name_node) {
        Some((address, rest)) => {
            // An address may end with a slash itself, and a port may follow.
            let is_separate = name_node
                .and_then(|it| known.text(it))
                .is_some_and(|text| text.value.trim().ends_with('/'));
            (!is_separate && rest.starts_with(is_of_name)).then_some((address, rest))
        }
        None => behind_port(path, known),
    };
    if let Some((address, rest)) = found {
        let start = address.len();
        sink.emit(JoinedAddress {
            place: path.text.span_of(start..start + rest.len()),
            address: address.to_owned(),
            rest: rest.to_owned(),
        });
    }
}

/// The first expression of a path and what stands behind it, if that makes the port of a known address something else.
fn behind_port<'a>(path: &'a Template, known: &KnownValues) -> Option<(&'a str, &'a str)> {
    let [Part::Expr(expr), Part::Text(text, _), ..] = path.ast.parts.as_slice() else {
        return None;
    };
    if path.is_invalid || !text.starts_with(|c: char| c.is_alphanumeric() || c == '_') {
        return None;
    }
    let address = known.certain_value(expr)?;
    let is_joined =
        malformed_port(&address).is_none() && malformed_port(&format!("{address}{text}")).is_some();
    let source = path.text.as_str();
    let end = expr.range.end + source.get(expr.range.end..)?.find('}')? + 1;
    (is_joined && address.contains("://")).then(|| source.split_at(end))
}

fn root(path: &Template, name_node: Option<&Template>, known: &KnownValues, sink: &mut Sink) {
    let known_text = known.text(path);
    let rest = match &known_text {
        Some(text) => behind_authority(text.value.trim()),
        None => behind_address(path, name_node).map(|(_, rest)| rest),
    };
    let Some(rest) = rest else {
        return;
    };
    let mut names = rest.split('/').filter(|name| !matches!(*name, "" | "."));
    let (first, second) = (names.next(), names.next());
    let is_pattern = first.is_some_and(|name| matches!(name, "*" | "**")) && second.is_none();
    if first.is_none() || is_pattern {
        sink.emit(RootDeletion {
            place: path.span,
            is_pattern,
            origin: known_text.and_then(|text| text.origin()),
        });
    }
}

/// What stands behind the scheme and the host. An empty path is reported elsewhere.
fn behind_authority(path: &str) -> Option<&str> {
    let Some((scheme, rest)) = path.split_once(":/") else {
        return path.starts_with('/').then_some(path);
    };
    if scheme.is_empty() || scheme.contains('/') {
        return None;
    }
    let Some(rest) = rest.strip_prefix('/') else {
        return Some(rest);
    };
    Some(rest.find('/').map_or("", |at| &rest[at..]))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::behind_authority;

    #[track_caller]
    fn check(paths: &str, expect: Expect) {
        let nodes = format!(
            r#"<start to="a"/>
<action name="a"><fs><name-node>${{nameNode}}</name-node>{paths}</fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#
        );
        expect.assert_eq(&crate::analysis::testing::short_diagnostics(&nodes));
    }

    #[test]
    fn addresses_run_into_names() {
        check(
            r#"
<mkdir path="${nameNode}data/x"/>
<mkdir path="${nameNode}/data/x"/>
<mkdir path="${nameNode}${root}/x"/>
<mkdir path="${nameNode}:8020/x"/>
<mkdir path="${other}data/x"/>"#,
            expect![[r#"
                3:25: joined_addresses no `/` stands between `${nameNode}` and the path
            "#]],
        );
    }

    #[test]
    fn roots_are_not_deleted() {
        check(
            r#"
<delete path="${nameNode}/"/>
<delete path="${nameNode}"/>
<delete path="hdfs://nn/*"/>
<delete path="hdfs://nn:8020"/>
<delete path="/"/>
<delete path="hdfs://nn/data/*"/>
<delete path="${nameNode}/${x}"/>
<delete path="${nameNode}/data"/>
<mkdir path="hdfs://nn/"/>"#,
            expect![[r#"
                3:15: root_deletions this path is the root of the file system
                4:15: root_deletions this path is the root of the file system
                5:15: root_deletions this deletes everything on the file system
                6:15: root_deletions this path is the root of the file system
                7:15: root_deletions this path is the root of the file system
            "#]],
        );
    }

    #[test]
    fn paths_behind_their_hosts() {
        for (path, expected) in [
            ("hdfs://nn/a", Some("/a")),
            ("hdfs://nn", Some("")),
            ("file:/a", Some("a")),
            ("file:///a", Some("/a")),
            ("/a", Some("/a")),
            ("a", None),
            ("", None),
            ("/a:/b", None),
        ] {
            assert_eq!(behind_authority(path), expected, "{path}");
        }
    }
}
