//! The namespaces beside the workflow's own: action types in schemas of their own, and SLA.

use super::{
    CONFIGURATION, Shape, Value, Version, Versions, many, one, required,
    workflow::{CLUSTER, FLAG, LAUNCHER, MKDIR, TEXT},
};

/// The start of the namespaces of SLA blocks.
pub(crate) const SLA_PREFIX: &str = "uri:oozie:sla:";

/// An action type with a schema of its own.
#[derive(Debug)]
pub(crate) struct Extension {
    /// The body's element.
    pub(crate) element: &'static str,
    /// The namespace without its version.
    pub(crate) prefix: &'static str,
    /// Oldest first; never empty.
    pub(crate) versions: &'static [Version],
    /// `None` as long as the compiler does not build the type.
    pub(crate) shape: Option<&'static Shape>,
}

const fn v(major: u8, minor: u8) -> Version {
    Version::new(major, minor)
}

/// Every extension that Oozie registers by default (`SchemaService`).
pub(crate) static EXTENSIONS: &[Extension] = &[
    Extension {
        element: "distcp",
        prefix: "uri:oozie:distcp-action:",
        versions: &[v(0, 1), v(0, 2), v(1, 0)],
        shape: None,
    },
    Extension {
        element: "email",
        prefix: "uri:oozie:email-action:",
        versions: &[v(0, 1), v(0, 2)],
        shape: None,
    },
    Extension {
        element: "git",
        prefix: "uri:oozie:git-action:",
        versions: &[v(1, 0)],
        shape: None,
    },
    Extension {
        element: "hive",
        prefix: "uri:oozie:hive-action:",
        versions: &[v(0, 2), v(0, 3), v(0, 4), v(0, 5), v(0, 6), v(1, 0)],
        shape: None,
    },
    Extension {
        element: "hive2",
        prefix: "uri:oozie:hive2-action:",
        versions: &[v(0, 1), v(0, 2), v(1, 0)],
        shape: None,
    },
    Extension {
        element: "shell",
        prefix: "uri:oozie:shell-action:",
        versions: &[v(0, 1), v(0, 2), v(0, 3), v(1, 0)],
        shape: Some(&SHELL),
    },
    Extension {
        element: "spark",
        prefix: "uri:oozie:spark-action:",
        versions: &[v(0, 1), v(0, 2), v(1, 0)],
        shape: None,
    },
    Extension {
        element: "sqoop",
        prefix: "uri:oozie:sqoop-action:",
        versions: &[v(0, 2), v(0, 3), v(0, 4), v(1, 0)],
        shape: None,
    },
    Extension {
        element: "ssh",
        prefix: "uri:oozie:ssh-action:",
        versions: &[v(0, 1), v(0, 2)],
        shape: None,
    },
];

impl Extension {
    /// The extension whose body has that name.
    pub(crate) fn of_element(local: &str) -> Option<&'static Extension> {
        EXTENSIONS
            .iter()
            .find(|extension| extension.element == local)
    }

    /// The extension that the namespace belongs to, whatever its version.
    pub(crate) fn of_namespace(namespace: &str) -> Option<&'static Extension> {
        EXTENSIONS
            .iter()
            .find(|extension| namespace.starts_with(extension.prefix))
    }

    /// The version of one of this extension's namespaces.
    pub(crate) fn version(&self, namespace: &str) -> Option<Version> {
        let version = Version::parse(namespace.strip_prefix(self.prefix)?)?;
        self.versions.contains(&version).then_some(version)
    }

    pub(crate) fn newest(&self) -> Version {
        *self
            .versions
            .last()
            .expect("the table gives each extension a version")
    }

    /// All namespaces, oldest first.
    pub(crate) fn namespaces(&self) -> Vec<String> {
        self.versions
            .iter()
            .map(|version| format!("{}{version}", self.prefix))
            .collect()
    }
}

static SHELL: Shape = Shape::elements(&[
    CLUSTER.required(Versions::until(v(0, 2))),
    one("name-node", &TEXT).required(Versions::until(v(0, 2))),
    one("prepare", &PREPARE),
    one("launcher", &LAUNCHER).allowed(Versions::since(v(1, 0))),
    many("job-xml", &TEXT).repeated(Versions::since(v(0, 2))),
    one("configuration", &CONFIGURATION),
    one("exec", &TEXT).required(Versions::ALL),
    many("argument", &TEXT),
    many("env-var", &TEXT),
    many("file", &TEXT),
    many("archive", &TEXT),
    one("capture-output", &FLAG),
]);

/// As in the core schema, without its `skip-trash`.
static PREPARE: Shape = Shape::elements(&[many("delete", &DELETE), many("mkdir", &MKDIR)]);

static DELETE: Shape = Shape::attributes(&[required("path", Value::Any)]);
