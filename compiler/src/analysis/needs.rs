//! What the jobs of an application require besides the machine that they run on: clusters and other services, and software
//! installed here.
//!
//! As with [`feature_set`](super::feature_set), literal text decides first, then the values of known properties. What
//! depends on unknown ones is possible.

use crate::{
    analysis::{
        Facts, Included, JobProperties, PropertyUse, action_types, el_calls,
        file_systems::{Beginning, RemoteStore, ResolvedProperties},
        needed::{Need, Needs},
        templates,
    },
    model::{ActionKind, CoordinatorApp, WorkflowApp},
};

/// What a job of `app` with the properties `given` requires, without its children.
pub fn needs(app: &WorkflowApp, facts: &Facts, given: &JobProperties) -> Needs {
    let known = ResolvedProperties::new(&facts.properties, given);
    let mut needs = Needs::default();
    for (_, action) in app.actions() {
        needs.of_type(&action.kind, &known);
        needs.of_paths(&action.kind, &known);
    }
    for text in templates::collect(app) {
        for expr in text.template.ast.expressions() {
            el_calls::calls(expr, &mut |call| match (call.prefix, call.args.first()) {
                (Some("hcat"), _) => {
                    needs.certain.insert(Need::HCatalog);
                }
                (Some("fs" | "hdfs"), Some(path)) => needs.of_path(known.of_expr(path)),
                _ => {}
            });
        }
    }
    needs
}

/// What a coordinator requires to access its data.
pub fn needs_of_coordinator(
    app: &CoordinatorApp,
    properties: &[PropertyUse],
    included: &Included,
    given: &JobProperties,
) -> Needs {
    let known = ResolvedProperties::new(properties, given);
    let mut needs = Needs::default();
    let datasets = included.files.iter().flat_map(|file| &file.datasets);
    for dataset in app.datasets.iter().chain(datasets) {
        needs.of_path(known.of_template(&dataset.uri_template));
    }
    needs
}

impl Needs {
    fn of_path(&mut self, beginning: Beginning) {
        match beginning {
            Beginning::Local | Beginning::Bare => {}
            Beginning::Unknown => {
                self.possible.insert(Need::Hdfs);
            }
            Beginning::Elsewhere(remote) => {
                self.certain.insert(match remote {
                    RemoteStore::Hadoop => Need::Hdfs,
                    RemoteStore::Objects => Need::ObjectStore,
                    RemoteStore::Tables => Need::HCatalog,
                });
            }
        }
    }

    fn of_paths(&mut self, kind: &ActionKind, known: &ResolvedProperties) {
        for path in templates::paths(kind) {
            self.of_path(known.of_path(kind, path));
        }
        for path in kind
            .settings()
            .map_or(&[][..], |settings| &settings.job_xml)
        {
            self.of_path(known.of_template(path));
        }
    }

    fn of_type(&mut self, kind: &ActionKind, known: &ResolvedProperties) {
        if let Some(own) = action_types::of(kind) {
            own.needs(known.has_cluster(kind), self);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::analysis::testing;

    #[track_caller]
    fn check(body: &str, given: &[(&str, &str)], expected: &str) {
        let nodes = format!(
            r#"<start to="a"/><action name="a">{body}<ok to="end"/><error to="end"/></action><end name="end"/>"#
        );
        assert_eq!(testing::needs(&nodes, given).words(), expected, "{body}");
    }

    #[test]
    fn actions_tell_what_they_need() {
        const CLUSTER: &str =
            "<resource-manager>rm:8032</resource-manager><name-node>hdfs://nn</name-node>";
        for (body, expected) in [
            (r#"<fs><mkdir path="file:/x"/></fs>"#.to_owned(), "runs on one machine"),
            (r#"<fs><mkdir path="hdfs://nn/x"/></fs>"#.to_owned(), "needs HDFS"),
            (r#"<fs><mkdir path="s3a://b/x"/></fs>"#.to_owned(), "needs an object store"),
            (
                r#"<shell xmlns="uri:oozie:shell-action:1.0"><exec>ls</exec></shell>"#.to_owned(),
                "runs on one machine",
            ),
            (
                format!(r#"<shell xmlns="uri:oozie:shell-action:1.0">{CLUSTER}<exec>ls</exec></shell>"#),
                "runs on one machine; may need YARN",
            ),
            (
                "<java><main-class>Main</main-class></java>".to_owned(),
                "runs on one machine, with Java",
            ),
            (
                format!(r#"<hive xmlns="uri:oozie:hive-action:1.0">{CLUSTER}<script>x</script></hive>"#),
                "needs YARN and Hive",
            ),
            (
                r#"<spark xmlns="uri:oozie:spark-action:1.0"><master>local[*]</master><name>n</name><jar>x.jar</jar></spark>"#.to_owned(),
                "runs on one machine, with Spark",
            ),
            (
                r#"<spark xmlns="uri:oozie:spark-action:1.0"><master>yarn</master><name>n</name><jar>x.jar</jar></spark>"#.to_owned(),
                "needs YARN and Spark",
            ),
            (
                r#"<email xmlns="uri:oozie:email-action:0.2"><to>a@x.org</to><subject>s</subject><body>b</body></email>"#.to_owned(),
                "needs a mail server",
            ),
        ] {
            check(&body, &[], expected);
        }
    }

    #[test]
    fn what_is_given_decides_where_paths_are() {
        let body = r#"<fs><mkdir path="${root}/x"/></fs>"#;
        check(body, &[], "runs on one machine; may need HDFS");
        check(body, &[("root", "file:/data")], "runs on one machine");
        check(body, &[("root", "hdfs://nn/data")], "needs HDFS");
    }
}
