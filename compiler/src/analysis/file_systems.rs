//! Which file systems an executable has to access, and so which of the two runtimes it is linked with.
//!
//! Decided by the literal text first, then by the values of properties as far as they are known: given, or by default. A
//! path that begins with an unknown property may be on any file system; an unknown cluster may be any cluster.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind, Literal, Part, Template as Tree},
        eval,
        scope::NoJob,
    },
    file_systems,
    limits::MAX_KNOWN_TEXT,
    substitute,
};

use crate::{
    analysis::{
        Facts, Included, JobProperties, PropertyUse, action_types, el_calls, schemes::scheme_of,
        templates,
    },
    model::{ActionKind, CoordinatorApp, Template, WorkflowApp},
};

/// The runtime that an executable is linked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FeatureSet {
    /// Only files of the local machine.
    Local,
    /// Also HDFS and object stores, and clients of Hadoop's services.
    Full,
}

impl FeatureSet {
    /// Part of the names of caches.
    pub fn name(self) -> &'static str {
        match self {
            FeatureSet::Local => "local",
            FeatureSet::Full => "full",
        }
    }
}

/// The beginning of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beginning {
    Local,
    Elsewhere(RemoteStore),
    /// No scheme: a path on the name-node, if there is one.
    Bare,
    /// A property whose value is unknown.
    Unknown,
}

/// A remote file store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RemoteStore {
    Hadoop,
    Objects,
    Tables,
}

impl RemoteStore {
    fn of_scheme(scheme: &str) -> RemoteStore {
        if file_systems::is_object_store(scheme) {
            RemoteStore::Objects
        } else if scheme.eq_ignore_ascii_case("hcat") {
            RemoteStore::Tables
        } else {
            RemoteStore::Hadoop
        }
    }
}

/// The runtime that `app` needs when its job is given `given`.
pub fn feature_set(app: &WorkflowApp, facts: &Facts, given: &JobProperties) -> FeatureSet {
    let known = ResolvedProperties::new(&facts.properties, given);
    let is_elsewhere = app
        .actions()
        .any(|(_, action)| known.needs_remote_files(&action.kind))
        || templates::collect(app).iter().any(|text| {
            let mut found = false;
            for expr in text.template.ast.expressions() {
                el_calls::calls(expr, &mut |call| {
                    let path = call.args.first();
                    found |= call.prefix == Some("hcat");
                    found |= matches!(call.prefix, Some("fs" | "hdfs"))
                        && path.is_some_and(|path| known.of_expr(path).may_be_elsewhere());
                });
            }
            found
        });
    if is_elsewhere {
        FeatureSet::Full
    } else {
        FeatureSet::Local
    }
}

/// The runtime that a coordinator needs to access its data.
pub fn feature_set_of_coordinator(
    app: &CoordinatorApp,
    properties: &[PropertyUse],
    included: &Included,
    given: &JobProperties,
) -> FeatureSet {
    let known = ResolvedProperties::new(properties, given);
    let datasets = included.files.iter().flat_map(|file| &file.datasets);
    let mut paths = app
        .datasets
        .iter()
        .chain(datasets)
        .map(|dataset| &dataset.uri_template)
        .chain(&app.includes);
    if paths.any(|path| known.of_template(path).may_be_elsewhere()) {
        FeatureSet::Full
    } else {
        FeatureSet::Local
    }
}

impl Beginning {
    fn may_be_elsewhere(self) -> bool {
        match self {
            Beginning::Elsewhere(_) | Beginning::Unknown => true,
            Beginning::Local | Beginning::Bare => false,
        }
    }
}

/// The properties whose values are known, with references substituted as far as possible.
pub(super) struct ResolvedProperties {
    scope: NoJob,
}

/// The beginning of a text, as far as it is known.
struct Lead {
    text: String,
    end: PathEnd,
}

enum PathEnd {
    /// It is the whole text.
    Whole,
    /// What follows comes from a property whose value is unknown.
    Property,
    /// What follows comes from the job, whose paths are local.
    Job,
}

impl ResolvedProperties {
    pub(super) fn new(properties: &[PropertyUse], given: &JobProperties) -> ResolvedProperties {
        let mut values: BTreeMap<String, String> = properties
            .iter()
            .filter_map(|property| Some((property.name.clone(), property.default()?.to_owned())))
            .collect();
        for (name, property) in &given.properties {
            values.insert(name.clone(), property.value.clone());
        }
        // Endless references have been reported.
        let _ = substitute::resolve_in_place(&mut values);
        // A value with an unresolved reference is unknown.
        values.retain(|_, value| value.len() <= MAX_KNOWN_TEXT && !value.contains("${"));
        ResolvedProperties {
            scope: NoJob::new(&values, DateTime::<Utc>::UNIX_EPOCH),
        }
    }

