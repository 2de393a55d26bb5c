//! Application URIs: normalization, and comparison of the `app-path` of a sub-workflow, coordinator or bundle with the
//! applications that were compiled in or registered.
//!
//! Different spellings of the same location are equal: `.`, `..` and repeated slashes, a trailing slash, folder or
//! `workflow.xml`, upper case in
//! scheme and host, the default port of HDFS, `file:/x` and `file:///x`.

use std::{borrow::Cow, collections::BTreeSet};

/// The default document of an application folder.
const WORKFLOW_XML: &str = "workflow.xml";

/// Placeholder for the value of `wf:appPath()` in the URIs of a program's children: only a running job knows it.
pub const APP_PATH: &str = "${wf:appPath()}";

/// The rest of `uri` after `prefix`, if `prefix` ends at a path component boundary.
pub fn below<'a>(uri: &'a str, prefix: &str) -> Option<&'a str> {
    let rest = uri.strip_prefix(prefix)?;
    if rest.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('/')
            .map(|rest| rest.trim_start_matches('/'))
    }
}

/// The normal form of an application's URI: its folder, whether the folder or the document was given, without trailing slashes,
/// `.` and `..` resolved as in Hadoop's paths.
pub fn normalized(uri: &str) -> String {
    let uri = uri.trim();
    let folder = uri
        .trim_end_matches('/')
        .strip_suffix(WORKFLOW_XML)
        .filter(|folder| folder.ends_with('/'))
        .unwrap_or(uri);
    // The part before the path: a scheme and an authority, or the application's own path.
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
            // `..` above the application's own folder can be resolved only by the running job.
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

/// The default port of an HDFS name-node, which a URI may omit (`dfs.namenode.rpc-address`).
const HDFS_PORT: &str = ":8020";

/// The location that a URI names, the same for every spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppLocation {
    /// `hdfs://nn`, `file://`, [`APP_PATH`], or empty if the URI has no scheme.
    root: String,
    /// The components of the path.
    parts: Vec<String>,
    is_absolute: bool,
}

impl AppLocation {
    pub fn of(uri: &str) -> AppLocation {
        let uri = normalized(uri);
        let (root, path) = match uri.strip_prefix(APP_PATH) {
            Some(path) => (APP_PATH.to_owned(), path),
            None => split_root(&uri),
        };
        let parts = path.split('/').filter(|part| !part.is_empty());
        AppLocation {
            parts: parts.map(str::to_owned).collect(),
            is_absolute: path.starts_with('/') || !root.is_empty(),
            root,
        }
    }

    /// The folder of a document that is named by its file; a folder is returned unchanged.
    #[must_use]
    pub fn folder(mut self) -> AppLocation {
        let is_document = |part: &String| {
            let ending = part.len().checked_sub(4).and_then(|at| part.get(at..));
            ending.is_some_and(|ending| ending.eq_ignore_ascii_case(".xml"))
        };
        self.parts.pop_if(|part| is_document(part));
        self
    }

    /// The path from the folder `base` to here, with leading `..` if it is outside of it; empty for the folder itself. `None` if
    /// the two are on different file systems.
    pub fn relative_to(&self, base: &AppLocation) -> Option<String> {
        if !self.may_share_root(base) || self.is_absolute != base.is_absolute {
            return None;
        }
        let both = self.parts.iter().zip(&base.parts);
        let n_common = both.take_while(|(own, other)| own == other).count();
        let above = &base.parts[n_common..];
        if above.iter().any(|part| part == "..") {
            return None;
        }
        let up = above.iter().map(|_| "..");
        let down = self.parts[n_common..].iter().map(String::as_str);
        Some(up.chain(down).collect::<Vec<_>>().join("/"))
    }

    /// The rest of the path after `folder`, if this location is equal to it or below it, on the same file system.
    pub fn below(&self, folder: &AppLocation) -> Option<String> {
        if self.root != folder.root || self.is_absolute != folder.is_absolute {
            return None;
        }
        let rest = self.parts.strip_prefix(folder.parts.as_slice())?;
        Some(rest.join("/"))
    }

    /// As [`AppLocation::below`], except that one of the two may be a path without a scheme, or a URI without a host, which refer
    /// to the default file system.
    pub fn may_be_below(&self, folder: &AppLocation) -> Option<String> {
        let is_open = self.may_share_root(folder) && self.is_absolute == folder.is_absolute;
        let rest = self.parts.strip_prefix(folder.parts.as_slice());
        rest.filter(|_| is_open).map(|rest| rest.join("/"))
    }

