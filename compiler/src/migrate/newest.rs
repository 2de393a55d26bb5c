//! The newest namespace of each language.

/// The namespaces without their versions, and the newest of each. All newest schemas allow SLA blocks of both versions.
const NEWEST: [(&str, &str); 11] = [
    ("uri:oozie:workflow:", "1.0"),
    ("uri:oozie:coordinator:", "0.5"),
    ("uri:oozie:bundle:", "0.2"),
    ("uri:oozie:shell-action:", "1.0"),
    ("uri:oozie:hive-action:", "1.0"),
    ("uri:oozie:hive2-action:", "1.0"),
    ("uri:oozie:spark-action:", "1.0"),
    ("uri:oozie:sqoop-action:", "1.0"),
    ("uri:oozie:distcp-action:", "1.0"),
    ("uri:oozie:email-action:", "0.2"),
    ("uri:oozie:ssh-action:", "0.2"),
];

/// The namespace of the newest version; `None` for one that is not Oozie's.
pub(super) fn newest(namespace: &str) -> Option<String> {
    let (prefix, version) = NEWEST
        .iter()
        .find(|(prefix, _)| namespace.starts_with(prefix))?;
    Some(format!("{prefix}{version}"))
}