    fn needs_remote_files(&self, kind: &ActionKind) -> bool {
        let has_cluster = self.has_cluster(kind);
        if action_types::of(kind).is_some_and(|it| it.needs_remote_files(has_cluster)) {
            return true;
        }
        let is_elsewhere = |path: &&Template| self.of_path(kind, path).may_be_elsewhere();
        let settings = kind.settings();
        let job_xml = settings.map_or(&[][..], |settings| &settings.job_xml);
        templates::paths(kind).iter().any(is_elsewhere)
            || job_xml
                .iter()
                .any(|path| self.of_template(path).may_be_elsewhere())
    }

    /// The beginning of a path of an action, which may be a path on its name-node.
    pub(super) fn of_path(&self, kind: &ActionKind, path: &Template) -> Beginning {
        let name_node = kind
            .settings()
            .and_then(|settings| settings.name_node.as_ref())
            .map(|name_node| self.of_template(name_node));
        match (self.of_template(path), name_node) {
            (Beginning::Bare, Some(name_node)) => name_node,
            // A literal local name-node implies that unknown properties are local paths too; an executable that finds
            // another scheme in one reports what to do.
            (Beginning::Unknown, Some(Beginning::Local)) => Beginning::Local,
            (beginning, _) => beginning,
        }
    }

    /// Whether the action specifies a resource manager on another machine.
    pub(super) fn has_cluster(&self, kind: &ActionKind) -> bool {
        let settings = kind.settings();
        let Some(manager) = settings.and_then(|settings| settings.resource_manager.as_ref()) else {
            return false;
        };
        let lead = self.lead_of_template(&manager.ast);
        match lead.end {
            _ if manager.is_invalid => false,
            PathEnd::Whole => !["", "local"].contains(&lead.text.trim()),
            PathEnd::Property | PathEnd::Job => true,
        }
    }

    pub(super) fn of_template(&self, template: &Template) -> Beginning {
        if template.is_invalid {
            return Beginning::Bare;
        }
        beginning(&self.lead_of_template(&template.ast))
    }

    pub(super) fn of_expr(&self, expr: &Expr) -> Beginning {
        beginning(&self.lead(expr))
    }

    fn lead_of_template(&self, template: &Tree) -> Lead {
        let mut text = String::new();
        for part in &template.parts {
            match part {
                Part::Text(more, _) => text.push_str(more),
                Part::Expr(expr) => {
                    let lead = self.lead(expr);
                    text.push_str(&lead.text);
                    match lead.end {
                        PathEnd::Whole => {}
                        end @ (PathEnd::Property | PathEnd::Job) => return Lead { text, end },
                    }
                }
            }
        }
        Lead {
            text,
            end: PathEnd::Whole,
        }
    }

    fn lead(&self, expr: &Expr) -> Lead {
        if let Ok(value) = eval::evaluate_expr(expr, &self.scope) {
            return Lead {
                text: value.into_text(),
                end: PathEnd::Whole,
            };
        }
        let nothing = |end| Lead {
            text: String::new(),
            end,
        };
        if let ExprKind::Call {
            prefix, name, args, ..
        } = &expr.kind
        {
            match (prefix.as_deref(), name.as_str(), args.as_slice()) {
                (None, "concat", [first, ..]) => {
                    let lead = self.lead(first);
                    return match lead.end {
                        PathEnd::Whole => Lead {
                            end: PathEnd::Property,
                            ..lead
                        },
                        PathEnd::Property | PathEnd::Job => lead,
                    };
                }
                (Some("wf"), "conf", [name]) => {
                    let value = match &name.kind {
                        ExprKind::Literal(Literal::Text(name)) => self.scope.variables.get(name),
                        _ => None,
                    };
                    return value.map_or_else(
                        || nothing(PathEnd::Property),
                        |value| Lead {
                            text: value.clone(),
                            end: PathEnd::Whole,
                        },
                    );
                }
                _ => {}
            }
        }
        nothing(if mentions_property(expr) {
            PathEnd::Property
        } else {
            PathEnd::Job
        })
    }
}

fn mentions_property(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Variable(_) => true,
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            ..
        } if prefix == "wf" && name == "conf" => true,
        _ => expr.children().into_iter().any(mentions_property),
    }
}

fn beginning(lead: &Lead) -> Beginning {
    match (scheme_of(lead.text.trim_start()), &lead.end) {
        (Some(scheme), _) if scheme.eq_ignore_ascii_case("file") => Beginning::Local,
        (Some(scheme), _) => Beginning::Elsewhere(RemoteStore::of_scheme(scheme)),
        (None, PathEnd::Property) if lead.text.trim_start().is_empty() => Beginning::Unknown,
        (None, PathEnd::Job) if lead.text.trim_start().is_empty() => Beginning::Local,
        (None, PathEnd::Whole | PathEnd::Property | PathEnd::Job) => Beginning::Bare,
    }
}

