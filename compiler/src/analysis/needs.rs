//! What the jobs of an application need besides the machine that they run on: clusters and other services, and programs that are
//! installed here.
//!
//! As with [`feature_set`](super::feature_set), what stands in the text decides, then the values of properties that are known. What
//! depends on the others is possible.

use std::collections::BTreeSet;

use crate::{
    analysis::{
        Facts, Given, Included, PropertyUse, el_calls,
        file_systems::{Beginning, Known, Remote},
        templates,
    },
    model::{ActionKind, CoordinatorApp, WorkflowApp},
};

/// Something that jobs need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    Hdfs,
    ObjectStore,
    HCatalog,
    Yarn,
    Hive,
    HiveServer,
    Pig,
    Spark,
    Sqoop,
    Ssh,
    Mail,
    Web,
    Hadoop,
    LocalSpark,
    Java,
    Git,
}

/// What is needed for certain, and what may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub certain: BTreeSet<Need>,
    /// Depends on properties, or on what programs do that are started.
    pub possible: BTreeSet<Need>,
}

impl Need {
    /// As it stands behind "needs".
    pub fn name(self) -> &'static str {
        match self {
            Need::Hdfs => "HDFS",
            Need::ObjectStore => "an object store",
            Need::HCatalog => "HCatalog",
            Need::Yarn => "YARN",
            Need::Hive => "Hive",
            Need::HiveServer => "HiveServer2",
            Need::Pig => "Pig",
            Need::Spark | Need::LocalSpark => "Spark",
            Need::Sqoop => "Sqoop",
            Need::Ssh => "SSH hosts",
            Need::Mail => "a mail server",
            Need::Web => "a web service",
            Need::Hadoop => "Hadoop's tools",
            Need::Java => "Java",
            Need::Git => "Git",
        }
    }

    /// Whether it is a program of this machine, and no other machine takes part.
    fn is_local(self) -> bool {
        match self {
            Need::Hadoop | Need::LocalSpark | Need::Java | Need::Git => true,
            Need::Hdfs
            | Need::ObjectStore
            | Need::HCatalog
            | Need::Yarn
            | Need::Hive
            | Need::HiveServer
            | Need::Pig
            | Need::Spark
            | Need::Sqoop
            | Need::Ssh
            | Need::Mail
            | Need::Web => false,
        }
    }
}

impl Needs {
    /// What another document of the same application needs.
    pub fn add(&mut self, other: &Needs) {
        self.certain.extend(&other.certain);
        self.possible.extend(&other.possible);
    }

    /// Whether one machine is enough for certain.
    pub fn is_one_machine(&self) -> bool {
        self.certain.iter().all(|need| need.is_local()) && self.perhaps().next().is_none()
    }

    fn perhaps(&self) -> impl Iterator<Item = Need> {
        self.possible.difference(&self.certain).copied()
    }

    /// `runs on one machine, with Java`, `needs HDFS, YARN and Hive`, `runs on one machine; may need HDFS`.
    pub fn words(&self) -> String {
        let mut text = if self.certain.iter().all(|need| need.is_local()) {
            let mut text = "runs on one machine".to_owned();
            if !self.certain.is_empty() {
                text.push_str(&format!(", with {}", list(self.certain.iter().copied())));
            }
            text
        } else {
            format!("needs {}", list(self.certain.iter().copied()))
        };
        if self.perhaps().next().is_some() {
            text.push_str(&format!("; may need {}", list(self.perhaps())));
        }
        text
    }
}

/// `HDFS, YARN and Hive`.
fn list(needs: impl Iterator<Item = Need>) -> String {
    let names: Vec<&str> = needs.map(Need::name).collect();
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// What a job of `app` needs that is given what `given` says, without its children.
pub fn needs(app: &WorkflowApp, facts: &Facts, given: &Given) -> Needs {
    let known = Known::new(&facts.properties, given);
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

/// What a coordinator needs to look at its data.
pub fn needs_of_coordinator(
    app: &CoordinatorApp,
    properties: &[PropertyUse],
    included: &Included,
    given: &Given,
) -> Needs {
    let known = Known::new(properties, given);
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
                    Remote::Hadoop => Need::Hdfs,
                    Remote::Objects => Need::ObjectStore,
                    Remote::Tables => Need::HCatalog,
                });
            }
        }
    }

    fn of_paths(&mut self, kind: &ActionKind, known: &Known) {
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

    fn of_type(&mut self, kind: &ActionKind, known: &Known) {
        let has_cluster = known.has_cluster(kind);
        let on_cluster: &[Need] = if has_cluster { &[Need::Yarn] } else { &[] };
        let own: &[Need] = match kind {
            ActionKind::Distcp(_) | ActionKind::MapReduce(_) if has_cluster => &[],
            ActionKind::Distcp(_) | ActionKind::MapReduce(_) => &[Need::Hadoop],
            ActionKind::Hive(_) => &[Need::Hive],
            ActionKind::Hive2(_) => {
                self.certain.insert(Need::HiveServer);
                return;
            }
            ActionKind::Pig(pig) if pig.host.is_some() => {
                self.certain.insert(Need::Ssh);
                return;
            }
            ActionKind::Pig(_) => &[Need::Pig],
            ActionKind::Spark(spark) => {
                let master = spark.master.literal().unwrap_or_default().trim();
                let own: &[Need] = if master.starts_with("local") {
                    &[Need::LocalSpark]
                } else if master.starts_with("yarn") {
                    &[Need::Spark, Need::Yarn]
                } else {
                    &[Need::Spark]
                };
                self.certain.extend(own);
                return;
            }
            ActionKind::Sqoop(_) => &[Need::Sqoop],
            ActionKind::Java(_) | ActionKind::Shell(_) => {
                if matches!(kind, ActionKind::Java(_)) {
                    self.certain.insert(Need::Java);
                }
                // What the program starts there, it alone knows.
                self.possible.extend(on_cluster);
                return;
            }
            ActionKind::Git(_) => {
                self.certain.insert(Need::Git);
                return;
            }
            ActionKind::Ssh(_) => &[Need::Ssh],
            ActionKind::Email(_) => &[Need::Mail],
            ActionKind::Http(_) => &[Need::Web],
            ActionKind::Fs(_) | ActionKind::SubWorkflow(_) | ActionKind::Unknown(_) => return,
        };
        self.certain.extend(own);
        self.certain.extend(on_cluster);
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
