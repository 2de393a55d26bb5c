//! URIs of applications: the one form in which a `sub-workflow` and the child that was compiled in are compared.

/// The document that a folder stands for.
const WORKFLOW_XML: &str = "workflow.xml";

/// Stands for the value of `wf:appPath()` in the URIs of a program's children, because only a running job knows it.
pub const APP_PATH: &str = "${wf:appPath()}";

/// What follows `prefix` in `uri`, where it ends at a part of the path.
pub fn below<'a>(uri: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = uri.strip_prefix(prefix)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
            .map(|rest| rest.trim_start_matches('/'))
    }
}

/// The one form of the URI of an application: its folder, whether the folder or the document was named, without slashes
/// at the end, `.` and `..` resolved as Hadoop's paths do it.
pub fn normalized(uri: &str) -> String {
    let uri = uri.trim();
    let folder = uri
        .trim_end_matches('/')
        .strip_suffix(WORKFLOW_XML)
        .filter(|folder| folder.ends_with('/'))
        .unwrap_or(uri);
    // What stands before the path: a scheme and an authority, or the application's own path.
    let root = match folder.find("://") {
        Some(colon) => folder[colon + 3..]
            .find('/')
            .map_or(folder.len(), |slash| colon + 3 + slash),
        None => folder.find('/').unwrap_or(folder.len()),
    };
    let (root, path) = folder.split_at(root);
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            // Above the application's own folder only the running job knows the way.
            ".." if root.ends_with('}') && parts.last().is_none_or(|last| *last == "..") => {
                parts.push(part)
            }
            ".." => drop(parts.pop()),
            _ => parts.push(part),
        }
    }
    match (parts.is_empty(), path.starts_with('/')) {
        (true, _) if root.is_empty() || root.ends_with("://") => {
            format!("{root}{}", &path[..path.len().min(1)])
        }
        (true, _) => root.to_owned(),
        (false, true) => format!("{root}/{}", parts.join("/")),
        (false, false) => format!("{root}{}", parts.join("/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folder_and_document_are_one() {
        for (uri, expected) in [
            ("hdfs://nn/app", "hdfs://nn/app"),
            ("hdfs://nn/app/", "hdfs://nn/app"),
            (" hdfs://nn/app/workflow.xml ", "hdfs://nn/app"),
            ("hdfs://nn/app/workflow.xml/", "hdfs://nn/app"),
            ("/app/myworkflow.xml", "/app/myworkflow.xml"),
            ("/", "/"),
            ("file:///", "file:///"),
            ("file:///a//b/./c/../d", "file:///a/b/d"),
            ("hdfs://nn/../x", "hdfs://nn/x"),
            ("${wf:appPath()}/sub/../other/", "${wf:appPath()}/other"),
            (
                "${wf:appPath()}/../../x/workflow.xml",
                "${wf:appPath()}/../../x",
            ),
            ("${wf:appPath()}", "${wf:appPath()}"),
            ("report", "report"),
            ("", ""),
        ] {
            assert_eq!(normalized(uri), expected, "{uri}");
        }
    }
}