#[cfg(test)]
mod tests {
    use super::FeatureSet;
    use crate::analysis::testing;

    #[track_caller]
    fn check(nodes: &str, given: &[(&str, &str)], expected: FeatureSet) {
        let found = testing::feature_set(nodes, given);
        assert_eq!(found, expected, "{nodes}");
    }

    fn fs(body: &str) -> String {
        format!(
            r#"<start to="a"/><action name="a"><fs>{body}</fs><ok to="end"/><error to="end"/></action><end name="end"/>"#
        )
    }

    #[test]
    fn schemes_that_stand_in_the_text_decide() {
        for (body, expected) in [
            (r#"<mkdir path="file:///x"/>"#, FeatureSet::Local),
            (r#"<mkdir path="/x"/>"#, FeatureSet::Local),
            (r#"<mkdir path="hdfs://nn/x"/>"#, FeatureSet::Full),
            (
                r#"<name-node>hdfs://nn</name-node><mkdir path="/x"/>"#,
                FeatureSet::Full,
            ),
            (
                r#"<name-node>file:///</name-node><mkdir path="${root}/x"/>"#,
                FeatureSet::Local,
            ),
            (
                r#"<name-node>hdfs://nn</name-node><mkdir path="file:/x"/>"#,
                FeatureSet::Local,
            ),
            (r#"<mkdir path="file://${out}/x"/>"#, FeatureSet::Local),
            (r#"<mkdir path="${wf:appPath()}/x"/>"#, FeatureSet::Local),
            (
                r#"<mkdir path="${concat('s3a://', bucket)}"/>"#,
                FeatureSet::Full,
            ),
        ] {
            check(&fs(body), &[], expected);
        }
    }

    #[test]
    fn properties_may_hold_any_scheme_until_they_are_known() {
        let nodes = fs(r#"<name-node>${nameNode}</name-node><mkdir path="/x"/>"#);
        check(&nodes, &[], FeatureSet::Full);
        check(&nodes, &[("nameNode", "file:///")], FeatureSet::Local);
        check(&nodes, &[("nameNode", "hdfs://nn:8020")], FeatureSet::Full);
        check(
            &nodes,
            &[("nameNode", "${fs}/"), ("fs", "file://")],
            FeatureSet::Local,
        );
        let nodes = fs(r#"<mkdir path="${wf:conf('root')}/x"/>"#);
        check(&nodes, &[], FeatureSet::Full);
        check(&nodes, &[("root", "file:/data")], FeatureSet::Local);
    }

    #[test]
    fn functions_look_at_files_too() {
        let nodes = |path: &str| {
            format!(
                r#"<start to="d"/><decision name="d"><switch><case to="end">${{fs:exists({path})}}</case><default to="end"/></switch></decision><end name="end"/>"#
            )
        };
        check(&nodes("'/x'"), &[], FeatureSet::Local);
        check(&nodes("'hdfs://nn/x'"), &[], FeatureSet::Full);
        check(&nodes("input"), &[], FeatureSet::Full);
        check(&nodes("input"), &[("input", "/data")], FeatureSet::Local);
        check(&nodes("concat('file://', out)"), &[], FeatureSet::Local);
    }

    #[test]
    fn programs_that_have_a_cluster_may_start_something_there() {
        let nodes = |body: &str| {
            format!(
                r#"<start to="a"/><action name="a">{body}<ok to="end"/><error to="end"/></action><end name="end"/>"#
            )
        };
        let shell = |manager: &str| {
            nodes(&format!(
                r#"<shell xmlns="uri:oozie:shell-action:1.0">{manager}<exec>ls</exec></shell>"#
            ))
        };
        check(&shell(""), &[], FeatureSet::Local);
        let of = |manager| shell(&format!("<resource-manager>{manager}</resource-manager>"));
        check(&of("local"), &[], FeatureSet::Local);
        check(&of("rm:8032"), &[], FeatureSet::Full);
        check(&of("${rm}"), &[], FeatureSet::Full);
        check(&of("${rm}"), &[("rm", " local ")], FeatureSet::Local);
        check(
            &shell("<job-tracker>jt:8021</job-tracker>"),
            &[],
            FeatureSet::Full,
        );
        let java = nodes(
            "<java><resource-manager>rm:8032</resource-manager><main-class>Main</main-class></java>",
        );
        check(&java, &[], FeatureSet::Full);
    }

    #[test]
    fn a_name_node_that_no_path_stands_on_says_nothing() {
        check(
            r#"<start to="a"/><action name="a"><shell xmlns="uri:oozie:shell-action:1.0"><name-node>${nameNode}</name-node><exec>ls</exec></shell><ok to="end"/><error to="end"/></action><end name="end"/>"#,
            &[],
            FeatureSet::Local,
        );
    }
}