    fn may_share_root(&self, other: &AppLocation) -> bool {
        let (own, other) = (self.root.as_str(), other.root.as_str());
        let is_open = |root: &str, other: &str| match root {
            "" => other != APP_PATH,
            "file://" => false,
            root => root.ends_with("://") && other.starts_with(root),
        };
        own == other || is_open(own, other) || is_open(other, own)
    }

    fn may_be(&self, other: &AppLocation) -> bool {
        self.parts == other.parts
            && self.is_absolute == other.is_absolute
            && self.may_share_root(other)
    }
}

/// The normalized scheme and host of a normalized URI, and its path.
fn split_root(uri: &str) -> (String, &str) {
    let before_path = &uri[..uri.find('/').unwrap_or(uri.len())];
    let Some(scheme) = before_path.strip_suffix(':') else {
        return (String::new(), uri);
    };
    let scheme = scheme.to_ascii_lowercase();
    let rest = &uri[before_path.len()..];
    let Some(rest) = rest.strip_prefix("//") else {
        return (format!("{scheme}://"), rest);
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.to_ascii_lowercase();
    let host = match (scheme.as_str(), host.as_str()) {
        ("file", "localhost") => "",
        ("hdfs", host) => host.strip_suffix(HDFS_PORT).unwrap_or(host),
        (_, host) => host,
    };
    (format!("{scheme}://{host}"), path)
}

/// Placeholder for the name of a job's user in the URIs of a program's children.
pub const USER: &str = "${user.name}";

/// The URIs with [`USER`] replaced by `user`.
pub fn for_user<'k, T>(
    known: impl IntoIterator<Item = (&'k str, T)>,
    user: &str,
) -> Vec<(Cow<'k, str>, T)> {
    let place = |(uri, value): (&'k str, T)| match uri.contains(USER) {
        true => (Cow::Owned(uri.replace(USER, user)), value),
        false => (Cow::Borrowed(uri), value),
    };
    known.into_iter().map(place).collect()
}

/// Looks `uri` up in `known`, pairs of a URI and its value. A match with another scheme or host counts only if one of the two
/// does not specify it, such as `/apps/x`, and all such matches have the same value.
pub fn find<T: Ord + Copy>(known: &[(impl AsRef<str>, T)], uri: &str) -> Option<T> {
    let spelled = normalized(uri);
    let exact = known.iter().find(|(known, _)| known.as_ref() == spelled);
    if let Some((_, exact)) = exact {
        return Some(*exact);
    }
    let wanted = AppLocation::of(uri);
    let mut open = BTreeSet::new();
    for (known, value) in known {
        let place = AppLocation::of(known.as_ref());
        if place == wanted {
            return Some(*value);
        }
        if place.may_be(&wanted) {
            open.insert(*value);
        }
    }
    open.pop_first().filter(|_| open.is_empty())
}

/// Looks `uri` up in `known` for a job whose own path is `own_path`: directly, or by its location relative to the job's own path,
/// which in `known` is replaced by one of `own_uris`.
pub fn find_from<T: Ord + Copy>(
    known: &[(impl AsRef<str>, T)],
    own_uris: &[impl AsRef<str>],
    own_path: &str,
    uri: &str,
) -> Option<T> {
    let way = AppLocation::of(uri).relative_to(&AppLocation::of(own_path).folder());
    // `${wf:appPath()}/x` gives the path of the document itself with more after it if the job was given that path.
    let behind = below(uri.trim(), own_path.trim().trim_end_matches('/')).map(str::to_owned);
    let ways = way.into_iter().chain(behind);
    let from_own = ways
        .flat_map(|way| {
            own_uris
                .iter()
                .map(move |own| format!("{}/{way}", own.as_ref()))
        })
        .find_map(|uri| find(known, &uri));
    from_own.or_else(|| find(known, uri))
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

    #[test]
    fn spellings_of_one_place_are_equal() {
        for (one, other) in [
            ("hdfs://nn:8020/apps/a", "hdfs://nn/apps/a"),
            ("HDFS://NN/apps/a/", "hdfs://nn/apps//a"),
            ("hdfs://nn/apps/./b/../a/workflow.xml", "hdfs://nn/apps/a"),
            ("file:/apps/a", "file:///apps/a"),
            ("file://localhost/apps/a", "file:///apps/a"),
            ("hdfs:/apps/a", "hdfs:///apps/a"),
        ] {
            assert_eq!(AppLocation::of(one), AppLocation::of(other), "{one}");
        }
        for (one, other) in [
            ("hdfs://nn:9000/apps/a", "hdfs://nn/apps/a"),
            ("s3a://nn:8020/a", "s3a://nn/a"),
            ("hdfs://nn/apps/A", "hdfs://nn/apps/a"),
            ("/apps/a", "apps/a"),
        ] {
            assert_ne!(AppLocation::of(one), AppLocation::of(other), "{one}");
        }
    }

    #[test]
    fn one_place_is_seen_from_another() {
        for (uri, base, expected) in [
            (
                "hdfs://nn:8020/apps/a/sub/",
                "hdfs://nn/apps/a",
                Some("sub"),
            ),
            (
                "hdfs://nn/apps/a",
                "hdfs://nn/apps/a/workflow.xml",
                Some(""),
            ),
            ("hdfs://nn/apps/lib/b", "hdfs://nn/apps/a", Some("../lib/b")),
            ("hdfs://nn/apps/ab", "hdfs://nn/apps/a", Some("../ab")),
            ("/apps/a/sub", "hdfs://nn/apps/a", Some("sub")),
            ("hdfs://nn/apps/a/sub", "/apps/a", Some("sub")),
            ("hdfs://nn/apps/a/sub", "hdfs:///apps/a", Some("sub")),
            ("${wf:appPath()}/../b", "${wf:appPath()}", Some("../b")),
            ("hdfs://nn/a", "hdfs://other/a", None),
            ("file:///a/sub", "hdfs:///a", None),
            ("${wf:appPath()}/a", "/a", None),
            ("sub", "/a", None),
        ] {
            let way = AppLocation::of(uri).relative_to(&AppLocation::of(base));
            assert_eq!(way.as_deref(), expected, "{uri} from {base}");
        }
    }

    #[test]
    fn what_leaves_the_file_system_open_names_what_alone_fits() {
        let known = [("hdfs://nn/a", 1), ("hdfs://nn/b", 2), ("hdfs://far/b", 3)];
        for (uri, expected) in [
            ("hdfs://nn:8020/a/", Some(1)),
            ("/a", Some(1)),
            ("hdfs:///a/workflow.xml", Some(1)),
            ("hdfs://far/a", None),
            ("s3a:///a", None),
            ("/b", None),
            ("hdfs://far/b", Some(3)),
            ("a", None),
        ] {
            assert_eq!(find(&known, uri), expected, "{uri}");
        }
    }

    #[test]
    fn a_user_is_put_in_place() {
        let known = for_user([("hdfs://nn/user/${user.name}/a", 1), ("/b", 2)], "ann");
        assert_eq!(find(&known, "hdfs://nn/user/ann/a/"), Some(1));
        assert_eq!(find(&known, "hdfs://nn/user/bob/a"), None);
        assert_eq!(find(&known, "/b"), Some(2));
    }

    #[test]
    fn a_job_knows_places_by_themselves_and_from_its_own_path() {
        let known = [
            ("${wf:appPath()}/sub", 1),
            ("${wf:appPath()}/../lib", 2),
            ("hdfs://prod/apps/c", 3),
        ];
        let find = |own_path: &str, uri: &str| find_from(&known, &[APP_PATH], own_path, uri);
        for own_path in [
            "hdfs://nn:8020/apps/a",
            "hdfs://nn/apps/a/",
            "hdfs://nn/apps/a/workflow.xml",
            "hdfs://nn/apps/a/other.xml",
            "/apps//a",
        ] {
            for (uri, expected) in [
                ("hdfs://nn/apps/a/sub", Some(1)),
                ("hdfs://nn/apps/a/sub/workflow.xml", Some(1)),
                ("/apps/a/x/../sub/", Some(1)),
                ("hdfs://nn/apps/lib", Some(2)),
                ("hdfs://prod:8020/apps/c", Some(3)),
                ("hdfs://nn/apps/sub", None),
                ("s3a://nn/apps/a/sub", None),
            ] {
                let found = find(own_path, uri);
                let is_open = own_path.starts_with('/') && uri.starts_with("s3a");
                assert_eq!(
                    found,
                    if is_open { Some(1) } else { expected },
                    "{uri} from {own_path}"
                );
            }
            assert_eq!(
                find(own_path, &format!("{own_path}/sub")),
                Some(1),
                "{own_path}"
            );
        }
    }
}
